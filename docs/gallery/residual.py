"""Three residual blocks and one step of training."""

import paddle
from paddle import nn


class Block(nn.Layer):
    def __init__(self, size):
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.fc = nn.Linear(size, size)

    def forward(self, x):
        return x + nn.functional.relu(self.fc(self.norm(x)))


paddle.seed(1)
net = nn.Sequential(nn.Linear(4, 8), Block(8), Block(8), Block(8), nn.Linear(8, 1))
optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())
x, target = paddle.rand([16, 4]), paddle.rand([16, 1])
loss = nn.functional.mse_loss(net(x), target)
loss.backward()
optimizer.step()
