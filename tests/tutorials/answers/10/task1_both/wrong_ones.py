# hint: The gradient that comes in is to be passed on, and not ones.
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
    return paddle.static.nn.static_pylayer(lambda x: paddle.clip(x, -1.0, 1.0), [x], paddle.ones_like)
