# hint: `forward` does not give `x * sigmoid(x)`.
import paddle.nn.functional as F
from paddle.autograd import PyLayer


class Swish(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 0.0 + 0.731

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        s = F.sigmoid(x)
        return dy * (s + x * s * (1 - s))
