"""Grader of task2_affine.py: each of the three, at drawn numbers."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Each gradient has the shape of its array. Which of the three were repeated, and along which axis?",
    "For `x`: `dy * scale`. `scale` and `shift` were used by every row: sum over axis 0.",
    "The product rule gives three arrays of shape [n, d]; two of them are then summed over the rows.",
)


def asked(student, x, scale, dy):
    return list(student.home(x, scale, dy))


def drawn(draw):
    return draw.normal(size=(4, 4)), draw.uniform(1, 2, 4), draw.normal(size=(4, 4))


@claim(30, "of x")
def of_x(ask, draw):
    x, scale, dy = drawn(draw)
    dx = ask(asked, x, scale, dy)[0]
    if ask.ran(asked, x, scale, dy):
        return "In NumPy: here operators of Paddle ran."
    if close(dx, dy * x):
        return "The slope for `x` is `scale`, and not `x`."
    if close(dx, (dy * scale).sum(axis=0)):
        return "`x` was not repeated, so nothing is summed for it."
    return None if close(dx, dy * scale) else "The gradient of `x` is not right."


@claim(40, "of the scale")
def of_scale(ask, draw):
    x, scale, dy = drawn(draw)
    found = ask(asked, x, scale, dy)[1]
    if close(found, dy * x):
        return "A gradient has the shape of its array: sum over the rows, which all used the same scale."
    if close(found, (dy * x).sum(axis=1)):
        return "The scale was repeated down the rows: sum over axis 0."
    if close(found, (dy * x).mean(axis=0)):
        return "All rows felt the scale, so they are added; a mean makes it too small."
    return None if close(found, (dy * x).sum(axis=0)) else "The gradient of the scale is not right."


@claim(30, "of the shift")
def of_shift(ask, draw):
    x, scale, dy = drawn(draw)
    found = ask(asked, x, scale, dy)[2]
    if close(found, np.full(4, 4.0)):
        return "The gradient that comes in is summed, and not ones."
    return None if close(found, dy.sum(axis=0)) else "The gradient of the shift is not right."
