# hint: `x` stands twice in the formula: the sigmoid moves, too.
import paddle.nn.functional as F
from paddle.autograd import PyLayer


class Swish(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * F.sigmoid(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        s = F.sigmoid(x)
        return dy * s
