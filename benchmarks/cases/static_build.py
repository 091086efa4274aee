"""Build a Program of 1,000 small operators and append their gradients to it; nothing is run."""

import paddle

from benchmarks.cases.static_chain import build


def setup():
    paddle.enable_static()

    def step():
        main, _dw = build(1000)
        return len(main.global_block().ops)

    return step
