# hint: The gradient of `v` lacks a factor 2: `v` stands twice in the formula.
from paddle.autograd import PyLayer


class Energy(PyLayer):
    @staticmethod
    def forward(ctx, m, v):
        ctx.save_for_backward(m, v)
        return m * v * v / 2

    @staticmethod
    def backward(ctx, dy):
        m, v = ctx.saved_tensor()
        return dy * v * v / 2, dy * m * v / 2
