# hint: A number that several results used gets the last one alone: add them.
import numpy as np


def home(row, kernel, dy):
    drow, dkernel = np.zeros(len(row)), np.zeros(len(kernel))
    for at, number in enumerate(dy):
        drow[at : at + len(kernel)] = number * kernel
        dkernel += number * row[at : at + len(kernel)]
    return drow, dkernel
