"""`nan` names the Operator of a Program that gave birth, in Blocks, functions and updates too."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.checks.nan import hunt
from minipaddle.tools.words.events import title
from tests.support.runs import recorded_program

S = paddle.static


def constant(*numbers):
    return paddle.assign(np.array(numbers, "float32"))


def loss_of(y, *of):
    return [y, *[one for one in S.gradients(paddle.sum(y), list(of)) if one is not None]]


def log_of_zero(x):
    return loss_of(paddle.log(x - constant(0.5, 0.5, 0.5)), x)


def zero_by_zero(x):
    zero = x - x
    return loss_of(zero / zero, x)


def root_at_zero(x):
    return loss_of(paddle.sqrt(x - constant(0.5, 0.5, 0.5)), x)


def exp_overflow(x):
    return loss_of(paddle.exp(x * 100.0), x)


def inf_minus_inf(x):
    big = paddle.exp(x * 1000.0)
    return loss_of(big - big, x)


def masked_by_where(x):
    y = x - constant(0.5, 0.5, 0.5)
    return loss_of(paddle.where(y > 0, paddle.sqrt(y), paddle.zeros_like(y)), x)


def power_of_a_negative(x):
    return loss_of((x * -1.0) ** 0.5, x)


def in_a_branch(x):
    return loss_of(S.nn.cond(paddle.sum(x) > 0, lambda: paddle.log(x - 2.0), lambda: x), x)


def in_an_iteration(x):
    i = paddle.full([1], 0, "int64")
    _, h = S.nn.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, paddle.sqrt(h - 0.4)), [i, x * 1.0])
    return loss_of(h, x)


def in_the_backward_of_a_layer(x):
    return loss_of(S.nn.static_pylayer(lambda a: a * 2.0, [x], lambda dy: dy / (dy - dy)), x)


def halves(x):
    return np.asarray(x) / 2


def broken_halves(x, y, dy):
    slope = np.log(np.asarray(x) - 1)
    return np.asarray(dy) * slope


def in_a_function(x):
    out = S.default_main_program().current_block().create_var("out", [3], "float32")
    S.py_func(halves, x, out, broken_halves)
    return loss_of(out, x)


def in_an_update(x):
    w = S.create_parameter([3], "float32", default_initializer=paddle.nn.initializer.Constant(1e30))
    loss = paddle.sum(w * x)
    paddle.optimizer.SGD(3e38).minimize(loss)
    return [loss]


def in_a_moment(x):
    w = S.create_parameter([3], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
    loss = paddle.sum(w * x * 1e25)
    paddle.optimizer.Adam(0.1).minimize(loss)
    return [loss]


def in_a_second_derivative(x):
    y = x - constant(0.5, 0.5, 0.5)
    (first,) = S.gradients(paddle.sum(y**1.5), x)
    return loss_of(first, x)


CASES = {
    log_of_zero: "log",
    zero_by_zero: "divide",
    root_at_zero: "sqrt_grad",
    exp_overflow: "exp",
    inf_minus_inf: "exp",
    masked_by_where: "sqrt_grad",
    power_of_a_negative: "elementwise_pow",
    in_a_branch: "log",
    in_an_iteration: "sqrt",
    in_the_backward_of_a_layer: "divide",
    in_a_function: "slope",
    in_an_update: "sgd (update)",
    in_a_moment: "adam (update)",
    in_a_second_derivative: "elementwise_pow_grad",
}


@pytest.mark.parametrize("build", CASES, ids=lambda build: build.__name__)
def test_the_birth_is_named(build):
    with np.errstate(all="ignore"):
        found = hunt(recorded_program(build))
    births = [title(one.event) for one in found.births if one.state == "born"]
    assert births[0] == CASES[build]
    assert found.is_finding


def test_inf_minus_inf_is_a_birth_of_its_own():
    with np.errstate(all="ignore"):
        found = hunt(recorded_program(inf_minus_inf))
    assert [(title(one.event), one.what) for one in found.births][:2] == [("exp", "Inf"), ("subtract", "NaN")]
