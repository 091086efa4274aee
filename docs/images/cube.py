import paddle
from paddle.autograd import PyLayer


class Cube(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * 3 * x


x = paddle.to_tensor([1.0, 2.0, -1.5], stop_gradient=False)
y = Cube.apply(x)
y.mean().backward()
