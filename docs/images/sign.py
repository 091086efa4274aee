import paddle
from paddle.autograd import PyLayer


class Sign(PyLayer):
    """The sign of x, with a gradient to learn from: it passes where |x| <= 1."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return paddle.sign(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * (paddle.abs(x) <= 1).astype(dy.dtype)


x = paddle.to_tensor([[0.5, -2.0], [1.5, 0.25]])
w = paddle.to_tensor([[0.5], [1.0]], stop_gradient=False)
loss = ((Sign.apply(x @ w) - 0.5) ** 2).mean()
loss.backward()
print(w.grad.numpy().ravel())
