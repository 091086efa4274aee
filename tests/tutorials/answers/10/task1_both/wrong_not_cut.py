# hint: Nothing is cut off: the value is `paddle.clip(x, -1.0, 1.0)`.
import paddle
from paddle.autograd import PyLayer


class Clip(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return paddle.clip(x, -1.0, 1.0)

    @staticmethod
    def backward(ctx, dy):
        return dy * 1.0


def clipped(x):
    if paddle.in_dynamic_mode():
        return Clip.apply(x)
    return paddle.static.nn.static_pylayer(paddle.assign, [x], lambda dy: dy * 1.0)
