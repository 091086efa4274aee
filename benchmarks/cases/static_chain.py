"""1,000 small operators in a row and their gradients, kept in a Program: what `exe.run` costs per operator."""

import paddle
from paddle import static

from benchmarks import data


def forward(length):
    """Append about `length` operators to the default program; return their sum, and what it depends on."""
    x, w, b = (static.data(name, [2, 3], "float64") for name in "xwb")
    w.stop_gradient = b.stop_gradient = False
    h = x
    for _ in range(length // 2):
        h = h * w
        h = h + b
    return h.sum(), [w, b]


def build(length):
    """Return a Program of `length` operators and their gradients, and the gradient of w."""
    main = static.Program()
    with static.program_guard(main):
        loss, leaves = forward(length)
        (_w, dw), _b_and_db = static.append_backward(loss, parameter_list=leaves)
    return main, dw


def feed():
    """Values for x, w and b."""
    return dict(zip("xwb", data.small()))


def setup():
    paddle.enable_static()
    main, dw = build(1000)
    exe, values = static.Executor(paddle.CPUPlace()), feed()

    def step():
        return exe.run(main, feed=values, fetch_list=[dw])[0]

    return step
