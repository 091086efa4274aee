# hint: The gradient of the row has the length of the row: `dy` needs zeros at both ends.
import numpy as np


def home(row, kernel, dy):
    drow, dkernel = np.zeros(len(row)), np.zeros(len(kernel))
    for at, number in enumerate(dy):
        drow[at : at + len(kernel)] += number * kernel
        dkernel += number * row[at : at + len(kernel)]
    return np.convolve(dy, kernel, "same"), dkernel
