"""Two values meet, one of them made of x twice: three paths from the loss to x."""

import paddle

x = paddle.to_tensor(2.0, stop_gradient=False)
a = x * x
b = paddle.sin(x)
L = a * b
L.backward()
