# hint: The value has the sign of `x`: only below the line `|x|` stands.
import numpy as np


def forward(x):
    return np.abs(x) / (1 + np.abs(x))


def backward(x, y, dy):
    return dy / (1 + np.abs(x)) ** 2
