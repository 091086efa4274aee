"""Recordings of small scripts, made in this process."""

import pytest

import minipaddle as paddle
from minipaddle.core.watching import watching
from minipaddle.debug import Session
from minipaddle.trace import Recorder


@pytest.fixture
def record():
    """`record(function, max_mb=256)` runs a function under a recorder and returns the trace."""

    def run(function, **options):
        recorder = Recorder(__file__, **options)
        with watching(recorder):
            function()
        return recorder.finish()

    return run


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


@pytest.fixture
def session(record):
    """A session at the beginning of `train`."""
    return Session(record(train))
