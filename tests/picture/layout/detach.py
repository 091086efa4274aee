"""A cut, a no_grad, an argmax."""

import paddle

x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
y = x * x
z = y.detach() * x
with paddle.no_grad():
    scale = y.max()
best = paddle.argmax(z)
(z / scale + y + best.astype("float32")).sum().backward()
