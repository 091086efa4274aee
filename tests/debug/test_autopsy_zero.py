"""Why a gradient is zero: said of a rule only what is true of it whatever comes back, or of what did come back."""

import inspect
import re

import pytest

from minipaddle import paddle
from minipaddle.paddle.nn import functional as F
from minipaddle.tools.checks.flow import gradient_flow
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.cards import why_lines, why_name
from minipaddle.tools.explain.why import why

MASK = [0.0, 1.0]


def leaf(*numbers):
    return paddle.to_tensor(list(numbers), stop_gradient=False)


def why_of(trace, name):
    """Return the first sentence of why a leaf's gradient is what it is."""
    session = Session(trace)
    return next(iter(why_lines(session, why_name(session, name))))


def reason(record, script):
    """Return the sentence on the only leaf of a script whose gradient is zero."""
    ((sentence, _),) = gradient_flow(record(script)).reasons
    return sentence


OPEN_AT_THE_FIRST = [
    (F.relu, (1.0, -1.0)),
    (F.relu6, (0.5, 7.0)),
    (F.sigmoid, (0.5, 200.0)),
    (F.tanh, (0.5, 200.0)),
    (lambda x: paddle.clip(x, 0.0, 1.0), (0.5, 1.5)),
]


@pytest.mark.parametrize(("function", "numbers"), OPEN_AT_THE_FIRST)
def test_an_activation_that_is_open_where_nothing_came_back_is_not_called_dead(record, function, numbers):
    def script():
        w = leaf(*numbers)
        (function(w) * paddle.to_tensor(MASK)).sum().backward()

    said = reason(record, script)
    assert "1 of 2 elements of what came back to" in said
    assert not {"dead", "saturated", "cuts"} & set(said.split())


@pytest.mark.parametrize(("function", "numbers"), OPEN_AT_THE_FIRST)
def test_one_that_is_closed_everywhere_is(record, function, numbers):
    def script():
        w = leaf(numbers[1], numbers[1])
        (function(w) * paddle.to_tensor(MASK)).sum().backward()

    said = reason(record, script)
    assert "all 2 elements of w" in said
    assert {"dead,", "saturated", "cuts"} & set(said.split())


def test_softmax_that_is_summed_up_is_not_called_saturated(record):
    def script():
        w = leaf(1.0, 2.0, 3.0)
        F.softmax(w).sum().backward()

    assert "what came back to softmax (" in (said := reason(record, script))
    assert said.endswith("cancels in its rule")


def test_a_saturated_softmax_is(record):
    def script():
        w = leaf(500.0, 2.0, 3.0)
        (F.softmax(w) * paddle.to_tensor([1.0, 2.0, 5.0])).sum().backward()

    assert "softmax (" in (said := reason(record, script))
    assert "is saturated at all 3 elements of w" in said


def test_a_bias_of_zeros_is_no_factor_of_a_layer_norm(record):
    def script():
        w = paddle.to_tensor([[1.0, 2.0, 4.0]], stop_gradient=False)
        paddle.nn.functional.layer_norm(w, 3, paddle.ones([3]), paddle.zeros([3])).sum().backward()

    assert "multiplies it" not in (said := reason(record, script))
    assert said.endswith("cancels in its rule")


def test_what_a_choice_leaves_out_gets_nothing_whatever_comes_back(record):
    def script():
        w = leaf(1.0, 2.0)
        paddle.where(paddle.to_tensor([False, False]), w, paddle.ones([2])).sum().backward()

    assert "lets nothing through to w, whatever comes back" in reason(record, script)


@pytest.mark.parametrize(("slopes", "by_algebra"), [([1.0, 1.0, 1.0], True), ([1.0, 2.0, 3.0], False)])
def test_terms_that_happen_to_cancel_before_a_softmax_are_not_zero_by_algebra(record, slopes, by_algebra):
    """1 * 1 - 2 * 2 + 1 * 3 is 0, but of another gradient than (1, -2, 1) something would be left."""

    def script():
        w = leaf(0.0)
        h = (w + paddle.to_tensor([6.0, 3.0, 2.0])) * paddle.to_tensor(slopes)
        (F.softmax(h) * paddle.to_tensor([1.0, -2.0, 1.0])).sum().backward()

    trace = record(script)
    (verdict,) = [row.verdict for row in gradient_flow(trace).rows if row.name == "w"]
    assert (verdict == "by algebra") == by_algebra
    assert ("softmax" in why_of(trace, "w")) == by_algebra


def test_large_numbers_elsewhere_are_not_why_a_gradient_is_large(record):
    def script():
        w, v = leaf(1.0, 2.0), leaf(3.0, 4.0)
        side = v * 1e5 * 1e5
        loss = (w * 1e6).sum() + side.sum() * 1e-10
        loss.backward()

    (lines, first) = inspect.getsourcelines(script)
    at = first + next(place for place, line in enumerate(lines) if "1e6" in line)
    said = why_of(record(script), "w")
    assert said.startswith(
        f"the gradient of w is huge: test_autopsy_zero.py:{at} multiplies it by 1e+06 (scale, "
    )
    assert "as large as" not in said


@pytest.mark.parametrize(("began", "word"), [(1e-9, "tiny"), (1e9, "huge")])
def test_a_gradient_may_have_its_size_from_where_backward_began(record, began, word):
    def script():
        w = leaf(1.0, 2.0)
        (w + 1.0).backward(paddle.full([2], began))

    assert why_of(record(script), "w").startswith(
        f"the gradient of w is {word}: backward began with {began:.0e}"
    )


def test_what_reaches_only_a_saturated_element_does_not_cancel(record):
    """The slope at 14 is 8e-7, that at 0.5 is 0.2, but nothing came back there."""

    def script():
        w = leaf(0.5, 14.0)
        (F.sigmoid(w) * paddle.to_tensor([0.0, 1e-3])).sum().backward()

    assert "cancels" not in (said := why_of(record(script), "w"))
    assert said.startswith("the gradient of w is tiny: ")


def test_what_a_layer_norm_leaves_of_equal_gradients_is_rounding(record):
    def script():
        w = paddle.to_tensor([[1.0, 2.0, 4.0]], stop_gradient=False)
        paddle.nn.LayerNorm(3)(w).sum().backward()

    assert "zero but for rounding: what came back to layer_norm (" in why_of(record(script), "w")


def test_saturated_units_are_counted_alike_by_flow_and_by_the_rule(record):
    """At 5 and -9 sigmoid has less than a twentieth of its steepest slope, at 0.5 and 3 more."""

    def script():
        w = leaf(0.5, 3.0, 5.0, -9.0)
        F.sigmoid(w).backward(paddle.full([4], 1e-8))

    trace = record(script)
    (rule,) = [event for event in trace.events if event.kind == "grad"]
    counted = re.search(r"(\d) of 4 elements are saturated", " ".join(why(trace, rule).says))
    assert f", {counted[1]} of 4 saturated)" in why_of(trace, "w")
