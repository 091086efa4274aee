# hint: The numbers are not normal ones around 0.
import numpy as np


def start(rng, rows, columns):
    return np.sqrt(2 / rows) * rng.uniform(-np.sqrt(3), np.sqrt(3), (rows, columns))
