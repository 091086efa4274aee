"""A PyLayer with three results, of which one is not used."""

import paddle
from paddle.autograd import PyLayer


class Three(PyLayer):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y, x + y, x - y

    @staticmethod
    def backward(ctx, a, b, c):
        x, y = ctx.saved_tensor()
        return a * y + b + c, a * x + b - c


x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
y = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
p, q, r = Three.apply(x, y)
(p * 2.0 + q).sum().backward()
