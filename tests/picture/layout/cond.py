"""A branch of a Program."""

import numpy as np
import paddle

paddle.enable_static()
x = paddle.static.data("x", [2])
x.stop_gradient = False
y = paddle.static.nn.cond(paddle.sum(x) > 0, lambda: x * x, lambda: paddle.exp(x) + 1.0)
loss = paddle.sum(y)
paddle.static.append_backward(loss)
paddle.static.Executor().run(feed={"x": np.ones([2], "float32")}, fetch_list=[loss])
