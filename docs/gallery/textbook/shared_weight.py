"""A weight that is used twice: the gradients of both uses are added."""

import paddle

x = paddle.to_tensor(0.5)
w = paddle.to_tensor(2.0, stop_gradient=False)
a = w * x
h = paddle.tanh(a)
b = w * h
y = paddle.tanh(b)
y.backward()
