"""A square root at zero, and what follows."""

import paddle

x = paddle.to_tensor([0.0, 1.0, 4.0], stop_gradient=False)
y = paddle.sqrt(x) * paddle.to_tensor([0.0, 1.0, 1.0])
(y.sum() + paddle.log(x).mean()).backward()
