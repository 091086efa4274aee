"""A loop of a Program, walked back."""

import numpy as np
import paddle

paddle.enable_static()
x = paddle.static.data("x", [2])
x.stop_gradient = False
i = paddle.zeros([1], "int64")
_, y = paddle.static.nn.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [i, paddle.exp(x)])
loss = paddle.sum(y)
paddle.static.append_backward(loss)
paddle.static.Executor().run(feed={"x": np.ones([2], "float32")}, fetch_list=[loss])
