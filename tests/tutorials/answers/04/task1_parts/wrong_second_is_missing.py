# hint: The second result is used as well: its gradient is missing.
import paddle.nn.functional as F
from paddle.autograd import PyLayer


class Parts(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.set_materialize_grads(False)
        return F.relu(x), F.relu(-x)

    @staticmethod
    def backward(ctx, d_above, d_below):
        (x,) = ctx.saved_tensor()
        dx = x * 0.0
        if d_above is not None:
            dx = dx + d_above * (x > 0).astype(x.dtype)
        if d_below is not None:
            pass
        return dx
