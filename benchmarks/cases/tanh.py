"""A PyLayer on a 2x3 float64 tensor, forward and backward: the example every PyLayer course starts with."""

import paddle
from paddle.autograd import PyLayer

from benchmarks import data


class CustomTanh(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - paddle.square(y))


def setup():
    x = paddle.to_tensor(data.small()[0], stop_gradient=False)

    def step():
        x.clear_grad()
        CustomTanh.apply(x).mean().backward()
        return x.grad

    return step
