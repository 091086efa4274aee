"""Runs of Programs, recorded: the Executor's steps as events."""

import numpy as np
import pytest

from minipaddle import paddle
from tests.support.recordings import recorded_run

S = paddle.static


def kinds(trace, *chosen):
    return [event.op for event in trace.events if event.kind in chosen]


def one(trace, kind, op):
    (event,) = [event for event in trace.events if (event.kind, event.op) == (kind, op)]
    return event


def square_sum():
    x = S.data("x", [3])
    x.stop_gradient = False
    loss = paddle.sum(paddle.tanh(x) * x)
    return [loss, *S.gradients(loss, x)]


def test_operators_and_their_gradients_are_told_apart():
    trace, (_, gradient) = recorded_run(square_sum, {"x": np.array([0.5, 1, 2], "f4")})
    assert kinds(trace, "op") == ["tanh", "elementwise_mul", "reduce_sum"]
    assert kinds(trace, "grad") == ["reduce_sum_grad", "elementwise_mul_grad", "tanh_grad"]
    assert kinds(trace, "accumulate", "store") == ["sum", "store"]
    grad = one(trace, "grad", "tanh_grad")
    assert trace.events[grad.origin].op == "tanh"
    assert [trace.values[id_].name for id_ in trace.events[grad.origin].saved] == ["tanh_0.tmp_0"]
    stored = one(trace, "store", "store")
    np.testing.assert_array_equal(trace.values[stored.outputs[0]].array, gradient)


def test_a_gradient_knows_what_it_is_the_gradient_of():
    trace, _ = recorded_run(square_sum, {"x": np.ones(3, "f4")})
    for event in trace.events:
        if event.kind == "grad":
            for id_ in event.outputs:
                value = trace.values[id_]
                assert value.kind == "gradient"
                assert value.name.startswith(trace.values[value.of].name)


def test_the_numbers_of_a_parameter_are_those_before_its_update():
    def build():
        x = S.data("x", [2, 3])
        loss = paddle.mean(S.nn.fc(x, 1, weight_attr=paddle.nn.initializer.Constant(1.0)))
        paddle.optimizer.SGD(1.0).minimize(loss)
        return [loss]

    trace, _ = recorded_run(build, {"x": np.ones((2, 3), "f4")})
    assert kinds(trace, "update") == ["sgd", "sgd"]
    weight = next(value for value in trace.values if value.name == "fc_0.w_0" and value.producer is not None)
    np.testing.assert_array_equal(weight.array, np.ones((3, 1)))
    update = [event for event in trace.events if event.kind == "update"][-1]
    np.testing.assert_array_equal(trace.values[update.outputs[0]].array, np.zeros((3, 1)))


def test_the_blocks_of_a_pylayer_are_entered_and_left():
    def build():
        x = S.data("x", [2])
        x.stop_gradient = False
        y = S.nn.static_pylayer(paddle.exp, [x], lambda dy: 2 * dy)
        return [y, *S.gradients(y, x)]

    trace, _ = recorded_run(build, {"x": np.ones(2, "f4")})
    forward, backward = one(trace, "op", "pylayer"), one(trace, "grad", "pylayer_grad")
    for event, inside in ((forward, ["exp", "assign"]), (backward, ["assign", "scale"])):
        enter, leave = event.body
        assert [one.op for one in trace.events[enter + 1 : leave]] == inside
        assert trace.events[enter].kind == "enter"
        assert trace.events[leave].origin == enter
    first = trace.events[backward.body[0] + 1]
    assert trace.values[first.inputs[0]].name == "_generated_var_0@GRAD", "the gradient from outside"


@pytest.mark.parametrize(("start", "taken"), [(1.0, "scale"), (-1.0, "exp")])
def test_only_the_branch_that_runs_is_entered(start, taken):
    def build():
        x = S.data("x", [2])
        return [S.nn.cond(paddle.sum(x) > 0, lambda: x * 2, lambda: paddle.exp(x))]

    trace, _ = recorded_run(build, {"x": np.full(2, start, "f4")})
    enter = next(event for event in trace.events if event.kind == "enter")
    assert trace.events[enter.index + 1].op == taken
    assert len(kinds(trace, "enter")) == 1


