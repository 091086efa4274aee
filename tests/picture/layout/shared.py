"""One weight in three places, two of them in one operator."""

import paddle

w = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
b = paddle.to_tensor([1.0, 1.0], stop_gradient=False)
a = paddle.matmul(w, w) + b
c = paddle.nn.functional.relu(a) * w + b
(c.sum() + (w * w).mean() + b.sum()).backward()
