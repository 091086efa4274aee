"""Scripts on which several commands are tried."""

__all__ = ["CUBE", "SQUASH"]

SQUASH = """
    import paddle
    from paddle.autograd import PyLayer

    class Squash(PyLayer):
        @staticmethod
        def forward(ctx, x):
            y = paddle.tanh(x)
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, dy):
            y, = ctx.saved_tensor()
            grad = dy * (1 - paddle.square(y))
            return grad

    W = paddle.to_tensor([[0.5, -0.25], [0.25, 1.0]], stop_gradient=False)
    x = paddle.to_tensor([[1.0, 2.0]])
    print("hello from the script")
    h = x @ W
    z = Squash.apply(h)
    loss = z.sum()
    loss.backward()
"""
"""A PyLayer that is right, in a run that speaks."""

CUBE = """
    import paddle
    from paddle.autograd import PyLayer

    class Cube(PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx, dy):
            x, = ctx.saved_tensor()
            return dy * 3 * x

    x = paddle.to_tensor([1.0, 2.0, -1.5], stop_gradient=False)
    Cube.apply(x).sum().backward()
"""
"""A PyLayer whose backward forgets a factor."""
