"""Grader of task2_clip.py: three arrays of different shapes, too long and short enough."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "First one number: the root of the sum of all squares, over all arrays.",
    "The factor is `limit / length`, and 1 if that is more than 1.",
    "One factor for all arrays: `limit` over the whole length, and never more than 1.",
)


def asked(student, grads, limit):
    return list(student.clipped(grads, limit))


def drawn(draw):
    return [draw.uniform(1, 2, 3), -draw.uniform(2, 3, (2, 2)), draw.uniform(0.1, 0.2, 1)]


def alike(given, right):
    return len(given) == len(right) and all(close(one, other) for one, other in zip(given, right))


@claim(60, "gradients that are too large")
def large(ask, draw):
    grads, limit = drawn(draw), float(draw.uniform(0.8, 1.2))
    length = np.sqrt(sum((one**2).sum() for one in grads))
    given = ask(asked, grads, limit)
    if ask.ran(asked, grads, limit):
        return "In NumPy: here operators of Paddle ran."
    if alike(given, [one * min(1, limit / np.sqrt((one**2).sum())) for one in grads]):
        return "Each array was made shorter by itself: then they no longer point where they pointed together."
    if alike(given, [np.clip(one, -limit, limit) for one in grads]):
        return "Numbers were cut off one by one, which turns the direction: one factor for all is asked for."
    if alike(given, [one / length for one in grads]):
        return "Now the length is 1, and not `limit`."
    if alike(given, [one * limit / length**2 for one in grads]):
        return "The length is the root of the sum of squares."
    return None if alike(given, [one * limit / length for one in grads]) else "The length is not `limit`."


@claim(40, "gradients that are not")
def small(ask, draw):
    grads = drawn(draw)
    given = ask(asked, grads, 100.0)
    return None if alike(given, grads) else "Gradients that are short enough have to stay as they are."
