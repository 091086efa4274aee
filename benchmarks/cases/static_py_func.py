"""A `py_func` on a 2x3 tensor, tanh and its gradient written in Python: `exe.run` with that gradient."""

import numpy as np
import paddle
from paddle import static

from benchmarks import data


def tanh(x):
    return np.tanh(np.array(x))


def tanh_grad(y, dy):
    return np.array(dy) * (1 - np.square(np.array(y)))


def setup():
    paddle.enable_static()
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [2, 3], "float64")
        x.stop_gradient = False
        y = main.current_block().create_var(name="y", shape=[2, 3], dtype="float64")
        static.py_func(tanh, x, y, backward_func=tanh_grad, skip_vars_in_backward_input=x)
        (dx,) = static.gradients([paddle.mean(y)], [x])
    exe = static.Executor(paddle.CPUPlace())
    feed = {"x": data.small()[0]}

    def step():
        return exe.run(main, feed=feed, fetch_list=[dx])[0]

    return step
