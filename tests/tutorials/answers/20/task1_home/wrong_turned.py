# hint: The kernel is turned round once too often: it lies as it lay when the result was made.
import numpy as np


def home(row, kernel, dy):
    drow, dkernel = np.zeros(len(row)), np.zeros(len(kernel))
    for at, number in enumerate(dy):
        drow[at : at + len(kernel)] += number * kernel[::-1]
        dkernel += number * row[at : at + len(kernel)]
    return drow, dkernel
