"""Softmax and cross entropy, step by step."""

import paddle

z = paddle.to_tensor([[2.0, 1.0, 0.1]], stop_gradient=False)
t = paddle.to_tensor([[1.0, 0.0, 0.0]])
p = paddle.nn.functional.softmax(z)
q = paddle.log(p)
c = t * q
s = c.sum()
L = -s
L.backward()
