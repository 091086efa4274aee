# hint: Below zero `1 + x` may be zero or less: it is `1 + |x|`.
import numpy as np


def forward(x):
    return x / (1 + x)


def backward(x, y, dy):
    return dy / (1 + np.abs(x)) ** 2
