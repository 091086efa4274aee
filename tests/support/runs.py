"""Recordings to step through: a script as a function, and Programs."""

import numpy as np

from minipaddle import paddle
from tests.support.recordings import recorded_run

__all__ = ["Squash", "recorded_program", "train"]


class Squash(paddle.autograd.PyLayer):
    """A PyLayer of two lines each way."""

    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        slope = 1 - paddle.square(y)
        grad = dy * slope
        return (grad,)


def train():
    """A script with everything that has a body: a PyLayer, a hook, a second pass."""
    w = paddle.to_tensor([[0.5, -0.3], [0.2, 0.8]], stop_gradient=False)
    b = paddle.to_tensor([0.1, -0.1], stop_gradient=False)
    x = paddle.to_tensor([[1.0, 2.0], [3.0, -4.0], [0.5, 0.25]])
    h = x @ w + b
    h.register_hook(lambda grad: grad * 2)
    z = Squash.apply(h)
    loss = (z * z).mean()
    loss.backward()
    again = paddle.nn.functional.relu(x @ w).sum()
    again.backward()


def recorded_program(build):
    """Build and run a Program on x = [0.5, 1, 2]; return the recording."""

    def built():
        x = paddle.static.data("x", [3])
        x.stop_gradient = False
        return build(x)

    return recorded_run(built, {"x": np.array([0.5, 1, 2], "f4")})[0]
