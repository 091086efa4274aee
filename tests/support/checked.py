"""Layers of two functions, recorded to be checked, and what `check` says of them."""

import numpy as np

from minipaddle import paddle
from minipaddle.tools.checks.gradient.check import check_trace

F = paddle.nn.functional


def layer(forward, backward):
    """A PyLayer from two functions of what forward was given and what came in."""

    class Planted(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, *inputs):
            out = forward(*inputs)
            ctx.save_for_backward(*inputs, out)
            return out

        @staticmethod
        def backward(ctx, dy):
            *inputs, out = ctx.saved_tensor()
            return backward(dy, *inputs, out)

    return Planted


A = np.array([[0.7, 1.3], [2.1, 0.4]], "float32")
B = np.array([[1.1, 0.6], [0.9, 1.7]], "float32")
V = np.array([1.5, 0.8], "float32")


def recording(record, cls, arrays):
    def script():
        tensors = [paddle.to_tensor(array, stop_gradient=False) for array in arrays]
        out = cls.apply(*tensors)
        weights = paddle.to_tensor(np.linspace(0.5, 1.5, out.size).reshape(out.shape).astype("float32"))
        (out * weights).sum().backward()

    return record(script)


def verdicts(trace, title="Planted"):
    return [one for one in check_trace(trace) if one.event.title == title]


RIGHT = {
    "square": (lambda x: x * x, lambda dy, x, y: 2 * dy * x, [A]),
    "tanh": (paddle.tanh, lambda dy, x, y: dy * (1 - y * y), [A]),
    "matmul": (
        lambda x, y: paddle.matmul(x, y),
        lambda dy, x, y, z: (paddle.matmul(dy, y, transpose_y=True), paddle.matmul(x, dy, transpose_x=True)),
        [A, B],
    ),
    "bias": (lambda x, v: x + v, lambda dy, x, v, z: (dy, paddle.sum(dy, axis=0)), [A, V]),
    "relu": (F.relu, lambda dy, x, y: dy * (y > 0).astype("float32"), [A - 1]),
    "numpy": (
        lambda x: paddle.to_tensor(np.exp(x.numpy())),
        lambda dy, x, y: dy * paddle.to_tensor(np.exp(x.numpy())),
        [A],
    ),
}


def only(trace, title="Planted"):
    (found,) = verdicts(trace, title)
    return found
