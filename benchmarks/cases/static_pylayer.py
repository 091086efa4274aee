"""A `static_pylayer` on a 1x5 tensor (the documentation's example): `exe.run` with its gradient."""

import numpy as np
import paddle
from paddle import static

SIZE = (1, 5)


def forward(x):
    return paddle.exp(x)


def backward(dy):
    return 2 * paddle.exp(dy)


def setup():
    paddle.enable_static()
    main = static.Program()
    with static.program_guard(main):
        x = static.data("X", SIZE, "float32")
        x.stop_gradient = False
        y = static.nn.static_pylayer(forward, [x], backward)
        (dx,) = static.gradients([y], [x])
    exe = static.Executor(paddle.CPUPlace())
    feed = {"X": np.linspace(-1, 1, 5, dtype="float32").reshape(SIZE)}

    def step():
        return np.stack(exe.run(main, feed=feed, fetch_list=[y, dx]))

    return step
