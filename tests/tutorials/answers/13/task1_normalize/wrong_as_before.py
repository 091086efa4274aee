# hint: That is the rule that was wrong: the part along `y` is missing.
import paddle
from paddle.autograd import PyLayer


class Normalize(PyLayer):
    @staticmethod
    def forward(ctx, x):
        length = paddle.sqrt((x * x).sum())
        y = x / length
        ctx.save_for_backward(y, length)
        return y

    @staticmethod
    def backward(ctx, dy):
        _y, length = ctx.saved_tensor()
        return dy / length
