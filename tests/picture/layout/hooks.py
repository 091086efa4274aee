"""Hooks of a leaf and in the middle."""

import paddle

x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
y = x * x
y.register_hook(lambda grad: grad * 0.5)
x.register_hook(lambda grad: None)
z = paddle.exp(y) + y
z.sum().backward()
