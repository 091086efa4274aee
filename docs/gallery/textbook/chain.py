"""The chain rule on the product of two functions."""

import paddle

x = paddle.to_tensor(2.0, stop_gradient=False)
u = x**2
v = paddle.sin(x)
L = u * v
L.backward()
