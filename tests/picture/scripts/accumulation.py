"""One tensor is used three times: its gradient is a sum of three."""

import paddle

x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
y = x * x
loss = (y + x).sum()
loss.backward()
