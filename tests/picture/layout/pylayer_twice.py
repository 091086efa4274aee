"""A PyLayer whose backward is differentiated in its turn."""

import paddle
from paddle.autograd import PyLayer


class Cube(PyLayer):
    """x * x * x, with a backward of operators."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * 3 * x * x


x = paddle.to_tensor([2.0, 3.0], stop_gradient=False)
y = Cube.apply(paddle.sin(x))
(slope,) = paddle.grad(y.sum(), x, create_graph=True)
(slope * slope).sum().backward()
