# hint: `forward` forgets the half: the energy is `m * v * v / 2`.
from paddle.autograd import PyLayer


class Energy(PyLayer):
    @staticmethod
    def forward(ctx, m, v):
        ctx.save_for_backward(m, v)
        return m * v * v

    @staticmethod
    def backward(ctx, dy):
        m, v = ctx.saved_tensor()
        return dy * v * v, 2 * dy * m * v
