"""Random numbers in Programs: which seed decides, and the order of the Operators."""

import numpy as np
import paddle

from tests.support.parity.kit import Family

cases = Family("static_random_streams")
static = paddle.static


def bits(array):
    """The bits of the numbers, so that the last one counts."""
    return np.asarray(array).view("int32").tolist()


def runs(build, main=0, startup=0):
    """What two runs fetch, after the startup program."""
    paddle.seed(7)
    static.default_main_program().random_seed = main
    static.default_startup_program().random_seed = startup
    fetches = build()
    exe = static.Executor()
    exe.run(static.default_startup_program())
    return [[bits(one) for one in exe.run(fetch_list=fetches)] for _ in range(2)]


def _numbers():
    return [paddle.rand([3]), paddle.randn([3]), paddle.uniform([3]), paddle.uniform([3], seed=5)]


def _network():
    x = paddle.ones([1, 4])
    static.nn.fc(x, 3, bias_attr=False)
    static.nn.fc(
        x, 3, bias_attr=False, weight_attr=paddle.ParamAttr(initializer=paddle.nn.initializer.Normal())
    )
    parameters = static.default_main_program().all_parameters()
    return [*parameters, paddle.nn.functional.dropout(paddle.ones([20]), 0.4)]


RARER = {
    "multinomial": lambda: paddle.multinomial(
        paddle.assign(np.array([[0.1, 0.2], [0.4, 0.5]], "float32")), 7, True
    )
}
"""One Program each: 2.6.2 may run Operators that do not wait for each other in any order."""

for name, build in {"numbers": _numbers, "network": _network}.items():
    for main, startup in ((0, 0), (11, 0), (0, 9), (11, 9)):
        cases.add(f"{name}, main {main}, startup {startup}", runs, build, main, startup)
for name, build in RARER.items():
    cases.add(name, runs, lambda build=build: [build()], 11, 9)
