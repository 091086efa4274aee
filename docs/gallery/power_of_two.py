"""Rounding to powers of two, with a gradient of one's own."""

import paddle
from paddle.autograd import PyLayer


class PowerOfTwo(PyLayer):
    """The nearest power of two; its gradient pretends that nothing was rounded."""

    @staticmethod
    def forward(ctx, 权重):
        ctx.save_for_backward(权重)
        return paddle.sign(权重) * 2 ** paddle.round(paddle.log2(paddle.abs(权重)))

    @staticmethod
    def backward(ctx, dy):
        (权重,) = ctx.saved_tensor()
        return dy * (paddle.abs(权重) < 4).astype(dy.dtype)


权重 = paddle.to_tensor([0.3, -1.4, 5.0], stop_gradient=False)
数据 = paddle.to_tensor([1.0, 2.0, 3.0])
误差 = (PowerOfTwo.apply(权重) * 数据 - 1.0).square().mean()
误差.backward()
