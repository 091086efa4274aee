"""What a recording holds: every value as it was then, in bounded memory, whatever the script does."""

import threading

import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import Session
from minipaddle.tools.record import Recorder
from tests.support.recordings import Double, kinds, leaf, named, recorded

# -- everything a script may do ------------------------------------------------------------------------------------


def test_double_backward_and_grad():
    def script():
        x = leaf(3.0)
        y = x * x * x
        (dx,) = paddle.grad(y, x, create_graph=True)
        (ddx,) = paddle.grad(dx, x)
        assert ddx.item() == 18

    trace = recorded(script)
    assert trace.passes == 2
    assert named(trace, "dx") == [[27.0]] or [27.0] in named(trace, "dx")


def test_a_backward_within_a_backward_has_a_pass_of_its_own():
    class Nested(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensor()
            with paddle.enable_grad():
                inner = x.detach()
                inner.stop_gradient = False
                (slope,) = paddle.grad(inner * inner, inner)
            return dy * slope

    def script():
        x = leaf(3.0)
        Nested.apply(x).backward()
        assert x.grad.item() == 6

    trace = recorded(script)
    assert trace.passes == 1, "a pass within another is a part of that"
    outer = [event for event in trace.events if event.kind == "grad" and event.op == "pylayer_grad"]
    assert [event.pass_number for event in outer] == [1]
    inside = trace.events[outer[0].body[0] : outer[0].body[1]]
    assert any(event.kind == "grad" and event.pass_number == -1 for event in inside)


def test_hooks_are_bodies_and_what_they_return_is_the_gradient():
    def script():
        x = leaf(1.0, 2.0)
        y = x * 2
        y.register_hook(lambda grad: grad * 10)
        z = y.sum()
        z.backward()

    trace = recorded(script)
    assert [event.op for event in trace.events if event.kind == "enter"] == ["hook"]
    assert named(trace, "x@GRAD") == [[20.0, 20.0]]


@paddle.no_grad()
def one_is_added(grad):
    """In place, and returned is nothing."""
    grad.add_(paddle.ones([2]))


def removed_in_its_run(x):
    handles = []

    def hook(grad):
        handles[0].remove()
        return grad + 1

    handles.append(x.register_hook(hook))


@pytest.mark.parametrize(
    ("prepare", "stored"),
    [
        (lambda x, y: x.register_hook(lambda grad: grad * 10), [[30.0, 30.0], [60.0, 60.0]]),
        (lambda x, y: x.register_hook(lambda grad: paddle.clip(grad, -5, 5)), [[3.0, 3.0], [6.0, 6.0]]),
        (lambda x, y: x.register_hook(lambda grad: None), [[3.0, 3.0], [6.0, 6.0]]),
        (lambda x, y: x.register_hook(one_is_added), [[4.0, 4.0], [8.0, 8.0]]),
        (
            lambda x, y: [x.register_hook(lambda grad: grad * 2), x.register_hook(lambda grad: grad + 1)],
            [[7.0, 7.0], [14.0, 14.0]],
        ),
        (lambda x, y: removed_in_its_run(x), [[4.0, 4.0], [7.0, 7.0]]),
        (
            lambda x, y: [one.register_hook(lambda grad: grad * 2) for one in (x, y)],
            [[6.0, 6.0], [12.0, 12.0]],
        ),
    ],
    ids=["times", "same numbers", "looks on", "in place", "two", "once", "two leaves"],
)
def test_grad_holds_what_the_hooks_of_a_leaf_have_made_of_it(prepare, stored):
    def script():
        x, y = leaf(1.0, 2.0), leaf(1.0, 1.0)
        prepare(x, y)
        for number in range(2):
            (x * 3 + y).sum().backward()
            assert x.grad.tolist() == stored[number]

    trace = recorded(script)
    assert named(trace, "x.grad") == stored
    stores = [event for event in trace.events if event.kind == "store" and event.title == "x"]
    for event in stores:
        assert trace.value(event.inputs[0]).name == "x@GRAD"
    leaves = [event.index for event in trace.events if event.kind == "leave"]
    assert leaves[-1] < max(event.index for event in trace.events if event.kind == "store")
    for event in trace.events:  # what comes out of a hook has been computed inside it
        if event.kind == "leave" and event.outputs:
            assert event.origin < trace.value(event.outputs[0]).producer < event.index


def test_a_hook_that_fails_stores_nothing():
    def script():
        x = leaf(1.0)
        x.register_hook(lambda grad: 1 / 0)
        with pytest.raises(OSError, match="ZeroDivisionError"):
            (x * 3).backward()
        assert x.grad is None

    assert "store" not in kinds(recorded(script))


def test_the_gradient_of_a_hook_is_its_own_though_another_has_the_same_numbers():
    def script():
        x = leaf(1.0, 2.0)
        y, z = x * 3, x * 3
        y.register_hook(lambda grad: grad * 2)
        z.register_hook(lambda grad: grad * 5)
        (y + z).sum().backward()

    trace = recorded(script)
    given = [trace.value(event.inputs[0]) for event in trace.events if event.kind == "enter"]
    made = [trace.value(event.outputs[0]).array[0] for event in trace.events if event.kind == "leave"]
    assert [trace.value(one.of).name for one in given] == ["z", "y"]
    assert made == [5, 2]


def test_an_error_in_the_middle_leaves_a_recording_that_can_be_walked():
    class Broken(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, dy):
            raise ZeroDivisionError("in my backward")

    def script():
        x = leaf(1.0)
        with pytest.raises(OSError, match="in my backward"):
            Broken.apply(x).backward()

    trace = recorded(script)
    assert kinds(trace)[-1] == "error"
    assert "in my backward" in trace.events[-1].note
    session = Session(trace)
    while not session.at_end:
        session.step()
    assert session.event.kind == "error"


def test_another_thread_is_not_recorded():
    def script():
        def elsewhere():
            paddle.ones([3]) + paddle.ones([3])

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        paddle.zeros([2])

    trace = recorded(script)
    assert [event.title for event in trace.events] == ["full"]


# -- names and numbers ---------------------------------------------------------------------------------------------


def test_two_runs_give_the_same_recording():
    def script():
        x = leaf(1.0, 2.0)
        y = Double.apply(x * 2 + 1)
        y.sum().backward()

    def told():
        trace = recorded(script)
        return [value.name for value in trace.values], [
            (event.kind, event.title, event.inputs) for event in trace.events
        ]

    assert told() == told()


def test_a_variable_names_its_value_even_on_the_last_line():
    def script():
        x = leaf(1.0, 2.0)
        y = Double.apply(x)
        return y.sum()

    trace = recorded(script)
    names = [trace.values[event.outputs[0]].name for event in trace.events if event.kind == "op"]
    assert names[:2] == ["out", "y"]


def test_several_outputs_have_several_names():
    def script():
        x = paddle.to_tensor([[3.0, 1.0, 2.0, 0.0]])
        paddle.concat(paddle.split(x, 2, axis=1))
        paddle.topk(x, 2)

    trace = recorded(script)
    names = [trace.values[id_].name for event in trace.events for id_ in event.outputs]
    assert len(set(names)) == len(names)
    assert [name[-4:] for name in names[:2]] == ["_0_0", "_0_1"]
    assert "topk_2_indices" in names


def test_a_tensor_used_on_its_first_line_has_its_name():
    def script():
        weight = leaf(1.0)
        (weight * 2).backward()

    assert named(recorded(script), "weight@GRAD") == [[2.0]]


def test_an_error_in_the_memory_of_one_that_is_gone_is_another():
    recorder = Recorder()
    with watching(recorder):
        recorder.failed(ValueError("first"))
        recorder.failed(ValueError("later"))
    assert [event.note for event in recorder.finish().events] == ["ValueError: first", "ValueError: later"]
