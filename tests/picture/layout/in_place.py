"""Written over, through a view too."""

import paddle

x = paddle.to_tensor([1.0, 2.0, 3.0, 4.0], stop_gradient=False)
y = x * 2.0
y[0] = 5.0
y.tanh_()
v = y.reshape([2, 2])
v.add_(paddle.ones([2, 2]))
(v * v).sum().backward()
