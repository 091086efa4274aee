import numpy as np


def home(a, w, db):
    bent = (db * (1 - np.tanh(a @ w) ** 2)) @ w.T
    return db, bent, db + bent
