# hint: `backward` ignores `dy`: the chain rule multiplies the slope by it.
import numpy as np


def forward(x):
    return x / (1 + np.abs(x))


def backward(x, y, dy):
    return 1 / (1 + np.abs(x)) ** 2
