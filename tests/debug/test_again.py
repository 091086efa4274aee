"""`set --rerun`: the script runs again with another number, and all that it does is what a changed script does."""

from contextlib import suppress

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import NoMove, Session
from minipaddle.tools.debug.what_if import Forks
from minipaddle.tools.record import Recorder, load, save
from minipaddle.tools.record.sources.eager.substituting import Putting
from tests.support.runs import Squash


@pytest.fixture
def runs(record):
    """`runs(function)` records a function, so that the recording can run it again."""

    def run(function):
        def again(puts):
            recorder = Putting(puts, 1, __file__)
            with watching(recorder):
                function()
            made = recorder.finish()
            if recorder.missing:
                raise NoMove("the script did not come to this event again")
            made.again = again
            return made

        trace = record(function)
        trace.again = again
        return Session(trace)

    return run


def equal(one, other):
    """Assert that two recordings have the same events, and the same numbers in them."""
    assert [event.title for event in one.events] == [event.title for event in other.events]
    for a, b in zip(one.events, other.events, strict=True):
        for x, y in zip(
            one.known([*a.inputs, *a.outputs]), other.known([*b.inputs, *b.outputs]), strict=True
        ):
            np.testing.assert_array_equal(x.array, y.array, err_msg=f"{a.title} {x.name}")


class Halves(paddle.autograd.PyLayer):
    """Its own code goes by what it is given, forwards and backwards."""

    @staticmethod
    def forward(ctx, x):
        y = x * 0.5 if float(x.sum()) > 0 else x * 0.25
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, y = ctx.saved_tensor()
        return dy * 0.5 if float((x * y).sum()) > 1 else dy * 0.25


def branching(seed, first, report=lambda place, tensor: None):
    """A random training that goes by what it computes: in `if`, numbers, loops, a PyLayer and its gradients."""
    random = np.random.default_rng(seed)
    w = paddle.create_parameter([2, 2], "float32", default_initializer=paddle.nn.initializer.Assign(first))
    x = paddle.to_tensor(random.normal(size=(3, 2)).astype("f4"))
    optimizer = paddle.optimizer.Momentum(0.1, parameters=[w])
    for step in range(2):
        h = x @ w
        report(f"h{step}", h)
        for kind in random.integers(0, 7, 3):
            if kind == 0:
                h = h * 2 if h.sum().item() > random.normal() else h - 3
            elif kind == 1:
                h = Halves.apply(h)
            elif kind == 2:
                h = h / (float(h.abs().max()) + 0.5)
            elif kind == 3:
                while h.abs().max() > 1:
                    h = h * 0.5
            elif kind == 4:
                h = h + paddle.to_tensor(h.numpy() * 0.5)
            elif kind == 5:
                h = paddle.tanh(h)
                report(f"tanh{step}", h)
            elif bool(h.min() > -0.5):
                h = h - paddle.full([2], 0.25)
            else:
                h = paddle.nn.functional.relu(h) + x
        loss = (h * h).mean()
        loss.backward()
        if float(w.grad.abs().max()) > 0.3:
            w.grad.set_value(w.grad * 0.5)
        optimizer.step()
        optimizer.clear_grad()


@pytest.mark.parametrize("seed", range(20))
def test_a_run_with_another_weight_is_the_changed_script(runs, record, seed):
    random = np.random.default_rng(seed + 100)
    first, other = random.normal(size=(2, 2, 2)).astype("f4") * (1, 2)[seed % 2]
    session = runs(lambda: branching(seed, first))
    Forks(session).set_again("w", other)
    equal(session.trace, record(lambda: branching(seed, other)))


@pytest.mark.parametrize("seed", range(20))
def test_a_run_with_another_result_is_the_changed_script(runs, record, seed):
    """The changed script has the result overwritten in memory, where it was made: what is kept for backward has it."""
    random = np.random.default_rng(seed + 200)
    first, other = random.normal(size=(2, 2)).astype("f4"), random.normal(size=(3, 2)).astype("f4")
    places = []
    branching(seed, first, lambda place, tensor: places.append(place))
    chosen = int(random.integers(len(places)))

    met = []

    def changed(place, tensor):
        met.append(place)
        if len(met) == chosen + 1:
            tensor.array[...] = other

    wanted = record(lambda: branching(seed, first, changed))
    session = runs(lambda: branching(seed, first))
    made = [
        e.index
        for e in session.trace.events
        if e.kind == "op" and e.op in ("matmul_v2", "tanh") and not e.depth
    ]
    session.go_to_event(made[chosen])
    value = session.trace.values[session.event.outputs[0]]
    Forks(session).set_again(value.name, other)
    equal(session.trace, wanted)


