"""Grader of task1_home.py: drawn rows and kernels, of several lengths."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Each result used as many numbers of the row as the kernel is long. What does it send to each of them?",
    "Result `at` lays `dy[at] * kernel` on the row's gradient, and `dy[at] * row[at : at + width]` on the kernel's.",
    "Begin with zeros. For each result two slices grow, as long as the kernel: one of the row, one of the kernel.",
)


def asked(student, row, kernel, dy):
    return list(student.home(row, kernel, dy))


def drawn(draw, size=9, width=3):
    return draw.normal(size=size), draw.normal(size=width), draw.normal(size=size - width + 1)


@claim(50, "of the row")
def of_the_row(ask, draw):
    row, kernel, dy = drawn(draw)
    found = ask(asked, row, kernel, dy)[0]
    if ask.ran(asked, row, kernel, dy):
        return "In NumPy: here operators of Paddle ran."
    right = np.convolve(dy, kernel)
    if close(found, np.correlate(row, dy)):
        return "The two results are swapped: the gradient of the row comes first."
    if close(found, np.convolve(dy, kernel[::-1])):
        return "The kernel is turned round once too often: it lies as it lay when the result was made."
    if close(found, np.convolve(dy, kernel, "same")) or close(found, np.convolve(dy, kernel, "valid")):
        return "The gradient of the row has the length of the row: `dy` needs zeros at both ends."
    stamped = np.zeros(9)
    for at, number in enumerate(dy):
        stamped[at : at + 3] = number * kernel
    if close(found, stamped):
        return "A number that several results used gets the last one alone: add them."
    if close(found, np.convolve(np.ones(7), kernel)):
        return "The gradient that comes in is left out: each result lays the kernel down `dy` times."
    return None if close(found, right) else "The gradient of the row is not right."


@claim(40, "of the kernel")
def of_the_kernel(ask, draw):
    row, kernel, dy = drawn(draw)
    found = ask(asked, row, kernel, dy)[1]
    right = np.correlate(row, dy)
    if close(found, right[::-1]):
        return "The gradient of the kernel is turned round: its first number met the first ones of the row."
    return None if close(found, right) else "The gradient of the kernel is not right."


@claim(10, "other lengths")
def lengths(ask, draw):
    for size, width in ((5, 5), (6, 1), (12, 4)):
        row, kernel, dy = drawn(draw, size, width)
        drow, dkernel = ask(asked, row, kernel, dy)
        if not (close(drow, np.convolve(dy, kernel)) and close(dkernel, np.correlate(row, dy))):
            return "For rows and kernels of other lengths it is wrong."
    return None
