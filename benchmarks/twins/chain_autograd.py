"""The chain case in HIPS autograd."""

import autograd.numpy as np
from autograd import grad

from benchmarks import data


def setup():
    x, w, b = data.small()

    def total(w, b):
        h = x
        for _ in range(500):
            h = h * w
            h = h + b
        return np.sum(h)

    gradients = grad(total, (0, 1))
    return lambda: gradients(w, b)[0]
