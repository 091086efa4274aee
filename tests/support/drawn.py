"""The script that the tests of `graph` draw."""

SCRIPT = """
    import paddle
    from paddle.autograd import PyLayer

    class Double(PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, dy):
            return dy * 2

    权重 = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    loss = Double.apply(权重).sum()
    loss.backward()
    print("the script speaks")
"""
