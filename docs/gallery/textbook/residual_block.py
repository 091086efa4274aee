"""A residual block: the gradient has a way around the weights."""

import paddle

x = paddle.to_tensor([[1.0, -0.5]], stop_gradient=False)
W = paddle.to_tensor([[0.5, -1.0], [-0.5, 0.5]], stop_gradient=False)
V = paddle.to_tensor([[1.0, 0.0], [-0.5, 1.0]], stop_gradient=False)
a = x @ W
h = paddle.nn.functional.relu(a)
r = h @ V
y = x + r
L = y.sum()
L.backward()
