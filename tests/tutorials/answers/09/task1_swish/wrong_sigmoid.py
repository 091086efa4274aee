# hint: `forward` gives the sigmoid: `x` times it is asked for.
import paddle.nn.functional as F
from paddle.autograd import PyLayer


class Swish(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return F.sigmoid(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        s = F.sigmoid(x)
        return dy * (s + x * s * (1 - s))
