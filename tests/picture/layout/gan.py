"""The generator's step: through a discriminator that is not its own."""

import paddle
from paddle import nn

paddle.seed(3)

make, judge = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(), nn.Linear(4, 1))
real, fake = paddle.rand([4, 3]), make(paddle.rand([4, 2]))
loss = nn.functional.softplus(-judge(real)).mean() + nn.functional.softplus(judge(fake.detach())).mean()
loss.backward()
optimizer = paddle.optimizer.SGD(0.1, parameters=make.parameters())
nn.functional.softplus(-judge(fake)).mean().backward()
optimizer.step()
