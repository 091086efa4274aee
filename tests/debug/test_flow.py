"""`flow`: every way to learn nothing has its name, and the place where it begins stands first."""

import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.checks.flow import flow_lines, flow_object, gradient_flow
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.what_if import Forks
from minipaddle.tools.explain.why import why
from minipaddle.tools.record import Recorder
from tests.support.recordings import leaf


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.used = paddle.nn.Linear(2, 2)
        self.frozen = paddle.nn.Linear(2, 2)
        self.idle = paddle.nn.Linear(2, 2)
        self.aside = paddle.nn.Linear(2, 2)
        for parameter in self.frozen.parameters():
            parameter.stop_gradient = True

    def forward(self, x):
        self.aside(x)
        return self.used(self.frozen(x))


def network():
    net = Net()
    net(paddle.ones([3, 2])).mean().backward()


def chain(function, times):
    def script():
        x = paddle.to_tensor([0.5, -0.5], stop_gradient=False)
        h = x
        for _ in range(times):
            h = function(h)
        loss = h.sum()
        loss.backward()

    return script


def verdicts(flow):
    return {row.name: row.verdict for row in flow.rows if row.is_parameter}


def test_parameters_that_get_nothing_are_told_apart(record):
    found = verdicts(gradient_flow(record(network)))
    by_layer = {name.split(".")[-2]: verdict for name, verdict in found.items()}
    assert by_layer == {"used": "ok", "frozen": "frozen", "idle": "unused", "aside": "unused"}
    assert {row.verdict for row in gradient_flow(record(network)).findings} == {"unused"}


@pytest.mark.parametrize(
    ("function", "times", "verdict", "begins"),
    [
        (paddle.nn.functional.sigmoid, 30, "vanishing", "sigmoid"),
        (lambda h: h * 10, 5, "exploding", "scale"),
        (lambda h: paddle.nn.functional.relu(h - 10), 1, "dead", "relu"),
        (lambda h: h * float("nan"), 1, "NaN", "scale"),
        (lambda h: h * 2, 2, "ok", None),
    ],
    ids=["vanishing", "exploding", "dead", "nan", "ok"],
)
def test_the_culprit_stands_first(record, function, times, verdict, begins):
    flow = gradient_flow(record(chain(function, times)))
    assert verdicts(flow)["x" if "x" in verdicts(flow) else "h"] == verdict
    assert (flow.rows[0].event.title if flow.rows[0].begins else None) == begins
    assert bool(flow.findings) == (verdict != "ok")
    assert len(flow_lines(flow)) == len(flow.rows) + 2 + len(flow.reasons)
    assert len(flow_object(flow)["flow"]) == len(flow.rows)


@pytest.mark.parametrize("start", [0.0, 1.0])
def test_a_parameter_that_is_used_twice_is_judged_by_the_sum(record, start):
    def script():
        w = paddle.to_tensor([[0.5]], stop_gradient=False)
        h = paddle.full([1, 1], start)
        for _ in range(2):
            h = paddle.matmul(h, w) + 1.0
        h.sum().backward()

    def nothing():
        w = paddle.to_tensor([[0.5]], stop_gradient=False)
        zero = paddle.zeros([1, 1])
        (paddle.matmul(zero, w) + paddle.matmul(zero, w)).sum().backward()

    flow = gradient_flow(record(script))
    assert flow.findings == []
    assert flow.summary == "pass 1: 1 parameters, all well"
    assert not any(row.begins for row in flow.rows)
    assert {row.verdict for row in gradient_flow(record(nothing)).findings} == {"dead"}


def test_the_limits_are_the_users(record):
    trace = record(chain(lambda h: h * 10, 2))
    assert not gradient_flow(trace).findings
    assert gradient_flow(trace, high=50).findings
    assert gradient_flow(trace, by="norm", low=1e4, high=1e5).findings


def test_what_is_not_known_is_not_said_to_be_well(record):
    def script():
        w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        y = w * 3
        y.register_hook(lambda grad: paddle.to_tensor(grad.numpy() * 2))
        y.sum().backward()

    session = Session(record(script))
    session.goto("y@GRAD")
    Forks(session).set("y@GRAD", 4.0)
    flow = gradient_flow(session.trace)
    assert flow.summary == "pass 1: 1 parameters, 1 unknown"
    assert flow.findings == []
    assert not any(row.begins for row in flow.rows)


