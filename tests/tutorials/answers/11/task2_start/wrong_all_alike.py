# hint: The mean of the weights is to be 0.
import numpy as np


def start(rng, rows, columns):
    return np.sqrt(2 / rows) * np.ones((rows, columns))
