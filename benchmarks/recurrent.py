"""A training step of a recurrent net over so many time steps, 28 events each: `minipaddle run recurrent.py 1250`."""

import sys

import paddle
from paddle import nn

steps = int(sys.argv[1])
paddle.seed(0)
into, within, out = nn.Linear(8, 16), nn.Linear(16, 16), nn.Linear(16, 1)
parameters = [*into.parameters(), *within.parameters(), *out.parameters()]
optimizer = paddle.optimizer.SGD(0.01, parameters=parameters)
h, losses = paddle.zeros([4, 16]), []
for _ in range(steps):
    h = paddle.tanh(into(paddle.randn([4, 8])) + within(h))
    losses.append((out(h) ** 2).mean())
loss = paddle.add_n(losses) / steps
loss.backward()
optimizer.step()
print(float(loss))
