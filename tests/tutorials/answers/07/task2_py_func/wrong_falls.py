# hint: The slope is positive on both sides: the curve rises everywhere.
import numpy as np


def forward(x):
    return x / (1 + np.abs(x))


def backward(x, y, dy):
    return np.sign(x) * dy / (1 + np.abs(x)) ** 2
