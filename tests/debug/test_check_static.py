"""`check` finds planted mistakes in static_pylayer and py_func, names the cause, and accepts right ones."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.checks.gradient.check import check_trace
from tests.support.runs import recorded_program

S = paddle.static


def layer(forward, backward):
    def build(x):
        y = S.nn.static_pylayer(forward, [x], backward)
        return [y, *S.gradients(paddle.sum(y * y), x)]

    return build


def function(forward, backward):
    def build(x):
        out = S.default_main_program().current_block().create_var("out", [3], "float32")
        S.py_func(forward, x, out, backward)
        return [out, *S.gradients(paddle.sum(out * out), x)]

    return build


WRONG = {
    "missing factor x * x": layer(lambda a: a * a * a, lambda dy: dy * 3.0),
    "missing factor 0.5": layer(lambda a: a * 4.0, lambda dy: dy * 8.0),
    "no gradient arrives": layer(lambda a: a * 4.0, lambda dy: dy * 0.0),
    "would be right for (out, x, out@GRAD)": function(
        np.exp, lambda a, y, dy: np.asarray(dy) * np.asarray(a)
    ),
    "missing factor 2 * x": function(np.square, lambda a, y, dy: np.asarray(dy)),
}
"""By a part of the cause."""

RIGHT = {
    "layer": layer(lambda a: a * 4.0, lambda dy: dy * 4.0),
    "function": function(lambda a: np.tanh(a), lambda a, y, dy: np.asarray(dy) * (1 - np.square(y))),
    "square": function(lambda a: np.square(a), lambda a, y, dy: np.asarray(dy) * 2 * np.asarray(a)),
}


def own(build):
    """Check the user's own rule in a Program."""
    found = list(check_trace(recorded_program(build)))
    return [one for one in found if one.event.op in ("pylayer_grad", "py_func")], found


@pytest.mark.parametrize("cause", WRONG)
def test_a_mistake_is_found_with_its_cause_and_nothing_else(cause):
    (mine,), all_of_them = own(WRONG[cause])
    assert mine.verdict == "wrong"
    assert cause in mine.cause
    assert {one.verdict for one in all_of_them if one is not mine} == {"ok"}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_cleared(name):
    (mine,), all_of_them = own(RIGHT[name])
    assert mine.elements == 3
    assert {one.verdict for one in all_of_them} == {"ok"}


@pytest.mark.parametrize("first", [True, False])
def test_a_loop_is_cleared_whatever_gradient_it_was_given(first):
    """A gradient made from nothing, or fed, as in to_static, was taken for none: the rest was called wrong."""

    def build(x):
        count = paddle.full([1], 0, "int64")
        others = [x * 1.0, x * 3.0]
        _, left, right = S.nn.while_loop(
            lambda i, a, b: i < 3, lambda i, a, b: [i + 1, a * 2.0, b * 5.0], [count, *others]
        )
        return S.gradients([left if first else right], others, target_gradients=[paddle.full([3], 0.5)])

    found = list(check_trace(recorded_program(build)))
    assert "while_grad" in {one.event.op for one in found}
    assert {one.verdict for one in found} == {"ok"}


def _loop(step):
    def build(x):
        count = paddle.full([1], 0, "int64")
        _, last = S.nn.while_loop(lambda i, y: i < 3, lambda i, y: [i + 1, step(i, y)], [count, x])
        return S.gradients(last, x)

    return list(check_trace(recorded_program(build)))


def test_a_loop_with_a_branch_inside_is_checked_as_a_whole():
    """It was said to compute outside of paddle's operators."""
    found = _loop(lambda i, y: S.nn.cond(i < 1, lambda: y * 2.0, lambda: y * y))
    assert {"while_grad", "conditional_block_grad"} <= {one.event.op for one in found}
    assert {one.verdict for one in found} == {"ok"}


def test_what_no_rule_compares_with_is_named_with_its_line():
    def twice(i, y):
        out = S.default_main_program().current_block().create_var("out", [3], "float32")
        return S.py_func(lambda a: np.asarray(a) * 2, y, out, lambda a, b, dy: np.asarray(dy) * 2)

    (loop,) = [one for one in _loop(twice) if one.event.op == "while_grad"]
    assert loop.verdict == "unchecked"
    assert "inside while runs py_func <lambda> (test_check_static.py:" in loop.cause


def unchanged(dy):
    return dy


def test_a_backward_function_without_an_operator_is_named_by_its_line():
    def build(x):
        y = S.nn.static_pylayer(lambda a: a * 4.0, [x], unchanged)
        return [y, *S.gradients(paddle.sum(y * y), x)]

    (mine,), _ = own(build)
    assert mine.cause == "missing factor 4"
    assert mine.line.text == "return dy"
