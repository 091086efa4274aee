import paddle
from paddle.autograd import PyLayer


class Sign(PyLayer):
    """The sign of z, with a gradient to learn from: it passes where |z| <= 1."""

    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return paddle.sign(z)

    @staticmethod
    def backward(ctx, dy):
        (z,) = ctx.saved_tensor()
        return dy * (paddle.abs(z) <= 1).astype(dy.dtype)


x = paddle.to_tensor([[0.5, -2.0], [1.5, 0.25]])
w = paddle.to_tensor([[0.5], [1.0]], stop_gradient=False)
s = Sign.apply(x @ w)
loss = ((s - 0.5) ** 2).mean()
loss.backward()
print(w.grad.numpy().ravel())
