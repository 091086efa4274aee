"""`why` and stepping in Programs: Blocks, iterations, user functions, sums, updates."""

import pytest

from minipaddle import paddle
from minipaddle.tools.checks.gradient.check import check_trace
from tests.support.runs import recorded_program

S = paddle.static


def choice(x):
    y = S.nn.cond(paddle.sum(x) > 0, lambda: paddle.tanh(x) * x, lambda: paddle.exp(x))
    return S.gradients(y, x)


def loop(x, count=3):
    w = paddle.full([3], 2.0)
    w.stop_gradient = False
    i, n = paddle.full([1], 0, "int64"), paddle.full([1], count, "int64")
    i.stop_gradient = n.stop_gradient = True
    _, h = S.nn.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, h * w), [i, x * 1.0])
    return S.gradients(h, [x, w])


def layer(x):
    y = S.nn.static_pylayer(lambda a: paddle.tanh(a), [paddle.exp(x)], lambda dy: dy * 5.0)
    return S.gradients(y, x)


@pytest.mark.parametrize(("build", "operators"), [(choice, 2), (loop, 1), (layer, 0)])
def test_control_flow_is_checked(build, operators):
    found = list(check_trace(recorded_program(build)))
    assert {one.verdict for one in found if not one.event.op.startswith("pylayer")} == {"ok"}
    blocks = [
        one for one in found if one.event.op in ("while_grad", "conditional_block_grad", "select_output")
    ]
    assert len({one.event.index for one in blocks}) >= operators
