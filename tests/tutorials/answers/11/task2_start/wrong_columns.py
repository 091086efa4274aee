# hint: The width that counts is the number of rows: so many numbers are added up.
import numpy as np


def start(rng, rows, columns):
    return np.sqrt(2 / columns) * rng.normal(size=(rows, columns))
