"""A gradient of a gradient: g is dy/dx, and differentiated once more."""

import paddle

x = paddle.to_tensor(2.0, stop_gradient=False)
y = x**3
(g,) = paddle.grad(y, x, create_graph=True)
g.backward()