@pytest.mark.parametrize("name", ["x", "w", "h", "loss", "loss@GRAD", "h@GRAD", "w@GRAD", "w.grad"])
def test_the_old_number_gives_the_old_run_to_the_bit(runs, name):
    def script():
        w = paddle.to_tensor([[0.5, 1.0], [2.0, -1.0]], stop_gradient=False)
        x = paddle.to_tensor([[1.0, 2.0]])
        h = Squash.apply(x @ w)
        h.register_hook(lambda grad: grad * 2)
        loss = (h * h).sum() + h.mean()
        loss.backward()
        paddle.optimizer.SGD(0.1, parameters=[w]).step()

    session = runs(script)
    before = session.trace
    if name == "loss@GRAD":
        session.go_to_backward()
    elif name not in ("x", "w"):
        session.goto(name)
    forks = Forks(session)
    fork = forks.set_again(name, session.made(name).array)
    assert forks.changes(0) == []
    assert fork.says == []
    equal(before, session.trace)


def deep():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = (x * x * x).sum()
    (g,) = paddle.grad(y, x, create_graph=True)
    loss = (g * g).sum()
    loss.backward()


@pytest.mark.parametrize(
    ("name", "wanted"), [("g", [2 * 5 * 6, 2 * 5 * 12]), ("y@GRAD", [2 * 5 * 3 * 5 * 6, 2 * 5 * 12 * 5 * 12])]
)
def test_gradients_of_gradients_find_the_new_number(runs, name, wanted):
    session = runs(deep)
    session.goto(name)
    Forks(session).set_again(name, 5)
    session.goto("end")
    assert session.made("x.grad").array.tolist() == wanted


def gradients():
    w = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
    h = w * 3
    h.register_hook(lambda grad: grad * (2 if float(grad.sum()) > 0 else 10))
    loss = (h * h + h).sum()
    loss.backward()
    if w.grad.max() > 0:
        w.grad * 2


@pytest.mark.parametrize(
    ("name", "new", "grad"),
    [
        ("loss@GRAD", -1, [-42.0, 66.0]),  # -(2h + 1) * 2 * 3 for h = 3, -6; with 1, the hook takes 10
        ("h@GRAD", [-1, -1], [-30.0, -30.0]),
        ("w@GRAD", [-7, -8], [-7.0, -8.0]),
        ("w.grad", [-5, -6], [-5.0, -6.0]),
    ],
)
def test_gradients_are_put_in_on_their_way(runs, name, new, grad):
    session = runs(gradients)
    session.goto("end")
    last = session.made(name)
    maker = last.producer if last.replaces is None else session.trace.values[last.same].producer
    if name == "h@GRAD":  # the sum that the hook is given
        maker = max(e.index for e in session.trace.events if e.kind == "accumulate")
    if maker is not None:
        session.go_to_event(maker)
    else:
        session.goto("loss")
        session.step()
    Forks(session).set_again(name, new)
    session.goto("end")
    assert session.made("w.grad").array.tolist() == grad


def test_a_number_is_put_in_where_the_cursor_is_and_not_before(runs):
    def script():
        x = paddle.to_tensor([2.0], stop_gradient=False)
        y = x * 3
        kept = float(x)
        z = x * kept
        (y + z).sum().backward()

    session = runs(script)
    session.goto("z")
    Forks(session).set_again("x", 10)
    assert session.made("z").array.tolist() == [20]
    assert session.made("y").array.tolist() == [6]
    session.goto("end")
    assert session.made("x.grad").array.tolist() == [5]
    session.goto("y")
    assert session.made("x").array.tolist() == [2]


def test_what_python_reads_before_any_operator_does_is_the_new_number(runs):
    def script():
        a = paddle.to_tensor([1.0], stop_gradient=False)
        x = paddle.to_tensor([2.0], stop_gradient=False)
        b = a * 2
        y = b * x if float(x) > 0 else b - x
        y.backward()

    session = runs(script)
    Forks(session).set_again("x", -4)
    session.goto("y")
    assert session.event.title == "subtract"
    assert session.made("y").array.tolist() == [6]


