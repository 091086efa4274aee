# hint: More than one array is kept: compute the rest again in `backward`.
import paddle.nn.functional as F
from paddle.autograd import PyLayer


class Swish(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x, F.sigmoid(x))
        return x * F.sigmoid(x)

    @staticmethod
    def backward(ctx, dy):
        x, s = ctx.saved_tensor()
        return dy * (s + x * s * (1 - s))
