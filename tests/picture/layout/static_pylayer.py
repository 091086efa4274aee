"""A gradient by hand in a Program."""

import numpy as np
import paddle

paddle.enable_static()
x = paddle.static.data("x", [2])
x.stop_gradient = False
y = paddle.static.nn.static_pylayer(lambda a: a * a + 1.0, [x], lambda dy: dy * 3.0)
loss = paddle.sum(y * x)
paddle.static.append_backward(loss)
paddle.static.Executor().run(feed={"x": np.ones([2], "float32")}, fetch_list=[loss])
