"""`check` finds planted mistakes and names their cause, and finds none where there are none."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.checks.gradient.check import check_trace
from minipaddle.tools.checks.gradient.repair import search
from minipaddle.tools.record import load, save
from tests.support.checked import RIGHT, A, B, F, V, layer, only, recording, verdicts

MISTAKES = {
    "factor 3": (lambda x: x * x * x, lambda dy, x, y: dy * x * x, "factor"),
    "y forgotten": (lambda x: paddle.exp(x), lambda dy, x, y: dy, "factor"),
    "sigmoid half done": (F.sigmoid, lambda dy, x, y: dy * y, "factor"),
    "cos forgotten": (paddle.sin, lambda dy, x, y: dy, "factor"),
    "dy forgotten": (lambda x: x * 3, lambda dy, x, y: paddle.ones_like(x) * 3, "seed"),
    "1/x forgotten": (paddle.log, lambda dy, x, y: dy, "factor"),
    "mask forgotten": (lambda x: F.relu(x - 1), lambda dy, x, y: dy, "mask"),
    "wrong power": (lambda x: paddle.sqrt(x), lambda dy, x, y: dy * y, "factor"),
    "wrong slope": (lambda x: paddle.sin(x), lambda dy, x, y: dy * paddle.cos(2 * x), "factor"),
}
"""Besides the scripts of tests/checks/test_planted.py."""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_and_its_cause_named(record, name):
    forward, backward, kind = MISTAKES[name]
    found = only(recording(record, layer(forward, backward), [A]))
    assert (found.verdict, found.mistake, found.exact) == ("wrong", kind, True), found.cause
    assert found.analytic != found.numeric


def test_a_slip_of_ours_is_not_hidden_as_a_gradient_without_a_cause(record, monkeypatch):
    forward, backward, _ = MISTAKES["factor 3"]
    trace = recording(record, layer(forward, backward), [A])
    monkeypatch.delattr(search, "alternatives")
    with pytest.raises(NameError):
        verdicts(trace)


def test_a_file_can_be_checked_as_far_as_operators_made_the_layer(record, tmp_path):
    for name, said in (("square", "ok"), ("numpy", "unchecked")):
        save(recording(record, layer(*RIGHT[name][:2]), RIGHT[name][2]), tmp_path / "run.mpt")
        assert {one.verdict for one in verdicts(load(tmp_path / "run.mpt"))} == {said}


def test_all_elements_of_a_large_tensor_are_compared(record):
    big = np.random.default_rng(0).normal(size=(40, 40)).astype("float32")

    def backward(dy, x, y):
        wrong = np.ones((40, 40), "float32")
        wrong[17, 3] = 1.1
        return 2 * dy * x * paddle.to_tensor(wrong)

    (found,) = verdicts(recording(record, layer(lambda x: x * x, backward), [big]))
    assert (found.verdict, found.spot, found.wrong_elements) == ("wrong", (17, 3), 1)
    (found,) = verdicts(recording(record, layer(lambda x: x * x, lambda dy, x, y: 2 * dy * x), [big]))
    assert (found.verdict, found.covered) == ("ok", 1600)


def test_a_layer_that_writes_its_input_in_place_is_compared_with_what_came_in(record, tmp_path):
    class Planted(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x * 2)
            x.multiply_(x)
            return x

        @staticmethod
        def backward(ctx, dy):
            (slope,) = ctx.saved_tensor()
            return dy * slope

    def script():
        x = paddle.to_tensor([3.0, 3.0], stop_gradient=False)
        Planted.apply(x * 1).sum().backward()

    trace = record(script)
    save(trace, tmp_path / "run.mpt")
    assert only(trace).verdict == "ok"
    assert only(load(tmp_path / "run.mpt")).verdict == "ok"


def test_that_the_incoming_gradient_is_forgotten_shows_where_it_is_one(record):
    def script():
        x = paddle.to_tensor(A, stop_gradient=False)
        layer(lambda x: x * x, lambda dy, x, y: 2 * x).apply(x).sum().backward()

    found = only(record(script))
    assert (found.verdict, found.mistake, found.wrong_elements) == ("wrong", "seed", 0)


def test_every_call_is_checked_and_the_wrong_one_named(record):
    def backward(dy, x, y):
        return 2 * dy * x * (3 if float(x.max()) == float(A.max()) else 1)

    def script():
        x = paddle.to_tensor(A, stop_gradient=False)
        square = layer(lambda x: x * x, backward)
        sum(square.apply(x * (i + 1)) for i in range(3)).sum().backward()

    found = only(record(script))
    assert (found.verdict, found.call, found.calls) == ("wrong", 1, 3)  # in the order of forward


def test_the_calls_of_an_input_are_those_where_it_wants_a_gradient(record):
    def run():
        data, leaf, w = (paddle.to_tensor(A, stop_gradient=one) for one in (True, False, False))
        sum((x @ w).sum() for x in (data, leaf, data)).backward()

    rows = [one for one in check_trace(record(run)) if one.title == "matmul_grad"]
    assert [(one.name, one.calls, one.checked_calls) for one in rows] == [("w", 3, 3), ("x #2", 1, 1)]


def test_a_constant_that_is_right_only_where_all_inputs_are_zero_is_no_cause(record):
    def named(x):
        found = only(recording(record, layer(paddle.exp, lambda dy, x, y: dy * 2), [np.zeros_like(A) + x]))
        assert (found.verdict, found.line is not None) == ("wrong", True)
        return found.mistake, found.cause

    assert named(0) == named(0.5) == ("factor", "factor 2 too much; missing factor exp(x)")


def test_a_value_of_another_call_and_one_that_was_overwritten_are_named(record):
    class Planted(paddle.autograd.PyLayer):
        kept = None

        @staticmethod
        def forward(ctx, x):
            Planted.kept = paddle.exp(x)
            return Planted.kept * 1

        @staticmethod
        def backward(ctx, dy):
            return dy * Planted.kept

    def of_the_class():
        x = paddle.to_tensor(A, stop_gradient=False)
        (Planted.apply(x) + Planted.apply(2 * x)).sum().backward()

    found = only(record(of_the_class))
    assert (found.verdict, found.mistake, found.call) == ("wrong", "call", 1)

    def overwritten():
        x, y = (paddle.to_tensor(array, stop_gradient=False) for array in (A, B))
        z = layer(lambda x, y: x * y, lambda dy, x, y, z: (dy * y, dy * x)).apply(x, y)
        with paddle.no_grad():
            x.add_(paddle.ones_like(x))
        z.sum().backward()

    found = [one for one in verdicts(record(overwritten)) if one.verdict == "wrong"]
    assert [(one.name, one.mistake) for one in found] == [("y", "overwritten")]
    assert "x.add_" in found[0].line.text


def test_a_wrong_element_of_many_is_found_where_only_slopes_are_known(record):
    def backward(dy, x, y):
        wrong = np.ones(4000, "f4")
        wrong[1234] = 3
        return dy * paddle.to_tensor(np.cos(x.numpy()) * wrong)

    sine = layer(lambda x: paddle.to_tensor(np.sin(x.numpy())), backward)
    found = only(recording(record, sine, [np.linspace(0, 1, 4000, dtype="f4")]))
    assert (found.verdict, found.spot, found.exact) == ("wrong", (1234,), False)


def test_what_forward_uses_besides_its_arguments_is_told(record):
    def script():
        x, w = (paddle.to_tensor(array, stop_gradient=False) for array in (A, B))
        layer(lambda x: x * w, lambda dy, x, y: dy * w).apply(x).sum().backward()

    found = {one.name: (one.verdict, one.mistake) for one in verdicts(record(script))}
    assert found == {"x": ("ok", ""), "w": ("unchecked", "captured")}


@pytest.mark.parametrize("conjugates", [True, False])
def test_complex_gradients_are_compared_in_full(record, conjugates):
    def right_or_wrong(dy, z, out):
        return dy * 2 * (paddle.conj(z) if conjugates else z)

    def run():
        z = paddle.to_tensor([1 + 2j, 3 - 1j], stop_gradient=False)
        paddle.real(layer(lambda z: z * z, right_or_wrong).apply(z)).sum().backward()

    rows = check_trace(record(run))
    (found,) = [one for one in rows if one.event.op == "pylayer_grad"]
    assert (found.name, found.elements, found.covered, found.exact) == ("z", 2, 2, True)
    assert (found.verdict, found.mistake) == (("ok", "") if conjugates else ("wrong", "conjugate"))
    assert found.numeric in (2 - 4j, 6 + 2j)


def test_an_operator_is_checked_at_every_call_of_its_line(record):
    def run():
        h = paddle.to_tensor([0.5, 0.25], stop_gradient=False)
        for _ in range(3):
            h = paddle.tanh(h)
        h.sum().backward()

    trace = record(run)
    *_, last = [event for event in trace.events if event.op == "tanh_grad"]
    (found,) = [one for one in check_trace(trace) if one.event.op == "tanh_grad"]
    assert (found.calls, found.checked_calls, found.verdict) == (3, 3, "ok")
    trace.values[last.outputs[0]].kept = np.array([7, 7], "float32")
    (found,) = [one for one in check_trace(trace) if one.event.op == "tanh_grad"]
    assert (found.call, found.verdict) == (1, "unsure")


class _InNumPy(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return paddle.to_tensor(x.numpy() ** 2 / y.numpy())

    @staticmethod
    def backward(ctx, dz):
        x, y = ctx.saved_tensor()
        return dz * 2 * x / y, -dz * x * x / y / y


def test_a_tensor_that_was_passed_twice_is_moved_in_one_place_at_a_time(record):
    def script():
        x = paddle.to_tensor(A, stop_gradient=False)
        _InNumPy.apply(x, x).sum().backward()

    found = verdicts(record(script), "_InNumPy")
    assert [one.verdict for one in found] == ["ok", "ok"]


def test_a_sign_is_not_blamed_where_at_other_numbers_two_inputs_are_mixed_up(record):
    """At x = y, the two gradients of x * x / y - x are 1 and -1: each is the other one with a wrong sign."""
    cls = layer(lambda x, y: x * x / y - x, lambda dz, x, y, z: (-dz * x * x / y / y, dz * (2 * x / y - 1)))
    x = np.full([2], 2.0, "float32")
    found = verdicts(recording(record, cls, [x, x]))
    assert [one.mistake for one in found] == ["swapped", "swapped"]


def _doubled(one):
    return paddle.to_tensor(2 * one.numpy())


class _HalfInNumPy(paddle.autograd.PyLayer):
    """Its gradient lacks a factor 2; if x is the incoming gradient, it may as well lack a term."""

    @staticmethod
    def forward(ctx, x):
        return _doubled(x)

    @staticmethod
    def backward(ctx, dy):
        return dy * 1.0


@pytest.mark.parametrize("equal", [True, False])
def test_of_several_causes_that_fit_the_numbers_all_are_named(record, equal):
    def script():
        x = paddle.to_tensor(V if not equal else np.ones_like(V), stop_gradient=False)
        _HalfInNumPy.apply(x).backward(paddle.ones([2]))

    (found,) = verdicts(record(script), "_HalfInNumPy")
    assert found.verdict == "wrong"
    assert ("the term x is missing" in found.cause) <= ("missing factor" in found.cause)
    assert ("the term x is missing" in found.cause) <= found.cause.startswith("one of these")


def test_each_input_that_is_right_by_chance_is_blamed(record):
    """Where both inputs are equal, d (x * y) / dx may be read from x: the mistake is in both gradients."""
    x = np.full([2], 2.0, "float32")
    cls = layer(lambda x, y: x * y, lambda dz, x, y, z: (dz * x, dz * y))
    assert [one.verdict for one in verdicts(recording(record, cls, [x, x]))] == ["wrong", "wrong"]


def _second(record, backward, at):
    """Return what `check` says of a second derivative of sqrt(x ** 3)."""

    def script():
        x = paddle.to_tensor(at, stop_gradient=False)
        y = layer(lambda x: paddle.sqrt(x * x * x), lambda dy, x, y: backward(x) * dy).apply(x)
        paddle.grad(y, x, create_graph=True)[0].sum().backward()

    (found,) = [one for one in check_trace(record(script)) if one.order == 2]
    return found


def test_a_second_derivative_that_is_infinite_is_no_mistake(record):
    found = _second(record, lambda x: 1.5 * paddle.sqrt(x), [0.0, 4.0])
    assert (found.verdict, found.elements, found.covered) == ("ok", 2, 1)


def test_how_far_off_a_second_derivative_is(record):
    found = _second(record, lambda x: 1.5 * x.detach() / paddle.sqrt(x), [4.0])
    assert (found.verdict, found.analytic, found.numeric) == ("wrong", -0.375, 0.375)
    assert found.difference == 2


@pytest.mark.parametrize("lost", [False, True])
def test_a_second_derivative_is_asked_for_behind_a_rule_that_passes_gradients_on(record, lost):
    """The rule of a sum answers what came in: the penalty differentiates backward through it."""

    def backward(dy, x, y):
        with paddle.set_grad_enabled(not lost):
            slope = paddle.exp(x)
        return dy * slope

    def script():
        x, w, b = (paddle.to_tensor([one], stop_gradient=False) for one in (0.5, 2.0, 0.25))
        y = layer(paddle.exp, backward).apply(x * w + b)
        (paddle.grad(y.sum(), x, create_graph=True)[0] ** 2).sum().backward()

    found = [one.verdict for one in check_trace(record(script)) if one.order == 2]
    assert sorted(found) == (["ok", "wrong"] if lost else ["ok", "ok"])


def test_a_copy_of_what_came_in_is_no_place_of_a_missing_factor(record):
    def backward(dy, x, y):
        own = dy.clone()
        return own * 3.0 * x

    (found,) = verdicts(recording(record, layer(lambda x: x * x * x, backward), [V]))
    assert found.cause.endswith("missing factor x")
    assert " or " not in found.cause
