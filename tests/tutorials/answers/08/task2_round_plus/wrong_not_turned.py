# hint: `w` is turned round on the way home: `w.T`.
import numpy as np


def home(a, w, db):
    bent = (db * (1 - np.tanh(a @ w) ** 2)) @ w
    return db, bent, db + bent
