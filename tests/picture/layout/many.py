"""Five thousand operators."""

import paddle

x = paddle.to_tensor([0.5, 0.25], stop_gradient=False)
y = x
for _ in range(2500):
    y = paddle.sin(y) * 1.01
y.sum().backward()
