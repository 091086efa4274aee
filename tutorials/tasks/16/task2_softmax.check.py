"""Grader of task2_softmax.py: rows of drawn numbers, and one row of 100,000."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Write the sum for one element: `dx[i]` is the sum over j of `dy[j]` times the slope of `y[j]` for `x[i]`.",
    "`dx[i] = y[i] * dy[i] - y[i] * s`, where `s` is the sum of `y[j] * dy[j]` over the row.",
    "The sum over the row is one number for each row: keep its axis, take it away from `dy`, and multiply by `y`.",
)


def asked(student, y, dy):
    return student.home(y, dy)


def wide(student, seed):
    """Return a few numbers of an answer that would need 80 GB with a table."""
    y = np.random.default_rng(seed).uniform(size=(1, 100_000))
    dy = np.random.default_rng(seed + 1).normal(size=(1, 100_000))
    try:
        return student.home(y / y.sum(), dy)[0, :3]
    except MemoryError:
        return "too large"


def drawn(draw):
    y = np.exp(draw.normal(size=(3, 4)))
    return y / y.sum(axis=1, keepdims=True), draw.normal(size=(3, 4))


def rule(y, dy):
    return y * (dy - (y * dy).sum(axis=1, keepdims=True))


@claim(60, "the gradient")
def gradient(ask, draw):
    y, dy = drawn(draw)
    dx = ask(asked, y, dy)
    if ask.ran(asked, y, dy):
        return "In NumPy: here operators of Paddle ran."
    if close(dx, y * dy):
        return "Each result depends on all numbers of the row: the part with `-y[i] * y[j]` is missing."
    if close(dx, y * (1 - y) * dy):
        return "That is the diagonal alone: each result depends on all numbers of its row."
    if close(dx, y * (dy - (y * dy).sum())):
        return "The rows have nothing to do with each other: sum within each row."
    if close(dx, dy - (y * dy).sum(axis=1, keepdims=True)):
        return "The factor `y` is missing."
    if close(dx, y * (dy + (y * dy).sum(axis=1, keepdims=True))):
        return "`-y[i] * y[j]` has a minus."
    return None if close(dx, rule(y, dy)) else "The gradient is not right."


@claim(40, "without a table")
def no_table(ask, draw):
    seed = int(draw.integers(1000))
    y = np.random.default_rng(seed).uniform(size=(1, 100_000))
    dy = np.random.default_rng(seed + 1).normal(size=(1, 100_000))
    right = rule(y / y.sum(), dy)[0, :3]
    found = ask(wide, seed)
    if isinstance(found, str):
        return "A table of d by d is too large for memory: the sum over the row does without it."
    return None if close(1e5 * found, 1e5 * right) else "A wide row comes out wrong."
