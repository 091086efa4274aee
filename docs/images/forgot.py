"""A training loop with two mistakes, for `flow --passes all` (docs/debugger.md)."""

import paddle

paddle.seed(1)
net = paddle.nn.Sequential(paddle.nn.Linear(3, 6), paddle.nn.Tanh(), paddle.nn.Linear(6, 1))
opt = paddle.optimizer.SGD(0.05, parameters=net.parameters())
x, y = paddle.randn([8, 3]), paddle.randn([8])
for _ in range(12):
    loss = ((net(x) - y) ** 2).mean()
    loss.backward()
    opt.step()
