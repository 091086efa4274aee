"""A convolution, its bias and the rectifier."""

import paddle

F = paddle.nn.functional
x = paddle.sin(paddle.arange(16.0)).reshape([1, 1, 4, 4])
x.stop_gradient = False
w = paddle.to_tensor([[[[1.0, 0.0], [0.0, -1.0]]]], stop_gradient=False)
a = F.conv2d(x, w)
y = F.relu(a)
L = y.sum()
L.backward()
