"""NumPy in a Program, with its gradient."""

import numpy as np
import paddle

paddle.enable_static()
x = paddle.static.data("x", [2])
x.stop_gradient = False
y = paddle.static.default_main_program().global_block().create_var(name="y", shape=[2], dtype="float32")
paddle.static.py_func(lambda a: np.tanh(a), x, y, lambda a, y, dy: np.asarray(dy) * (1 - np.square(y)))
loss = paddle.sum(y)
paddle.static.append_backward(loss)
paddle.static.Executor().run(feed={"x": np.ones([2], "float32")}, fetch_list=[loss])
