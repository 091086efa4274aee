"""Grader of task1_missing.py: four leaves of one loss, and a gradient whose sum is zero."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim

HINTS = (
    "Three things can be asked of a leaf: `stop_gradient`, whether `.grad` is `None`, and its numbers.",
    'First `stop_gradient`: `True` is "not wanted". Then `.grad is None`: that is "not reached".',
    "At the end only the numbers decide: is any of them not zero? A sum does not tell.",
)


def states(student, numbers, mask):
    """Return what it says of: data, what argmax made a place of, what relu closed, and what is partly closed."""
    data, lost, closed, partly = (
        paddle.to_tensor(array) for array in (numbers, numbers, -np.abs(numbers), numbers * mask)
    )
    lost.stop_gradient = closed.stop_gradient = partly.stop_gradient = False
    place = lost.argmax()
    relu = paddle.nn.functional.relu
    (data[place] + relu(closed).sum() + relu(partly).sum() / 1000).backward()
    return [student.state(leaf) for leaf in (data, lost, closed, partly)]


def opposite(student, numbers):
    """A gradient whose elements add up to zero."""
    w = paddle.to_tensor(numbers, stop_gradient=False)
    (w[0] - w[1]).backward()
    return student.state(w)


def drawn(draw):
    return draw.uniform(1, 2, 4), np.array([-1.0, 1.0, 1.0, -1.0])


@claim(30, "what was not wanted, and what was not reached")
def without(ask, draw):
    data, lost, _, _ = ask(states, *drawn(draw))
    if data == "not reached":
        return "No gradient of data was wanted: ask `stop_gradient` first."
    if lost == "not wanted":
        return "A gradient of this one was wanted, and did not arrive: `.grad` is `None` for two reasons."
    return (
        None if (data, lost) == ("not wanted", "not reached") else "A leaf without `.grad` is not told right."
    )


@claim(40, "what is zero")
def closed(ask, draw):
    _, _, closed, _ = ask(states, *drawn(draw))
    if closed == "there":
        return "A gradient of zeros is an array like any other: look at its numbers."
    return None if closed == "zero" else "A gradient of zeros is not told right."


@claim(30, "what is there")
def partly(ask, draw):
    *_, partly = ask(states, *drawn(draw))
    if partly == "zero":
        return "Some elements are zero, and not all of them: the gradient is there."
    if partly == "there" and ask(opposite, draw.normal(size=3)) == "zero":
        return "1 and -1 add up to zero, and neither is: look at each element."
    return None if partly == "there" else "A gradient that is not zero is not told right."
