import numpy as np
import paddle

paddle.enable_static()


def slope(x, y, dy):
    positive = np.asarray(x) > 0
    return np.asarray(dy) * positive


def rectified(x):
    return np.maximum(x, 0)


x = paddle.static.data("x", [2], "float32")
x.stop_gradient = False
i = paddle.full([1], 0, "int64")
_, h = paddle.static.nn.while_loop(lambda i, h: i < 3, lambda i, h: [i + 1, h * x], [i, x * 1.0])
out = paddle.static.default_main_program().current_block().create_var("out", [2], "float32")
paddle.static.py_func(rectified, h, out, slope)
loss = paddle.sum(out)
(grad,) = paddle.static.gradients(loss, x)
exe = paddle.static.Executor()
exe.run(feed={"x": np.array([2.0, -3.0], "float32")}, fetch_list=[loss, grad])
