"""A gradient of a gradient: the second pass goes through the rules that the first one read."""

import paddle

x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
y = paddle.tanh(x)
(g,) = paddle.grad(y.sum(), x, create_graph=True)
penalty = (g * g).sum()
penalty.backward()
