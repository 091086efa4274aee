"""A PyLayer that calls another one, in both directions."""

import paddle
from paddle.autograd import PyLayer


class Inner(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * y


class Outer(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return Inner.apply(x) * 2.0

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return Inner.apply(x) * dy * 2.0


x = paddle.to_tensor([0.1, 0.2], stop_gradient=False)
Outer.apply(x).sum().backward()
