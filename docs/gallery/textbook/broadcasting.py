"""A row is added to each row of a matrix: its gradient is the sum over the rows."""

import paddle

X = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], stop_gradient=False)
b = paddle.to_tensor([0.5, -0.5], stop_gradient=False)
Y = X + b
L = Y.sum()
L.backward()
