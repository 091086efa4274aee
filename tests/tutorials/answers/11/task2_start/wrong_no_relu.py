# hint: That keeps a network without `relu` alive: here half of the numbers are blocked.
import numpy as np


def start(rng, rows, columns):
    return np.sqrt(1 / rows) * rng.normal(size=(rows, columns))
