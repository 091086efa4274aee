"""What a recording says was told by the engine: each of these was once found out by comparing, and found out wrong."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.checks.flow import gradient_flow
from minipaddle.core.watching import watching
from minipaddle.debug import Session
from minipaddle.debug.forks import Forks
from minipaddle.explain.why import why
from minipaddle.trace import Recorder, load, save


def record(script):
    recorder = Recorder(__file__)
    with watching(recorder):
        script()
    return recorder.finish()


def leaf(*numbers):
    return paddle.to_tensor(list(numbers), stop_gradient=False)


def events(trace, kind):
    return [event for event in trace.events if event.kind == kind]


def equal_parameters():
    """The script of issue 10."""
    constant = paddle.nn.initializer.Constant(1.0)
    a = paddle.create_parameter([2], "float32", default_initializer=constant)
    b = paddle.create_parameter([2], "float32", default_initializer=constant)
    optimizer = paddle.optimizer.SGD(0.1, parameters=[a, b])
    for _ in range(2):
        loss = a.sum() + b.sum()
        loss.backward()
    optimizer.step()


def test_an_update_reads_the_gradient_of_its_own_parameter():
    session = Session(record(equal_parameters))
    rules = [why(session.trace, event).rule for event in events(session.trace, "update")]
    assert rules == [["a = a - 0.1 * a.grad"], ["b = b - 0.1 * b.grad"]]


def test_one_gradient_set_changes_one_parameter():
    session = Session(record(equal_parameters))
    session.go_to_event(events(session.trace, "update")[0].index)
    forks = Forks(session)
    forks.set("b.grad", 0.0)
    assert {(change.name, change.after.array.tolist()[0]) for change in forks.changes(0)} == {
        ("b", 1.0),
        ("b.grad", 0.0),
    }


def test_two_gradients_over_one_array_are_two():
    a, b = leaf(1.0), leaf(1.0)
    optimizer = paddle.optimizer.SGD(0.1, parameters=[b, a])

    def script():
        (a + b).sum().backward()
        assert a.grad.array is b.grad.array
        optimizer.step()

    trace = record(script)
    for event in events(trace, "update"):
        store = trace.events[trace.values[event.inputs[1]].producer]
        assert trace.values[store.about].holder == trace.values[event.about].holder


def test_a_seed_is_a_term_where_roots_of_a_pass_meet():
    x = leaf(3.0)

    def script():
        y = x * 2
        paddle.autograd.backward([x, y], [paddle.to_tensor([5.0]), paddle.to_tensor([7.0])])

    trace = record(script)
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

    trace = record(script)
    (error,) = events(trace, "error")
    (began,) = events(trace, "backward")
    (leave,) = events(trace, "leave")
    assert error.op == "OSError"
    assert began.error.startswith("OSError")
    assert leave.error == "KeyError: 'lost'"


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

    trace = record(script)
    (step,) = (event for event in events(trace, "grad") if event.op == "pylayer_grad")
    enter, leave = (trace.events[index] for index in step.body)
    made = [event.outputs[0] for event in trace.events[enter.index + 1 : leave.index]]
    assert step.parts == [() if part is None else (made[part],) for part in parts]


def test_a_swapped_answer_is_followed_in_a_fork():
    def script(value=1.0):
        x, y = leaf(1.0), leaf(1.0)
        first, second = swapping(lambda dx, dy: (dy, dx)).apply(x, y)
        (first * value + second).sum().backward()

    session = Session(record(script))
    session.goto("first@GRAD")
    forks = Forks(session)
    forks.set("first@GRAD", 3.0)
    changed = {change.name: change.after.array.tolist() for change in forks.changes(0)}
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
    record(script)
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

    session = Session(record(script))
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
        session = Session(record(lambda part=part: script(part=part)))
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

    trace = record(script)
    (read,) = trace.reads
    assert (trace.values[read.value].name, read.how) == ("loss", "item")
    assert read.where.text == "if loss.item() > 1:"
    assert trace.events[read.before_event].kind == "backward"


def test_what_is_told_is_in_the_file_too(tmp_path):
    trace = record(equal_parameters)
    save(trace, tmp_path / "run.mpt", numbers=False)
    again = load(tmp_path / "run.mpt")
    for event, other in zip(trace.events, again.events, strict=True):
        assert (event.about, event.before, event.into, event.parts) == (
            other.about,
            other.before,
            other.into,
            other.parts,
        )
    for value, other in zip(trace.values, again.values, strict=True):
        assert (value.holder, value.version, value.same, value.seed) == (
            other.holder,
            other.version,
            other.same,
            other.seed,
        )


def test_titles_and_names_decide_nothing():
    trace = record(equal_parameters)
    for value in trace.values:
        value.name = "same"
    for event in trace.events:
        event.title, event.note = "same", ""
    session = Session(trace)
    last = events(trace, "update")[-1]
    grad = trace.values[last.inputs[1]]
    store = trace.events[grad.producer]
    assert trace.values[store.about].holder == trace.values[last.about].holder
    session.go_to_event(store.index)
    assert trace.values[store.before].array.tolist() == [1.0, 1.0]


def test_the_averages_of_a_batch_norm_are_buffers_and_no_name_says_so():
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.norm = paddle.nn.BatchNorm1D(2)
            self._own = self.create_parameter([2])
            self._own.stop_gradient = True

        def forward(self, x):
            return self.norm(x) * self._own

    net = Net()
    trace = record(lambda: net(paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]])).sum().backward())
    kinds = {value.name.rpartition(".")[2]: value.kind for value in trace.values}
    assert (kinds["_mean"], kinds["_variance"], kinds["_own"]) == ("buffer", "buffer", "parameter")
    verdicts = {
        row.name.rpartition(".")[2]: row.verdict for row in gradient_flow(trace).rows if row.event is None
    }
    assert verdicts == {"_own": "frozen"}


def test_a_fork_says_that_python_has_read_what_is_another_now():
    def script():
        w = leaf(2.0)
        loss = (w * 3).sum()
        rate = 0.1 / float(loss)
        step = w * rate
        assert step is not None

    session = Session(record(script))
    fork = Forks(session).set("w", 4.0)
    assert [said for said in fork.lost if "rate = 0.1 / float(loss)" in said] == fork.lost
    assert len(fork.lost) == 1


def test_of_two_parameters_with_one_name_the_one_without_gradient_is_found():
    def script():
        for learns in (False, True):
            w = paddle.create_parameter(
                [1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0)
            )
            y = w * 2
            if learns:
                y.sum().backward()

    flow = gradient_flow(record(script), 1)
    assert [(row.name, row.verdict) for row in flow.rows if row.event is None] == [("w", "unused")]


def test_what_nobody_recorded_leaves_a_node_with_the_call_that_made_it():
    """``h.add_(b)`` within ``no_grad`` changes h, and not what backward goes through: the product before it."""
    a, b = leaf(1.0, 1.0), leaf(1.0, 1.0)

    def script():
        h = a * 2.0
        with paddle.no_grad():
            h.add_(b)
        (h * b).sum().backward()

    trace = record(script)
    rule = next(event for event in events(trace, "grad") if event.op == "scale_grad")
    assert trace.events[rule.origin].op == "scale"
    session = Session(trace)
    Forks(session).set("b", [2.0, 3.0])
    stored = next(event for event in events(session.trace, "store") if event.title == "a")
    assert session.trace.values[session.trace.at(stored.outputs[0], stored.index)].array.tolist() == [4, 6]


@pytest.mark.parametrize(("factor", "verdict"), [(0.0, "dead"), (float("nan"), "NaN"), (2.0, "ok")])
def test_flow_goes_on_through_the_hook_of_a_leaf(factor, verdict):
    """What is stored is what the hook returned: the parameter learns nothing though all rules are well."""
    b = leaf(1.0, 1.0)
    b.register_hook(lambda gradient: gradient * factor)
    flow = gradient_flow(record(lambda: (b * b).sum().backward()))
    (row,) = [row for row in flow.rows if row.event is not None and row.event.op == "hook"]
    assert (row.verdict, row.begins, row.is_parameter) == (verdict, verdict != "ok", True)
    assert [other.verdict for other in flow.rows if other is not row] == ["ok"] * 3
    assert flow.findings == ([] if verdict == "ok" else [row])


@pytest.mark.parametrize("way", ["clip_grad_norm_", "clip_grad_value_"])
def test_an_update_after_a_clip_reads_the_clipped_gradient_of_its_parameter(way):
    def script():
        constant = paddle.nn.initializer.Constant(1.0)
        both = [paddle.create_parameter([2], "float32", default_initializer=constant) for _ in range(2)]
        optimizer = paddle.optimizer.SGD(0.5, parameters=both)
        (both[0].sum() + both[1].sum()).backward()
        norm = getattr(paddle.nn.utils, way)(both, 0.25)
        assert norm is None or abs(norm.item() - 2.0) < 1e-6
        optimizer.step()

    trace = record(script)
    for update in events(trace, "update"):
        clipped = trace.values[update.inputs[1]]
        (store,) = [one for one in events(trace, "store") if one.outputs[0] == trace.maker(clipped).inputs[0]]
        assert trace.values[store.about].holder == trace.values[update.about].holder
        assert clipped.name == store.title + ".grad"


def test_an_outer_statement_gives_its_name_to_no_clipped_gradient():
    x = leaf(3.0, 4.0)

    def script():
        (x * x).sum().backward()
        total = paddle.nn.utils.clip_grad_norm_([x], 1.0)
        return total + 1.0

    trace = record(script)
    assert [value.name for value in trace.values if value.name == "total"] == ["total"]
    (made,) = [value for value in trace.values if value.name == "total"]
    assert made.producer is None  # the norm, worked out with NumPy


def test_statistics_that_to_static_writes_back_are_told():
    norm = paddle.nn.BatchNorm1D(2, momentum=0.5)
    step = paddle.jit.to_static(lambda x: norm(x))
    numbers = np.array([[1.0, 2.0], [3.0, 6.0]], "float32")
    step(paddle.to_tensor(numbers))  # the first call makes the Program
    before = norm._mean.numpy()
    trace = record(lambda: (norm._mean * 1.0, step(paddle.to_tensor(numbers)), norm._mean * 1.0))
    first, last = [event for event in trace.events if event.op == "scale"]
    assert np.array_equal(trace.values[first.inputs[0]].array, before)
    written = trace.values[last.inputs[0]]
    assert np.array_equal(written.array, norm._mean.numpy())
    assert not np.array_equal(written.array, before)
    assert trace.maker(written).op == "overwrite"


def test_what_is_set_before_backward_ends_no_step():
    x, h = leaf(2.0), paddle.to_tensor([0.0])
    w = paddle.create_parameter([1], "float32")
    optimizer = paddle.optimizer.SGD(0.1, parameters=[w])
    recorder = Recorder(__file__, step=1)
    with watching(recorder):
        y = x * w
        h.set_value(np.ones(1, "float32"))
        (y * h).sum().backward()
        optimizer.step()
        w.clear_grad()
        (x * w).sum().backward()
    trace = recorder.finish()
    assert trace.passes == 1
    grads = events(trace, "grad")
    assert grads
    assert all(event.origin is not None for event in grads)
