"""The statements in a recording come from the engine: each of these was once found by comparing, and was wrong."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.what_if import Forks
from minipaddle.tools.record.kinds import Store
from tests.support.recordings import equal_parameters, events, leaf, recorded


def test_two_gradients_over_one_array_are_two():
    a, b = leaf(1.0), leaf(1.0)
    optimizer = paddle.optimizer.SGD(0.1, parameters=[b, a])

    def script():
        (a + b).sum().backward()
        assert a.grad.array is b.grad.array
        optimizer.step()

    trace = recorded(script)
    for event in events(trace, "update"):
        store = trace.events[trace.values[event.inputs[1]].producer]
        assert trace.values[store.about].holder == trace.values[event.about].holder


def test_a_seed_is_a_term_where_roots_of_a_pass_meet():
    x = leaf(3.0)

    def script():
        y = x * 2
        paddle.autograd.backward([x, y], [paddle.to_tensor([5.0]), paddle.to_tensor([7.0])])

    trace = recorded(script)
    (total,) = events(trace, "accumulate")
    seed, sent = (trace.values[id_] for id_ in total.inputs)
    assert seed.seed
    assert seed.array.tolist() == [5.0]
    assert sent.array.tolist() == [14.0]
    assert trace.values[total.outputs[0]].array.tolist() == [19.0]
    assert trace.values[seed.same].array.tolist() == [5.0]


@pytest.mark.parametrize("on_leaf", [True, False])
def test_an_error_in_a_hook_is_recorded_as_that_error(on_leaf):
    def hook(grad):
        raise KeyError("lost")

    def script():
        x = leaf(1.0)
        y = x * 2
        (x if on_leaf else y).register_hook(hook)
        with pytest.raises(OSError, match="lost"):
            y.sum().backward()

    trace = recorded(script)
    (error,) = events(trace, "error")
    (began,) = events(trace, "backward")
    (leave,) = events(trace, "leave")
    assert error.op == "OSError"
    assert began.error.startswith("OSError")
    assert leave.note == "KeyError: 'lost'"


def swapping(answer):
    class Layer(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x, y):
            return x * 2, y * 2

        @staticmethod
        def backward(ctx, dx, dy):
            return answer(dx * 2, dy * 2)

    return Layer


@pytest.mark.parametrize(
    ("answer", "parts"),
    [
        (lambda dx, dy: (dx, dy), [0, 1]),
        (lambda dx, dy: (dy, dx), [1, 0]),
        (lambda dx, dy: (dx, dx), [0, 0]),
        (lambda dx, dy: (None, dy), [None, 1]),
    ],
)
def test_what_a_py_layer_answers_is_known_by_its_place(answer, parts):
    def script():
        x, y = leaf(1.0) * 1, leaf(1.0) * 1
        first, second = swapping(answer).apply(x, y)
        (first + second).sum().backward()

    trace = recorded(script)
    (step,) = (event for event in events(trace, "grad") if event.op == "pylayer_grad")
    enter, leave = (trace.events[index] for index in step.body)
    made = [event.outputs[0] for event in trace.events[enter.index + 1 : leave.index]]
    assert step.parts == [() if part is None else (made[part],) for part in parts]


def test_a_swapped_answer_is_followed_in_a_fork():
    def script(value=1.0):
        x, y = leaf(1.0), leaf(1.0)
        first, second = swapping(lambda dx, dy: (dy, dx)).apply(x, y)
        (first * value + second).sum().backward()

    session = Session(recorded(script))
    session.goto("first@GRAD")
    forks = Forks(session)
    forks.set("first@GRAD", 3.0)
    changed = {after.name: after.array.tolist() for _, after in forks.changes(0)}
    assert changed["y.grad"] == [6.0]
    assert "x.grad" not in changed


def test_a_gradient_that_was_not_there_reaches_a_hook_as_zeros():
    seen = []

    def script():
        x = leaf(1.0, 2.0)
        inner, _ = swapping(lambda dx, dy: (dx, dy)).apply(x, x)
        inner.register_hook(lambda grad: seen.append(grad.tolist()))
        first, second = swapping(lambda dx, dy: (None, dy)).apply(inner, x)
        (first + second).sum().backward()

    script()
    recorded(script)
    assert seen == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("view", "wanted"),
    [
        (lambda x: x.reshape([3, 1]), [0.0, 0.0, 0.0]),
        (lambda x: x.detach(), [0.0, 0.0, 0.0]),
        (lambda x: x[:2], [0.0, 0.0, 3.0]),
    ],
)
def test_what_is_written_through_a_view_is_seen(view, wanted):
    def script():
        x = paddle.to_tensor([1.0, 2.0, 3.0]) * 1
        seen = view(x)
        seen.zero_()
        y = x + 1
        assert y is not None

    session = Session(recorded(script))
    trace = session.trace
    used = trace.values[events(trace, "op")[-1].inputs[0]]
    assert used.array.tolist() == wanted
    assert used.version == 1
    session.go_to_event(used.producer)
    assert session.find("x").array.tolist() == wanted


def test_a_fork_says_what_it_does_not_know_of_a_view():
    def script(first=1.0, part=2):
        w = paddle.to_tensor([first, 2.0, 3.0])
        x = w * 1
        x[:part].scale_(2.0)
        y = x + 1
        assert y is not None

    for part in (2, 3):
        session = Session(recorded(lambda part=part: script(part=part)))
        fork = Forks(session).set("w", np.array([5.0, 2.0, 3.0], "f4"))
        y = session.find("y", len(session.trace.events))
        if part == 3:
            assert fork.lost == []
            assert y.array.tolist() == [11.0, 5.0, 7.0]
        else:
            assert any("written over memory that it shares" in said for said in fork.lost)
            assert y.array is None


def test_what_python_reads_is_told_with_its_line():
    def script():
        x = leaf(2.0)
        loss = (x * 3).sum()
        if loss.item() > 1:
            loss.backward()

    trace = recorded(script)
    (read,) = trace.reads
    assert (trace.values[read.value].name, read.how) == ("loss", "item")
    assert read.where.text == "if loss.item() > 1:"
    assert trace.events[read.before_event].kind == "backward"


def test_titles_and_names_decide_nothing():
    trace = recorded(equal_parameters)
    for value in trace.values:
        value.name = "same"
    for event in trace.events:
        event.title = "same"
        if isinstance(event, Store):
            event.note = ""
    session = Session(trace)
    last = events(trace, "update")[-1]
    grad = trace.values[last.inputs[1]]
    store = trace.events[grad.producer]
    assert trace.values[store.about].holder == trace.values[last.about].holder
    session.go_to_event(store.index)
    assert trace.values[store.before].array.tolist() == [1.0, 1.0]


def test_a_fork_says_that_python_has_read_what_is_another_now():
    def script():
        w = leaf(2.0)
        loss = (w * 3).sum()
        rate = 0.1 / float(loss)
        step = w * rate
        assert step is not None

    session = Session(recorded(script))
    fork = Forks(session).set("w", 4.0)
    assert [said for said in fork.lost if "rate = 0.1 / float(loss)" in said] == fork.lost
    assert len(fork.lost) == 1


def test_what_nobody_recorded_leaves_a_node_with_the_call_that_made_it():
    """``h.add_(b)`` within ``no_grad`` changes h, and not what backward goes through: the product before it."""
    a, b = leaf(1.0, 1.0), leaf(1.0, 1.0)

    def script():
        h = a * 2.0
        with paddle.no_grad():
            h.add_(b)
        (h * b).sum().backward()

    trace = recorded(script)
    rule = next(event for event in events(trace, "grad") if event.op == "scale_grad")
    assert trace.events[rule.origin].op == "scale"
    session = Session(trace)
    Forks(session).set("b", [2.0, 3.0])
    stored = next(event for event in events(session.trace, "store") if event.title == "a")
    assert session.trace.values[session.trace.at(stored.outputs[0], stored.index)].array.tolist() == [4, 6]
