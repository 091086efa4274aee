"""Grader of task2_gentle.py: value and gradient for a cubic with two parameters."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Each result hangs on its own `x`, so the gradient of `y.sum()` is the slope at each place.",
    "`paddle.grad(y.sum(), t, create_graph=True)`, where `t` is `x` with `stop_gradient=False`.",
    "Two means of squares: one of the values, one of the slopes, and the second one has its weight.",
)


def run(student, w, x, weight):
    w = paddle.to_tensor(w, stop_gradient=False)
    loss = student.loss_of(lambda x: w[0] * x**3 + w[1] * x, paddle.to_tensor(x), weight)
    loss.backward()
    return loss.numpy(), w.grad.numpy()


def right(w, x, weight):
    """Return the loss of both terms, and the gradient of w of each."""
    curve, slope = w[0] * x**3 + w[1] * x, 3 * w[0] * x**2 + w[1]
    values = (curve**2).mean(), (slope**2).mean()
    of_curve = np.array([(2 * curve * x**3).mean(), (2 * curve * x).mean()])
    of_slope = np.array([(2 * slope * 3 * x**2).mean(), (2 * slope).mean()])
    return values[0] + weight * values[1], of_curve, weight * of_slope, values


def drawn(draw):
    return draw.uniform(1, 2, 2), draw.uniform(0.5, 1.5, 6), float(draw.uniform(0.2, 0.8))


@claim(50, "the loss")
def value(ask, draw):
    w, x, weight = drawn(draw)
    loss, _ = ask(run, w, x, weight)
    whole, *_, (first, second) = right(w, x, weight)
    slopes = 3 * w[0] * x**2 + w[1]
    if close(loss, first):
        return "The slopes are not counted."
    if close(loss, first + second):
        return "The slopes count `weight` times."
    if close(loss, first + weight * slopes.mean()):
        return "It is the squares of the slopes that count: a slope below zero is steep as well."
    if close(loss, first + weight * second * len(x)):
        return "The mean of the squared slopes is asked for, and not their sum."
    return None if close(loss, whole) else "The loss is another number."


@claim(50, "and its gradient, for the parameters of the curve")
def gradient(ask, draw):
    w, x, weight = drawn(draw)
    _, grad = ask(run, w, x, weight)
    _, of_curve, of_slope, _ = right(w, x, weight)
    if close(grad, of_curve):
        return "The slopes are off the tape: ask for them with `create_graph=True`."
    return None if close(grad, of_curve + of_slope) else "The gradient for the parameters is not right."
