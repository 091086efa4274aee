"""A critic's loss with a gradient penalty, as WGAN-GP has it."""

import paddle
from paddle import nn

paddle.seed(3)
critic = nn.Sequential(nn.Linear(2, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1))
real, fake = paddle.to_tensor([[0.5, -1.0], [1.0, 0.25]]), paddle.to_tensor([[-0.5, 0.75], [0.0, 1.5]])
part = paddle.to_tensor([[0.25], [0.75]])
between = part * real + (1 - part) * fake
between.stop_gradient = False
(slope,) = paddle.grad(critic(between).sum(), between, create_graph=True)
penalty = ((paddle.sqrt((slope * slope).sum(axis=1)) - 1) ** 2).mean()
loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
loss.backward()
optimizer = paddle.optimizer.SGD(0.1, parameters=critic.parameters())
optimizer.step()
