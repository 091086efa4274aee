"""A backward that raises."""

import paddle
from paddle.autograd import PyLayer


class Broken(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2.0

    @staticmethod
    def backward(ctx, dy):
        raise RuntimeError(
            "a message that is long enough to be broken into several lines of the node that shows it"
        )


x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
(Broken.apply(paddle.exp(x)) * x).sum().backward()
