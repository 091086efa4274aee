"""Grader of task1_parts_of_a_batch.py: three parts of different sizes, with and without an old gradient."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "`backward` adds to `w.grad`. What has to happen before the first part, and what must not happen between two?",
    "A loss is the mean over its part. Multiply it by the share of the rows that the part has.",
    "The factor of a part is its rows over all rows; then what `backward` adds up is the mean over all.",
)


def run(student, w, parts, before):
    """Return the gradient, and how many rows each backward pass saw."""
    passes = []

    def loss_of(w, part):
        passes.append(len(part))
        return ((part @ w) ** 2).mean()

    w = paddle.to_tensor(w, stop_gradient=False)
    if before:
        (w * 7.0).sum().backward()
    return student.gradient(loss_of, w, [paddle.to_tensor(part) for part in parts]).numpy(), passes


def drawn(draw):
    w = draw.normal(size=3)
    parts = [draw.normal(size=(rows, 3)) for rows in (5, 2, 9)]
    return w, parts, [2 * part.T @ (part @ w) / len(part) for part in parts]


@claim(60, "the gradient of the mean over all rows")
def mean(ask, draw):
    w, parts, each = drawn(draw)
    given, passes = ask(run, w, parts, False)
    if {*passes} != {5, 2, 9}:
        return "Every part has one loss, in turn: the whole batch does not fit into the memory."
    if close(given, sum(each)):
        return "The gradients are added as they are: the mean over all rows is smaller."
    if close(given, sum(each) / 3):
        return "A part of two rows counts as much as one of nine: weigh each part by its rows."
    if close(given, each[-1] * 9 / 16) or close(given, each[-1]):
        return "Only the last part is left: nothing may be cleared between the parts."
    right = sum(len(part) * one for part, one in zip(parts, each)) / 16
    return None if close(given, right) else "That is not the gradient of the mean over all rows."


@claim(40, "what stood in w.grad before does not count")
def before(ask, draw):
    w, parts, each = drawn(draw)
    right = sum(len(part) * one for part, one in zip(parts, each)) / 16
    given, _ = ask(run, w, parts, True)
    return None if close(given, right) else "What stood in `w.grad` before is still in it: clear it first."
