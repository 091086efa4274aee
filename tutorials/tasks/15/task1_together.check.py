"""Grader of task1_together.py: pairs of drawn shapes, beside NumPy's answer."""

import numpy as np

from minipaddle.tools.course.claims import claim, uses

HINTS = (
    "Make both lists equally long first: put ones in front of the shorter one.",
    "Then look at pairs of sizes: equal, or one of them 1, else the answer is `None`.",
    "With both of one length look at pairs: of two sizes that fit, the one that is not 1 is the result's.",
)


def asked(student, one, other):
    return student.together(list(one), list(other))


def wrong_at(ask, pairs):
    """Return the first pair whose answer is wrong, or None."""
    for one, other in pairs:
        try:
            right = list(np.broadcast_shapes(tuple(one), tuple(other)))
        except ValueError:
            right = None
        if ask(asked, one, other) != right:
            return one, other
    return None


def sizes(draw, count):
    return draw.choice(np.arange(3, 10), count, replace=False).tolist()


@claim(30, "shapes of the same length")
def same_length(ask, draw):
    a, b, c = sizes(draw, 3)
    if uses(ask, "numpy", "paddle"):
        return "By hand: without Paddle, and without NumPy."
    if wrong_at(ask, [([a, b], [a, b])]):
        return "Two equal shapes give that shape."
    if wrong_at(ask, [([a, 1], [1, b]), ([1, b, c], [a, 1, c]), ([1, b], [1, b])]):
        return "An axis of size 1 takes the size of the other, in either of the two."
    return None


@claim(30, "shapes of different lengths")
def different_lengths(ask, draw):
    a, b, c = sizes(draw, 3)
    if wrong_at(ask, [([a, b], [b]), ([c], [a, b, c])]):
        return "Shapes meet at their right ends: the shorter one has no first axes."
    return "An axis that is not there counts as 1." if wrong_at(ask, [([], [a]), ([a, 1], [b])]) else None


@claim(40, "shapes that do not fit")
def no_fit(ask, draw):
    a, b, c = draw.permutation([3, 5, 7]).tolist()  # none goes into another
    if wrong_at(ask, [([a], [a])]):
        return "Two equal shapes give that shape."
    if wrong_at(ask, [([a], [b]), ([a, b], [a, c])]):
        return "Two sizes that differ, neither of them 1, do not fit: the answer is `None`."
    if wrong_at(ask, [([2 * a], [a])]):
        return "A size that goes twice into the other does not fit: only 1 is repeated."
    return "A shape that fits at its left end only does not fit." if wrong_at(ask, [([a, b], [a])]) else None
