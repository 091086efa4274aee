"""The third derivative of x * x * x: two earlier passes, and a frame for each."""

import paddle

x = paddle.to_tensor([2.0, 3.0], stop_gradient=False)
y = x * x * x
(first,) = paddle.grad(y.sum(), x, create_graph=True)
(second,) = paddle.grad(first.sum(), x, create_graph=True)
second.sum().backward()
