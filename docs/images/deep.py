import paddle
from paddle import nn

paddle.seed(7)
net = nn.Sequential(*[layer for _ in range(4) for layer in (nn.Linear(4, 4), nn.Sigmoid())], nn.Linear(4, 1))
for parameter in net.parameters():
    parameter.set_value(parameter * 0.2)
x = paddle.to_tensor([[0.5, -1.0, 2.0, 0.25], [1.5, 0.0, -0.5, 1.0]])
loss = net(x).mean()
loss.backward()
