"""Grader of task2_log_sum_exp.py: ordinary and large numbers, and the gradient."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "`exp(x)` is `exp(m) * exp(x - m)` for any `m`, and a factor under a logarithm may be taken out as a sum.",
    "`largest = x.max(axis=1, keepdim=True)`; no exponent of `x - largest` is above 0, so nothing overflows.",
    "Take the largest away under the `exp`, sum, take the logarithm, and add the largest in the shape of the rows.",
)


def run(student, x, dy):
    t = paddle.to_tensor(x, stop_gradient=False)
    y = student.log_sum_exp(t)
    (y * paddle.to_tensor(dy)).sum().backward()
    return y.numpy(), t.grad.numpy()


def right(x):
    return np.logaddexp.reduce(x, axis=1)


@claim(30, "ordinary numbers")
def ordinary(ask, draw):
    x, dy = draw.normal(size=(5, 4)), draw.uniform(1, 2, 5)
    y, _ = ask(run, x, dy)
    if y.shape != (5,):
        return "One number for each row is asked for, so the shape is [n]."
    if close(y, right(x) - x.max(axis=1)):
        return "The largest number was taken away; it has to be added again."
    if close(y, np.exp(right(x))):
        return "The logarithm is missing."
    return None if close(y, right(x)) else "Those are not the logarithms of the sums."


@claim(40, "large numbers, and rows that are far apart")
def large(ask, draw):
    x, dy = draw.normal(size=(4, 3)), draw.uniform(1, 2, 4)
    y, _ = ask(run, x + 1000, dy)
    if not np.isfinite(y).all():
        return "It overflows: take the largest number of the row away first."
    x += np.array([[1000.0], [0.0], [-1000.0], [500.0]])
    y, _ = ask(run, x, dy)
    if not np.isfinite(y).all():
        return "Each row has a largest number of its own: `axis=1`, `keepdim=True`."
    return None if close(y, right(x)) else "For large numbers it is wrong."


@claim(30, "the gradient: the softmax of each row")
def gradient(ask, draw):
    x, dy = draw.normal(size=(5, 4)) + 800, draw.uniform(1, 2, 5)
    _, dx = ask(run, x, dy)
    share = np.exp(x - right(x)[:, None])
    if close(dx, dy[:, None] * (x == x.max(axis=1, keepdims=True))):
        return "Only the largest number gets a gradient: the sum of exponentials was cut off from the tape."
    return None if close(dx, dy[:, None] * share) else "The gradient is not the softmax of the row."