def test_views_of_it_keep_their_numbers(runs):
    def script():
        x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
        h = x.reshape([2])
        (h * h + x).sum().backward()

    session = runs(script)
    session.goto("h")
    Forks(session).set_again("h", [5.0, 6.0])
    session.goto("end")
    assert session.made("x").array.tolist() == [[1, 2]]
    assert session.made("x.grad").array.tolist() == [[11, 13]]


def test_it_goes_on_behind_an_error(runs):
    def script():
        x = paddle.to_tensor([-1.0, 4.0], stop_gradient=False)
        h = x * 2
        if float(h.min()) < 0:
            raise ValueError("below zero")
        paddle.sqrt(h).sum().backward()

    def caught():
        with suppress(ValueError):
            script()

    session = runs(caught)
    assert session.trace.passes == 0
    session.goto("h")
    fork = Forks(session).set_again("h", [1.0, 4.0])
    assert session.trace.passes == 1
    assert "goes another way" in fork.says[0]


def test_forks_of_runs_and_runs_of_forks(runs):
    def script():
        x = paddle.to_tensor([2.0], stop_gradient=False)
        a = x * 3
        b = a * 5
        c = b - 1 if float(b) > 0 else b * b
        c.backward()

    session = runs(script)
    forks = Forks(session)
    session.goto("a")
    forks.set("a", -1)
    assert [value.name for value in session.trace.values if value.stale is not None] != []
    session.goto("b")
    forks.set_again("b", [7.0])  # and a is -1 in this run, too
    assert session.made("a").array.tolist() == [-1]
    session.goto("c")
    assert session.made("c").array.tolist() == [6]
    session.goto("a")
    forks.set_again("a", [-2.0])
    session.goto("c")
    assert [one.name for one in forks.changes(2)] == ["a"]
    session.goto("a")
    forks.switch(0)
    assert session.made("a").array.tolist() == [6]
    forks.set_again("a", [-2.0])
    session.goto("c")
    assert (session.event.title, session.made("c").array.tolist()) == ("multiply", [100])
    assert {one.name for one in forks.changes(0)} == {"a", "b"}  # from there on the script goes another way


def test_what_cannot_be_is_one_sentence_and_the_session_stays(runs, record, tmp_path):
    def script():
        x = paddle.to_tensor([2.0], stop_gradient=False)
        (x * 3).backward()

    session = runs(script)
    forks, trace = Forks(session), session.trace
    for name, said in {"nobody": "there is no nobody", "x.grad": "not made yet"}.items():
        with pytest.raises(NoMove, match=said):
            forks.set_again(name, 1)
    save(trace, tmp_path / "run.mpt")
    with pytest.raises(NoMove, match="comes from a file"):
        Forks(Session(load(tmp_path / "run.mpt"))).set_again("x", 1)
    drawn = iter([1.0, 2.0])
    unseeded = runs(lambda: named(next(drawn)))
    unseeded.goto("y")
    with pytest.raises(NoMove, match="h is another in every run"):
        Forks(unseeded).set_again("y", 1)
    turns = iter([1, 0])
    other = runs(lambda: script() if next(turns) else deep())
    other.goto("end")
    with pytest.raises(NoMove, match="did not come to this event again"):
        Forks(other).set_again("x.grad", 1)
    assert session.trace is trace
    assert len(forks.all) == 1


def named(scale):
    x = paddle.to_tensor([2.0], stop_gradient=False)
    h = x * scale
    y = h * 2
    y.backward()


def test_recordings_keep_few_numbers_and_runs_again_are_right(record):
    def script():
        w = paddle.to_tensor(np.ones(1000, "f4"), stop_gradient=False)
        h = w * 3
        (h * h).sum().backward()

    def again(puts):
        recorder = Putting(puts, 1, __file__, 0.0)
        with watching(recorder):
            script()
        return recorder.finish()

    recorder = Recorder(__file__, 0.0)
    with watching(recorder):
        script()
    trace = recorder.finish()
    trace.again = again
    session = Session(trace)
    session.goto("h")
    Forks(session).set_again("h", 1)
    session.goto("end")
    assert session.made("w.grad").stats.max == 6
