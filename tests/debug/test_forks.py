"""What-if: a fork runs the dependents of the change again, and nothing else; the recording is unchanged."""

from functools import partial

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.debug import NoMove, Session
from minipaddle.tools.debug.what_if import Forks
from minipaddle.tools.record import load, save
from tests.support.recordings import same_values
from tests.support.runs import train


def training():
    net = paddle.nn.Sequential(
        paddle.nn.Linear(3, 4), paddle.nn.Tanh(), paddle.nn.Dropout(0.5), paddle.nn.Linear(4, 1)
    )
    optimizer = paddle.optimizer.Adam(0.1, parameters=net.parameters())
    x = paddle.to_tensor(np.linspace(-1, 1, 12).reshape(4, 3).astype("float32"))
    for _ in range(2):
        loss = (net(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()


def double_backward():
    x = paddle.to_tensor([0.5, 2.0], stop_gradient=False)
    y = (x * x * x).sum()
    (g,) = paddle.grad(y, x, create_graph=True)
    (g * g).sum().backward()


def hooked(optimizer, first=0.3):
    """Hooks of leaves and in between, micro-batches that accumulate, an update, and all of it again."""
    w = paddle.create_parameter([2, 2], "float32", default_initializer=paddle.nn.initializer.Constant(first))
    b = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(-0.2))
    w.register_hook(lambda grad: paddle.clip(grad, -0.1, 0.1))
    b.register_hook(lambda grad: grad * 2)
    b.register_hook(lambda grad: grad + 0.01)
    optimizer = optimizer(learning_rate=0.1, parameters=[w, b])
    for step in range(2):
        for micro in range(3):
            h = paddle.matmul(paddle.to_tensor([[1.0, step + 2.0]]), w) * (micro + 1) + b
            h.register_hook(lambda grad: grad * 3)
            (paddle.tanh(h) * h).sum().backward()
        optimizer.step()
        optimizer.clear_grad()


OPTIMIZERS = (paddle.optimizer.SGD, paddle.optimizer.Momentum, paddle.optimizer.Adam)


@pytest.mark.parametrize(
    "script", [train, training, double_backward, *(partial(hooked, one) for one in OPTIMIZERS)]
)
def test_the_old_value_gives_the_old_run_to_the_bit(record, script):
    trace = record(script)
    for value in [value for value in trace.values if value.kind in ("parameter", "leaf", "data", "result")]:
        session = Session(trace)
        if value.producer is not None:
            session.go_to_event(value.producer)
        if session.made(value.name) is not value:
            continue
        forks = Forks(session)
        fork = forks.set(value.name, value.array)
        assert fork.lost == []
        assert same_values(trace, fork.trace), value.name
        assert forks.changes(0) == []


def test_a_new_value_gives_the_run_that_it_would_have_given(record):
    def script(scale):
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        h = x * scale
        h.register_hook(lambda grad: grad * 2)
        loss = (paddle.tanh(h) * h).sum()
        loss.backward()

    trace, wanted = record(lambda: script(3.0)), record(lambda: script(1.0))
    session = Session(trace)
    session.goto("h")
    fork = Forks(session).set("h", np.array([1.0, 2.0]))
    for name in ("loss", "h@GRAD"):
        mine = [value.array for value in fork.trace.values if value.name == name]
        theirs = [value.array for value in wanted.values if value.name == name]
        for one, other in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_another_first_weight_gives_the_training_that_it_would_have_given(record, optimizer):
    """Through hooks, clipping, accumulation and updates, to the bit."""
    trace, wanted = record(lambda: hooked(optimizer)), record(lambda: hooked(optimizer, 0.7))
    session = Session(trace)
    fork = Forks(session).set("w", session.made("w").array * 0 + np.float32(0.7))
    assert fork.lost == []
    assert len(session.trace.values) == len(wanted.values)
    assert same_values(session.trace, wanted)


@pytest.mark.parametrize("replace", [2.0, 1.0])
def test_a_change_before_a_hook_goes_through_it(record, replace):
    """Also through a hook that happened to return its argument's numbers."""

    def script():
        w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        w.register_hook(lambda grad: grad * replace)
        y = w * 3
        y.register_hook(lambda grad: grad * replace)
        y.register_hook(lambda grad: grad + replace)
        y.sum().backward()

    session = Session(record(script))
    session.goto("y@GRAD")
    before = session.made("y@GRAD")
    assert before.array.tolist() == [1, 1]
    Forks(session).set("y@GRAD", np.array([2.0, 4.0]))
    session.goto("end")
    wanted = [(2 * replace + replace) * 3 * replace, (4 * replace + replace) * 3 * replace]
    assert session.made("w.grad").array.tolist() == wanted


def test_what_a_hook_makes_without_operators_is_not_guessed(record):
    def script():
        w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        y = w * 3
        y.register_hook(lambda grad: paddle.to_tensor(grad.numpy() * 2))
        y.sum().backward()

    session = Session(record(script))
    session.goto("y@GRAD")
    fork = Forks(session).set("y@GRAD", np.array([2.0, 4.0]))
    assert "the hook returned" in fork.lost[0]
    assert "2 events that need" in fork.lost[-1]
    session.goto("end")
    assert session.made("w.grad").array is None


def test_an_input_of_this_event_runs_it_again(record):
    session = Session(record(train))
    wanted = session.trace.values[session.event.outputs[0]].array * 2
    Forks(session).set("x", session.made("x").array * 2)
    np.testing.assert_array_equal(session.trace.values[session.event.outputs[0]].array, wanted)


def test_events_before_the_change_show_what_they_used(record):
    """So do their names; gradients find the new numbers from there on."""
    session = Session(record(train))
    old = session.made("x").array
    session.position = next(
        at for at, i in enumerate(session.stops) if session.trace.events[i].phase == "backward"
    )
    here = session.position
    forks = Forks(session)
    forks.set("x", old * 2)
    np.testing.assert_array_equal(session.made("x").array, old * 2)
    assert "x" in [after.name for _, after in forks.changes(0)]
    session.goto("0")
    assert session.made("x").array is old
    assert session.trace.value(session.event.inputs[0]).array is old
    np.testing.assert_array_equal(
        session.trace.value(session.event.outputs[0]).array, old @ session.made("w").array
    )
    session.goto("w@GRAD")
    (grad,) = session.trace.known(session.event.outputs)
    (before,) = [value for value in forks.all[0].trace.values if value.id == grad.id]
    np.testing.assert_allclose(grad.array, before.array * 2, rtol=1e-6)
    session.goto(str(here - 1))
    forks.set("x", old * 3)
    assert session.made("x").array[0, 0] == 3
    session.goto("end")
    assert session.made("x").array[0, 0] == 2, "what was set later holds later"


def test_what_grad_held_is_what_is_added_to_whoever_changed_it(record):
    def script(scale=1.0):
        w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        x = paddle.to_tensor([2.0, 2.0]) * scale
        (w * x).sum().backward()
        with paddle.no_grad():
            w.grad.scale_(0.5)
        (w * 3).sum().backward()
        w.grad = w.grad * 2
        (w * w).sum().backward()

    trace, wanted = record(script), record(lambda: script(2.0))
    session = Session(trace)
    assert Forks(session).set("w", session.made("w").array).lost == []
    assert same_values(trace, session.trace)
    session.trace = trace
    session.goto("x")
    Forks(session).set("x", session.made("x").array * 2)
    session.goto("end")
    expected = [value.array for value in wanted.values if value.name == "w.grad"][-1]
    np.testing.assert_array_equal(session.made("w.grad").array, expected)


def test_what_was_before_stays_and_so_does_the_recording(record):
    trace = record(train)
    before = [np.copy(value.array) for value in trace.values]
    session = Session(trace)
    session.goto("h")
    forks = Forks(session)
    forks.set("h", session.made("h").array * 0)
    assert session.trace is not trace
    assert all(np.array_equal(old, value.array) for old, value in zip(before, trace.values, strict=True))
    changed = forks.changes(0)
    assert changed
    assert all((after.producer or session.event.index) >= session.event.index for _, after in changed)
    forks.switch(0)
    assert session.trace is trace


def test_forks_of_forks_and_switching(record):
    session = Session(record(train))
    session.goto("h")
    forks = Forks(session)
    forks.set("h", session.made("h").array + 1)
    forks.set("h", session.made("h").array - 1)
    assert forks.current == 2
    assert len(forks.changes(0)) <= len(forks.changes(1))
    with pytest.raises(NoMove, match="numbered 0 to 2"):
        forks.switch(3)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("nobody", 1, "no nobody"),
        ("z", 1, "not made yet"),
        ("x", np.zeros(7), "does not fit"),
        ("x", "a", "does not fit"),
    ],
)
def test_what_cannot_be_set_is_refused(session, name, value, said):
    with pytest.raises(NoMove, match=said):
        Forks(session).set(name, value)


def test_a_recording_from_a_file_forks_too(record, tmp_path):
    trace = record(training)
    save(trace, tmp_path / "run.mpt")
    session = Session(load(tmp_path / "run.mpt"))
    session.goto("loss")
    fork = Forks(session).set("loss", session.made("loss").array)
    assert same_values(trace, fork.trace)


def test_a_change_goes_through_accumulated_gradients_into_the_update(record):
    """What an optimizer reads as `.grad` after two passes is the recorder's own sum, in other memory."""

    def script(scale=1.0):
        w = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(3.0))
        x = paddle.to_tensor([1.0, 2.0])
        optimizer = paddle.optimizer.SGD(0.5, parameters=[w])
        for _ in range(2):
            (w * x * scale).sum().backward()
        optimizer.step()

    session = Session(record(script))
    Forks(session).set("x", np.array([3.0, 6.0]))
    session.goto("end")
    (w,) = session.trace.known(session.event.outputs)
    assert w.array.tolist() == [3 - 0.5 * 6, 3 - 0.5 * 12]
