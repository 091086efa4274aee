"""Two inner steps of MAML: the last pass goes through both of them, each in a frame."""

import paddle

x, target = paddle.to_tensor([[1.0, 2.0]]), paddle.to_tensor([[1.5]])
start = paddle.to_tensor([[0.1], [0.2]], stop_gradient=False)
w = start
for _ in range(2):
    inner = ((x @ w - target) ** 2).mean()
    (slope,) = paddle.grad(inner, w, create_graph=True)
    w = w - 0.1 * slope
outer = ((paddle.to_tensor([[2.0, -1.0]]) @ w - target) ** 2).mean()
outer.backward()
