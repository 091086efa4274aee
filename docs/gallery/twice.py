"""A gradient of a gradient: the second pass goes through the rules of the first."""

import paddle

x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
y = paddle.tanh(x) * x
(slope,) = paddle.grad(y.sum(), [x], create_graph=True)
penalty = slope.square().sum()
penalty.backward()
