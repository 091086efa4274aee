"""Grader of task1_norms.py: small rows, and a row of zeros."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Lesson 12 calls it the double where: the root must never see a zero.",
    "First `squares = (x * x).sum(axis=1)`. Where they are 0, give the root a 1, and take 0 for the result.",
    "Two times `paddle.where`, with the same condition: once in front of the root, once behind it.",
)


def run(student, x, dy):
    t = paddle.to_tensor(x, stop_gradient=False)
    y = student.norms(t)
    (y * paddle.to_tensor(dy)).sum().backward()
    return y.numpy(), None if t.grad is None else t.grad.numpy()


def drawn(draw):
    x = draw.normal(size=(4, 3))
    return x * draw.uniform(1e-4, 1e-3, (4, 1)), draw.uniform(1, 2, 4)


@claim(40, "lengths, and their gradients")
def lengths(ask, draw):
    x, dy = drawn(draw)
    y, dx = ask(run, x, dy)
    size = np.sqrt((x * x).sum(axis=1))
    if close(y, size**2, 1e-9):
        return "Those are the squares of the lengths: the root is missing."
    if close(y, np.abs(x).sum(axis=1), 1e-9):
        return "The length is the root of the sum of squares, and not a sum of sizes."
    if not close(1000 * y, 1000 * size):
        near = close(y, size, 1e-3)
        return (
            "The lengths of small rows are not exact." if near else "Those are not the lengths of the rows."
        )
    if dx is None or close(dx, 0 * x):
        return "No gradient comes back: the tape was left."
    return (
        None
        if close(dx, dy[:, None] * x / size[:, None])
        else "The gradient is not the row, divided by its length."
    )


@claim(60, "a row of zeros has gradient zero")
def zeros(ask, draw):
    x, dy = drawn(draw)
    x[1] = 0.0
    y, dx = ask(run, x, dy)
    if np.isnan(dx).any():
        return "A NaN comes back from the row of zeros: mask what goes into the root, too."
    size = np.where(np.arange(4) == 1, 1.0, np.sqrt((x * x).sum(axis=1)))
    if not close(y[1], 0.0, 1e-9):
        return "The length of a row of zeros is 0."
    return None if close(dx, dy[:, None] * x / size[:, None]) else "The other rows have lost their gradient."
