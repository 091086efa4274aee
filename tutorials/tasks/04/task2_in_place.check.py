"""Grader of task2_in_place.py: value, gradient, and that w stays as it is."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "A method whose name ends in `_` writes over its tensor. What does the same without the `_` give?",
    "`y * 2.0` is a new value; the one that `tanh` has kept stays as it is.",
    "Write each step as an expression that makes a new tensor, in the same order: first the double, then the sum.",
)


def run(student, numbers):
    w = paddle.to_tensor(numbers, stop_gradient=False)
    loss = student.loss_of(w)
    if not loss.stop_gradient:
        loss.backward()
    return loss.numpy(), None if w.grad is None else w.grad.numpy(), w.numpy()


@claim(40, "the same number as before")
def same_number(ask, draw):
    w = draw.normal(size=5)
    loss, _, after = ask(run, w)
    t = np.tanh(w)
    if not close(after, w):
        return "`w` was written over: make a new value instead."
    if close(loss, ((2 * t) ** 2).sum()):
        return "`w` is no longer added: `add_` did that."
    if close(loss, ((np.tanh(2 * w) + w) ** 2).sum()):
        return "It is the result of `tanh` that is doubled, and not its operand."
    if close(loss, ((2 * t + w) ** 2).mean()):
        return "The loss is the sum of the squares, and not their mean."
    return None if close(loss, ((2 * t + w) ** 2).sum()) else "The loss is another number than before."


@claim(60, "and it has a gradient")
def gradient(ask, draw):
    w = draw.normal(size=5)
    _, grad, _ = ask(run, w)
    t = np.tanh(w)
    if grad is None:
        return "No gradient arrives at `w`: the tape was not written."
    if close(grad, 2 * (2 * t + w)):
        return "`tanh` is cut off from the tape: no gradient goes through it."
    return None if close(grad, 2 * (2 * t + w) * (2 * (1 - t * t) + 1)) else "The gradient of `w` is wrong."
