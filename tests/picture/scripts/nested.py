"""A loop inside a branch: Blocks within Blocks, forward and backward."""

import numpy as np
import paddle

paddle.enable_static()
x = paddle.static.data("x", [2])
x.stop_gradient = False


def grown():
    step, value = paddle.full([1], 0, "int64"), x * 2
    _, value = paddle.static.nn.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, h * h), [step, value])
    return value


loss = paddle.static.nn.cond(paddle.sum(x) > 0, grown, lambda: x * 3).sum()
(gradient,) = paddle.static.gradients(loss, x)
paddle.static.Executor().run(feed={"x": np.ones(2, "float32")}, fetch_list=[gradient])
