"""Convolution, pooling, a linear layer."""

import paddle
from paddle import nn

paddle.seed(3)

net = nn.Sequential(
    nn.Conv2D(1, 4, 3), nn.BatchNorm2D(4), nn.ReLU(), nn.MaxPool2D(2), nn.Flatten(), nn.Linear(36, 2)
)
net(paddle.rand([2, 1, 8, 8])).mean().backward()
