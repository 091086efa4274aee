"""Three hundred steps with one weight."""

import paddle

w = paddle.to_tensor([[0.5, 0.1], [0.2, 0.5]], stop_gradient=False)
h = paddle.ones([1, 2])
for _ in range(300):
    h = paddle.tanh(paddle.matmul(h, w) + 0.1)
h.sum().backward()
