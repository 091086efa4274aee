"""Two layers and an optimizer."""

import paddle
from paddle import nn

paddle.seed(3)

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())
loss = nn.functional.cross_entropy(net(paddle.ones([2, 4])), paddle.to_tensor([0, 2]))
loss.backward()
optimizer.step()
