"""Facts in a recording of a Program that come from the engine, and were once guessed."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools import debug
from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.explain.why import why
from minipaddle.tools.words.terminal import UNICODE
from tests.support.recordings import events, recorded_run

S = paddle.static
ONES = np.ones(2, "f4")


def recorded(build, feed=ONES, **options):
    """Return the recording of a Program that is built of an `x` which requires gradient."""

    def built():
        x = S.data("x", [2])
        x.stop_gradient = False
        return build(x)

    return recorded_run(built, {"x": feed}, **options)[0]


def parameter(name):
    return S.create_parameter(
        [2], "float32", name=name, default_initializer=paddle.nn.initializer.Constant(1.0)
    )


def trained(x):
    w = parameter("w")
    loss = paddle.mean(w * x)
    paddle.optimizer.SGD(0.5).minimize(loss)
    return [loss]


def value(trace, id_):
    return None if id_ is None else trace.values[id_].name


# -- from run to run ----------------------------------------------------------------------------------------------


def test_what_a_run_loads_is_what_the_run_before_has_left():
    trace = recorded(trained, runs=3)
    updates = events(trace, "update")
    loaded = [trace.values[event.inputs[0]] for event in updates]
    first = events(trace, "op")[0]
    assert [one.same for one in loaded] == [first.outputs[0], *(event.outputs[0] for event in updates[:-1])]
    assert len({one.holder for one in loaded}) == 1  # one variable of the Scope


def test_what_the_user_puts_into_a_scope_is_nobodys():
    def other(scope):
        scope.find_var("w").get_tensor().set(np.ones(2, "f4"))

    trace = recorded(trained, runs=2, between=other)
    assert trace.values[events(trace, "update")[1].inputs[0]].same is None


def test_a_set_reaches_the_next_run():
    session = Session(recorded(trained, runs=2))
    losses = [one.array for one in session.trace.values if one.name == "mean_0.tmp_0"]
    said = []
    prompt = Prompt(session, UNICODE, said.append)
    for command in ("break op:elementwise_mul", "begin", "continue", "set w = w * 3", "end"):
        prompt.run(command)
    after = [one.array for one in session.trace.values if one.name == "mean_0.tmp_0"]
    np.testing.assert_allclose(after[0], losses[0] * 3)
    np.testing.assert_allclose(after[1], losses[1] + 2.0)


# -- loops --------------------------------------------------------------------------------------------------------


def written_over(x):
    """A loop over what is fed."""
    i, n = paddle.zeros([1], "int64"), paddle.full([1], 2, "int64")
    i, y = S.nn.while_loop(lambda i, a: i < n, lambda i, a: [i + 1, a * a], [i, x])
    return S.gradients(y, x)


def test_each_iteration_over_what_is_fed_knows_the_x_that_it_began_with():
    trace = recorded(written_over, feed=ONES * 3)
    rules = [event for event in events(trace, "grad") if event.op == "elementwise_mul_grad"]
    assert [event.iterations for event in rules] == [(1,), (0,)]
    began = [trace.values[trace.values[event.outputs[0]].of] for event in rules]
    assert [one.array.tolist() for one in began] == [[9, 9], [3, 3]]
    assert [trace.differentiated(event).inputs[0] for event in rules] == [one.id for one in began]
    (whole,) = [event for event in events(trace, "grad") if event.op == "while_grad"]
    (gradient,) = [trace.values[id_] for id_ in whole.outputs if id_ is not None]
    assert trace.values[gradient.of].array.tolist() == [3, 3]


def test_events_know_their_block_and_iteration():
    trace = recorded(written_over)
    inside = [event for event in trace.events if event.owner == "while" and event.kind == "op"]
    assert {event.block for event in inside} == {1}
    assert [event.iterations for event in inside if event.op == "elementwise_mul"] == [(0,), (1,)]
    assert {event.block for event in trace.events if event.parent is None and event.kind == "op"} == {0}


def never(x):
    """A loop of no iteration."""
    w, n = parameter("w"), paddle.zeros([1], "int64")
    _, y = S.nn.while_loop(
        lambda i, a: i < n, lambda i, a: [i + 1, a * w], [paddle.zeros([1], "int64"), x * 2.0]
    )
    return S.gradients(y, [x, w])


def test_a_loop_of_no_iteration_hands_on_what_it_was_given():
    trace = recorded(never)
    (loop,) = [event for event in events(trace, "op") if event.op == "while"]
    assert set(loop.parts) <= {(id_,) for id_ in loop.inputs}
    (back,) = [event for event in events(trace, "grad") if event.op == "while_grad"]
    found = {
        value(trace, trace.values[id_].of): terms
        for id_, terms in zip(back.outputs, back.parts, strict=True)
        if id_ is not None
    }
    assert found["w"] == ()
    assert found["tmp_0"] == tuple(id_ for id_ in back.inputs if id_ is not None)


def now_and_then(x):
    """A branch that runs in the first iteration only."""
    i, n = paddle.zeros([1], "int64"), paddle.full([1], 2, "int64")

    def turn(i, a):
        return [i + 1, S.nn.cond(i < 1, lambda: a * 3.0, lambda: a + 1.0)]

    return [S.nn.while_loop(lambda i, a: i < n, turn, [i, x * 1.0])[1]]


def test_a_branch_that_does_not_run_in_an_iteration_gives_nothing_there():
    trace = recorded(now_and_then)
    first, second = [event for event in events(trace, "op") if event.op == "select_input"]
    assert [id_ is None for id_ in first.inputs] == [False, True, False]
    assert [id_ is None for id_ in second.inputs] == [False, False, True]
    assert (first.parts, second.parts) == ([(first.inputs[2],)], [(second.inputs[1],)])


# -- passes -------------------------------------------------------------------------------------------------------


def test_two_targets_are_one_pass_with_two_seeds():
    trace = recorded(lambda x: S.gradients([x * 2.0, x * x], x))
    assert trace.passes == 1
    assert len([one for one in trace.values if one.seed]) == 2
    assert {value(trace, event.about) for event in events(trace, "accumulate")} == {"x"}


def test_a_gradient_that_the_user_gives_is_a_seed():
    trace = recorded(lambda x: S.gradients([x * x], [x], [paddle.exp(x)]))
    assert [one.name for one in trace.values if one.seed] == ["exp_0.tmp_0"]


def test_a_pass_within_a_branch_is_a_pass():
    def build(x):
        def train():
            loss = paddle.mean(x * x)
            S.append_backward(loss)
            return loss

        return [S.nn.cond(paddle.sum(x) > 0, train, lambda: paddle.mean(x))]

    trace = recorded(build)
    assert trace.passes == 1
    assert {event.op for event in events(trace, "grad")} == {"reduce_mean_grad", "elementwise_mul_grad"}
    (stored,) = events(trace, "store")
    assert (value(trace, stored.about), stored.into, stored.owner) == ("x", "program", "conditional_block")


def test_a_run_that_raises_ends_its_pass_with_the_error():
    def build(x):
        def fail(x, y, dy):
            raise RuntimeError("no")

        out = S.default_main_program().current_block().create_var("out", [2], "float32")
        S.py_func(lambda a: np.asarray(a) * 2, x, out, fail)
        return S.gradients(out, x)

    def go_on(_):
        paddle.disable_static()
        paddle.tanh(paddle.ones([2]))

    trace = recorded(build, between=go_on, raises=pytest.raises(RuntimeError, match="no"))
    (began,) = events(trace, "backward")
    assert began.error.startswith("RuntimeError: no")
    assert (trace.events[-1].op, trace.events[-1].phase, trace.events[-1].depth) == ("tanh", "forward", 0)


# -- sums and updates ---------------------------------------------------------------------------------------------


def towers(x):
    """Two parameters that are equal in all, used by the same operators."""
    a, b = parameter("a"), parameter("b")
    loss = paddle.mean(a * x) + paddle.mean(b * x) + paddle.mean(a + b)
    paddle.optimizer.SGD(0.5).minimize(loss)
    return [loss]


def test_every_update_names_the_gradient_of_its_own_parameter():
    trace = recorded(towers)
    for event, name in zip(events(trace, "update"), "ab", strict=True):
        assert value(trace, event.about) == name
        assert f"{name}@GRAD" in " ".join(why(trace, event).rule)


def test_every_sum_names_its_terms():
    trace = recorded(towers)
    sums = {value(trace, event.about): event for event in events(trace, "accumulate")}
    for name in "ab":
        (rule,) = why(trace, sums[name]).rule
        assert rule == f"{name}@GRAD = {name}@GRAD@RENAME@block0@0 + {name}@GRAD@RENAME@block0@1"


def test_what_a_gradient_reads_after_an_update_is_what_its_rule_says():
    """A second minimize differentiates behind the update of the first, as in Paddle: with the new numbers."""

    def build(x):
        a, b = parameter("a"), parameter("b")
        loss = paddle.mean(a * b)
        paddle.optimizer.SGD(0.5, parameters=[a]).minimize(loss)
        paddle.optimizer.SGD(0.5, parameters=[b]).minimize(loss)
        return [loss]

    trace = recorded(build)
    first, second = [event for event in events(trace, "grad") if event.op == "elementwise_mul_grad"]
    updated = events(trace, "update")[0].outputs[0]
    assert trace.differentiated(first).inputs[0] != updated
    assert trace.differentiated(second).inputs[0] == updated


# -- recording while a Program is built -------------------------------------------------------------------------


def test_a_recording_may_begin_while_a_program_is_built():
    paddle.enable_static()
    with debug.record() as run, S.program_guard(S.Program(), S.Program()), paddle.utils.unique_name.guard():
        x = S.data("x", [2])
        y = paddle.tanh(x)
        S.Executor().run(feed={"x": ONES}, fetch_list=[y])
    paddle.disable_static()
    assert [event.op for event in run.trace.events] == ["tanh"]


def test_what_is_fetched_goes_to_python():
    trace = recorded(lambda x: [x * 2.0])
    assert [(value(trace, read.value), read.how) for read in trace.reads] == [("tmp_0", "fetch_list")]
