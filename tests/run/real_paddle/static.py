"""A Program that fetches its loss only; weight decay writes over the gradients."""

import numpy as np
import paddle

paddle.enable_static()
x = paddle.static.data("x", [None, 3], "float32")
hidden = paddle.static.nn.fc(x, 2, activation="tanh")
loss = paddle.mean(paddle.static.nn.fc(hidden, 1) ** 2)
paddle.optimizer.Adam(learning_rate=0.1, weight_decay=0.01).minimize(loss)
exe = paddle.static.Executor()
exe.run(paddle.static.default_startup_program())
for _ in range(2):
    exe.run(feed={"x": np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]], "float32")}, fetch_list=[loss])
