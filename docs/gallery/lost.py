"""Four ways to lose a gradient, each said in words."""

import paddle

fine = paddle.to_tensor([1.5, -2.0], stop_gradient=False)
dead = paddle.to_tensor([-1.0, -2.0], stop_gradient=False)
rounded = paddle.to_tensor([1.5, 2.5], stop_gradient=False)
frozen = paddle.to_tensor([1.0, 2.0])

relu = paddle.nn.functional.relu(dead)
index = paddle.argmax(rounded)
with paddle.no_grad():
    shadow = fine * 2.0
loss = (fine * frozen + relu + index.astype("float32") + shadow).sum()
loss.backward()
