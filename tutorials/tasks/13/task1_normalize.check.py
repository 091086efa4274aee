"""Grader of task1_normalize.py: drawn vectors and gradients, and a gradient along x."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "`dy` has a part along `y` and a part across it. Which of the two turns the direction of `x`?",
    "The part along `y` is `y * (y * dy).sum()`: take it away, and divide the rest by the length.",
    "Only what is across `y` turns the vector: take the part along `y` away, and divide by the length.",
)


def gradient(student, x, dy):
    t = paddle.to_tensor(x, stop_gradient=False)
    student.Normalize.apply(t).backward(paddle.to_tensor(dy))
    return t.grad.numpy()


def rule(x, dy):
    length = np.sqrt((x * x).sum())
    y = x / length
    return y, length, (dy - y * (y * dy).sum()) / length


@claim(60, "the gradient of x")
def of_x(ask, draw):
    x, dy = 3 * draw.normal(size=5), draw.normal(size=5)
    y, length, right = rule(x, dy)
    dx = ask(gradient, x, dy)
    if "Normalize_grad" not in ask.ran(gradient, x, dy):
        return "`Normalize` has to be a PyLayer whose own `backward` runs; here the tape differentiates the formula."
    if close(dx, ask(gradient, x, -dy)):
        return "The gradient is the same, whatever comes in."
    if close(dx, dy / length):
        return "That is the rule that was wrong: the part along `y` is missing."
    if close(dx, right * length):
        return "It is not divided by the length."
    if close(dx, (dy - y * y * dy) / length):
        return "`y y.T` times `dy` is `y` times the sum of `y * dy`: each element moves all."
    if close(dx, (dy + y * (y * dy).sum()) / length):
        return "The part along `y` is taken away, and not added."
    if close(dx, (dy - (y * dy).sum()) / length):
        return "What is taken away points along `y`: multiply the sum by `y`."
    return None if close(dx, right) else "The gradient of `x` is wrong."


@claim(40, "to go along x changes nothing")
def along(ask, draw):
    x = 2 * draw.normal(size=4)
    dx = ask(gradient, x, x)
    return (
        None if close(dx, 0 * x) else "A longer `x` has the same direction: along `x` the gradient is zero."
    )
