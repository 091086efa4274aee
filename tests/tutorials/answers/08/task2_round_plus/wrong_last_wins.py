# hint: The gradient of `a` is the sum of both.
import numpy as np


def home(a, w, db):
    bent = (db * (1 - np.tanh(a @ w) ** 2)) @ w.T
    return db, bent, bent