def test_a_leaf_that_is_cut_off_is_unused_and_why_names_the_cut(record):
    def script():
        x, w = (paddle.to_tensor(one, stop_gradient=False) for one in ([1.0, -2.0], [1.0, 1.0]))
        y = paddle.nn.functional.relu(x)
        y.stop_gradient = True
        z = y * 2 + 1
        (z * w).sum().backward()

    trace = record(script)
    rows = {row.name: row.verdict for row in gradient_flow(trace).rows}
    assert (rows["x"], rows["w"]) == ("unused", "ok")
    (event,) = (one for one in trace.events if one.kind == "grad" and one.title == "multiply")
    said = why(trace, event).says[-1]
    assert said.startswith(
        "z gets none: y required gradient, but stop_gradient was set to True (test_flow.py:"
    )
    assert "no_grad" not in said


def test_a_recomputed_part_gives_its_parameters_their_gradients():
    """The pass that runs within the backward of recompute was left out: no operator was said to use them."""
    layer = paddle.nn.Linear(2, 2)
    recorder = Recorder()
    with watching(recorder):
        x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
        paddle.distributed.fleet.utils.recompute(lambda v: paddle.tanh(layer(v)), x).sum().backward()
    found = gradient_flow(recorder.finish())
    arrived = {row.name: row.value for row in found.rows if row.is_parameter}
    expected = {"x": x.grad, "layer.weight": layer.weight.grad, "layer.bias": layer.bias.grad}
    assert {name: value.array.tolist() for name, value in arrived.items()} == {
        name: gradient.tolist() for name, gradient in expected.items()
    }
    assert {row.verdict for row in found.rows} == {"ok"}
    assert not found.reasons


def test_a_sum_that_is_zero_is_no_gradient_that_is_well(record):
    """Each term was ok, and the sum was said to be zero and well."""

    def script():
        x, w = leaf(1.0, 1.0), leaf(1.0, 1.0)
        ((x * w).sum() - (x * w).sum() + (w * w).sum()).backward()
        return x, w

    found = gradient_flow(record(script))
    assert [(row.name, row.verdict) for row in found.findings] == [("x", "dead")]
    assert found.findings[0].value.array.tolist() == [0, 0]
    assert found.summary == "pass 1: 2 parameters, 1 dead"


class Switched(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.one, self.other = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2)

    def forward(self, x, first):
        return self.one(x) if first else self.other(x)


def test_a_leaf_that_paddle_grad_was_not_asked_for_is_not_unused(record):
    def script():
        x, w = leaf(1.0, 1.0), leaf(1.0, 1.0)
        y = x * w
        aside = leaf(1.0, 1.0)
        unused = aside * 1
        paddle.grad((y * y).sum(), [y])
        return x, w, unused

    found = gradient_flow(record(script))
    verdicts = {row.name: row.verdict for row in found.rows if row.event is None}
    assert verdicts == {"x": "not asked", "w": "not asked", "aside": "unused"}
    assert [row.name for row in found.findings] == ["aside"]
    assert {row.event.title for row in found.rows if row.event is not None} == {"sum", "multiply"}


def test_a_pass_that_an_error_broke_off_left_no_leaf_unused(record):
    def refused(gradient):
        raise ValueError("no")

    def script():
        x, w, aside = leaf(1.0, 1.0), leaf(1.0, 1.0), leaf(1.0, 1.0)
        h = x * 1
        h.register_hook(refused)
        unused = aside * 1
        with pytest.raises(OSError, match="no"):
            (h * w).sum().backward()
        return x, w, unused

    found = gradient_flow(record(script))
    verdicts = {row.name: row.verdict for row in found.rows if row.event is None}
    assert verdicts == {"x": "broken off", "w": "broken off", "aside": "unused"}
    assert found.summary == "pass 1: 3 parameters, 2 broken off, 1 unused"
    assert sum("an error broke this backward pass off" in said for said, _ in found.reasons) == 1


def test_a_parameter_is_unused_whatever_another_one_is_called(record):
    """Of two nets each used the other's half: by their names, all were used."""

    def script():
        a, b = Switched(), Switched()
        (a(paddle.ones([2]), True) + b(paddle.ones([2]), False)).sum().backward()

    unused = [row.name for row in gradient_flow(record(script)).rows if row.verdict == "unused"]
    assert unused == ["a.other.bias", "a.other.weight", "b.one.bias", "b.one.weight"]


def test_a_tied_weight_is_used_under_its_other_name(record):
    def script():
        table, head = paddle.nn.Embedding(2, 2), paddle.nn.Linear(2, 2, bias_attr=False)
        head.weight = table.weight
        head(table(paddle.to_tensor([0, 1]))).sum().backward()

    assert gradient_flow(record(script)).summary == "pass 1: 1 parameters, all well"
