# hint: The slope is `1 / (1 + |x|)` squared.
import numpy as np


def forward(x):
    return x / (1 + np.abs(x))


def backward(x, y, dy):
    return dy / (1 + np.abs(x))
