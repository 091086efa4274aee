"""A Program of two layers, trained by Adam."""

import numpy as np
import paddle

paddle.seed(3)

paddle.enable_static()
x = paddle.static.data("x", [None, 4])
label = paddle.static.data("label", [None, 1])
hidden = paddle.static.nn.fc(x, 6, activation="relu")
loss = paddle.mean(paddle.nn.functional.square_error_cost(paddle.static.nn.fc(hidden, 1), label))
paddle.optimizer.Adam(0.01).minimize(loss)
executor = paddle.static.Executor()
executor.run(paddle.static.default_startup_program())
executor.run(feed={"x": np.ones([2, 4], "float32"), "label": np.ones([2, 1], "float32")}, fetch_list=[loss])
