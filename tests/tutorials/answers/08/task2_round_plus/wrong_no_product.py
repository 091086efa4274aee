# hint: Behind `tanh` there is the product: its gradient for `a` is `... @ w.T`.
import numpy as np


def home(a, w, db):
    bent = db * (1 - np.tanh(a @ w) ** 2)
    return db, bent, db + bent
