"""Grader of task1_newton.py: parabolas, and a curve that is none."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "You need two derivatives. What does `paddle.grad` need, so that its answer can be differentiated in turn?",
    "`paddle.grad(y.sum(), t, create_graph=True)` gives the slope; once more, of its sum, gives the curvature.",
    "Differentiate twice, the first time so that the slope stays on the tape; the quotient of the two is the step.",
)


def parabola(student, bottom, width, x):
    bottom, width = paddle.to_tensor(bottom), paddle.to_tensor(width)
    return student.newton(lambda x: width * (x - bottom) ** 2 + 5.0, x)


def other(student, x):
    return student.newton(lambda x: x**4 + paddle.exp(x), x)


@claim(60, "the bottom of a parabola, in one step")
def parabolas(ask, draw):
    bottom, width, x = draw.normal(size=4), draw.uniform(1, 3, 4), 5 + draw.normal(size=4)
    given = ask(parabola, bottom, width, x)
    slope = 2 * width * (x - bottom)
    if close(given, x - slope):
        return "The step is the slope, divided by the curvature."
    if close(given, x + slope / (2 * width)):
        return "The step goes down: it is taken away from `x`."
    if close(given, x - (width * (x - bottom) ** 2 + 5) / slope):
        return "That step leads to where the function is zero; the minimum is where its slope is."
    if close(given, slope / (2 * width)):
        return "That is the step alone: take it away from `x`."
    return None if close(given, bottom) else "A parabola's bottom is not reached in one step."


@claim(40, "a step on another curve")
def curves(ask, draw):
    x = draw.uniform(0.5, 1.5, 5)
    right = x - (4 * x**3 + np.exp(x)) / (12 * x**2 + np.exp(x))
    return None if close(ask(other, x), right) else "On a curve that is no parabola the step is another."
