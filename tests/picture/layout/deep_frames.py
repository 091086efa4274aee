"""Layers in layers in layers."""

import paddle
from paddle import nn

paddle.seed(3)


class Around(nn.Layer):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)


net = nn.Linear(2, 2)
for _ in range(12):
    net = Around(net)
net(paddle.ones([1, 2])).sum().backward()
