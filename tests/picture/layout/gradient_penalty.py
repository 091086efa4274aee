"""A gradient's norm in the loss."""

import paddle
from paddle import nn

paddle.seed(3)

net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
x = paddle.to_tensor([[0.5, -1.0]], stop_gradient=False)
y = net(x)
(g,) = paddle.grad(y.sum(), x, create_graph=True)
(y.mean() + ((g * g).sum() - 1.0) ** 2).backward()
