# hint: What comes straight through the sum is `db` itself.
import numpy as np


def home(a, w, db):
    return np.ones([1, 2]), np.ones([1, 2]), np.ones([1, 2])
