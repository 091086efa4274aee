"""Grader of task2_carry.py: how network was called, and the numbers."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Four things: a Program with `data` and `create_parameter`, a call of `network`, `append_backward`, and a run.",
    "`default_initializer=paddle.nn.initializer.Assign(w)` gives `w` its numbers when the startup Program is run.",
    "First run the startup Program, then the main one; fetch the loss and the gradient of `w`, by name or Variable.",
)


def run(student, x, w):
    met = []

    def network(x, w):
        met.append([type(x).__name__, type(w).__name__])
        return paddle.mean(paddle.square(paddle.tanh(paddle.matmul(x, w))))

    try:
        loss, dw = student.by_program(network, x, w)
    finally:
        paddle.disable_static()
    return [np.asarray(loss), np.asarray(dw), met]


def right(x, w):
    t = np.tanh(x @ w)
    dz = 2 * t * (1 - t * t) / t.size
    return (t * t).mean(), x.T @ dz, dz @ w.T


def drawn(draw):
    return draw.normal(size=(3, 3)), draw.normal(size=(3, 3))


@claim(30, "network is called once, with Variables")
def written(ask, draw):
    *_, met = ask(run, *drawn(draw))
    if any("Tensor" in types for types in met):
        return "`network` was called with Tensors: that is eager mode, and no Program was written."
    if len(met) > 1:
        return "`network` was called more than once: a Program is written once."
    return None if met else "`network` was not called."


@claim(70, "the loss, and the gradient of w")
def numbers(ask, draw):
    x, w = drawn(draw)
    loss, dw, _ = ask(run, x, w)
    value, of_w, of_x = right(x, w)
    if not close(loss.ravel(), np.ravel(value), 1e-5):
        return "The loss is another number than `network` gives in eager mode."
    if close(dw, of_x, 1e-5):
        return "That is the gradient of `x`: ask for the one of `w`."
    if close(dw, of_w * value, 1e-5) or close(dw, w):
        return (
            "The second array is to be the gradient of `w`, which is called like `w`, with `@GRAD` behind it."
        )
    return None if close(dw, of_w, 1e-5) else "The gradient of `w` is not right."
