# hint: The gradient that comes in is left out: each result lays the kernel down `dy` times.
import numpy as np


def home(row, kernel, dy):
    drow, dkernel = np.zeros(len(row)), np.zeros(len(kernel))
    for at, number in enumerate(dy):
        drow[at : at + len(kernel)] += kernel
        dkernel += number * row[at : at + len(kernel)]
    return drow, dkernel