def test_iterations_are_counted():
    def build():
        i, n = paddle.full([1], 0, "int64"), paddle.full([1], 3, "int64")
        return S.nn.while_loop(lambda i: i < n, lambda i: [i + 1], [i])

    trace, _ = recorded_run(build, {})
    titles = [event.title for event in trace.events if event.kind == "enter"]
    assert titles == [f"while block 1, iteration {turn}" for turn in (1, 2, 3)]


def test_a_loop_in_a_loop_counts_anew_each_time():
    def build():
        i, n = paddle.full([1], 0, "int64"), paddle.full([1], 2, "int64")

        def body(i):
            j = paddle.full([1], 0, "int64")
            S.nn.while_loop(lambda j: j < n, lambda j: [j + 1], [j])
            return [i + 1]

        return S.nn.while_loop(lambda i: i < n, body, [i])

    trace, _ = recorded_run(build, {})
    titles = [event.title for event in trace.events if event.kind == "enter"]
    assert [title[-1] for title in titles] == ["1", "1", "2", "2", "1", "2"]


def test_keeping_what_a_loop_writes_over_begins_no_pass():
    def build():
        x = S.data("x", [2])
        x.stop_gradient = False
        first = paddle.tanh(x)
        _, h = S.nn.while_loop(
            lambda i, h: paddle.all(i < 2), lambda i, h: [i + 1, h * h], [paddle.zeros([1]), first]
        )
        loss = paddle.sum(h)
        return [loss, *S.gradients(loss, x)]

    trace, _ = recorded_run(build, {"x": np.ones(2, "f4")})
    kept = [value.name for value in trace.values if "@VERSION" in value.name]
    assert kept
    assert trace.passes == 1
    assert (
        next(event for event in trace.events if event.kind == "backward").index
        > one(trace, "op", "while").index
    )


def test_a_loop_that_writes_over_what_was_fed_was_given_that():
    def build():
        x = S.data("x", [2])
        x.stop_gradient = False
        turns = paddle.zeros([1])
        _, h = S.nn.while_loop(lambda i, h: paddle.all(i < 2), lambda i, h: [i + 1, h * h], [turns, x])
        loss = paddle.sum(h)
        return [loss, *S.gradients(loss, x)]

    fed = np.array([0.5, 2], "f4")
    trace, (_, gradient) = recorded_run(build, {"x": fed})
    given = [trace.values[id_] for id_ in one(trace, "op", "while").inputs if trace.values[id_].name == "x"]
    assert {value.kind for value in given} == {"leaf"}
    np.testing.assert_array_equal(given[0].array, fed)
    stored = trace.values[one(trace, "store", "store").outputs[0]]
    assert stored.of == given[0].id
    np.testing.assert_array_equal(stored.array, gradient)


def test_every_run_is_a_pass_of_its_own():
    trace, _ = recorded_run(square_sum, {"x": np.ones(3, "f4")}, runs=2)
    assert trace.passes == 2


def test_a_failing_operator_ends_the_recording_with_its_error():
    def build():
        x = S.data("x", [-1, 2])
        return [paddle.matmul(x, S.data("y", [-1, 2]))]

    feed = {name: np.ones((3, 2), "f4") for name in "xy"}
    trace, _ = recorded_run(build, feed, raises=pytest.raises(ValueError, match="matmul_v2"))
    assert (trace.events[-1].kind, trace.events[-1].op) == ("error", "ValueError")


def test_a_gradient_that_waits_for_another_term_is_not_stored():
    def refused(x, out, gradient):
        raise ValueError("no")

    def build():
        x, y = S.data("x", [2]), S.data("y", [2])
        x.stop_gradient = y.stop_gradient = False
        out = S.default_main_program().current_block().create_var(name="out", dtype="float32", shape=[2])
        S.py_func(lambda x: np.tanh(x), x, out, backward_func=refused)
        return S.gradients((out * x * y).sum(), [x, y])

    feed = {name: np.ones(2, "f4") for name in "xy"}
    trace, _ = recorded_run(build, feed, raises=pytest.raises(ValueError, match="no"))
    assert [event.title for event in trace.events if event.kind == "store"] == ["y"]
