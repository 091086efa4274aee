# hint: That is the slope of `clip` itself: nothing comes back from what was cut off.
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
        return paddle.clip(x, -1.0, 1.0)
    return paddle.static.nn.static_pylayer(lambda x: paddle.clip(x, -1.0, 1.0), [x], lambda dy: dy * 1.0)
