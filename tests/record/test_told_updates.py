"""The statements about parameters, updates and buffers in a recording come from the engine, not from names."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.checks.flow import gradient_flow
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.what_if import Forks
from minipaddle.tools.explain.why import why
from tests.support.recordings import equal_parameters, events, leaf, recorded


def test_an_update_reads_the_gradient_of_its_own_parameter():
    session = Session(recorded(equal_parameters))
    rules = [why(session.trace, event).rule for event in events(session.trace, "update")]
    assert rules == [["a = a - 0.1 * a.grad"], ["b = b - 0.1 * b.grad"]]


def test_one_gradient_set_changes_one_parameter():
    session = Session(recorded(equal_parameters))
    session.go_to_event(events(session.trace, "update")[0].index)
    forks = Forks(session)
    forks.set("b.grad", 0.0)
    assert {(after.name, after.array.tolist()[0]) for _, after in forks.changes(0)} == {
        ("b", 1.0),
        ("b.grad", 0.0),
    }


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
    trace = recorded(lambda: net(paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]])).sum().backward())
    kinds = {value.name.rpartition(".")[2]: value.kind for value in trace.values}
    assert (kinds["_mean"], kinds["_variance"], kinds["_own"]) == ("buffer", "buffer", "parameter")
    verdicts = {
        row.name.rpartition(".")[2]: row.verdict for row in gradient_flow(trace).rows if row.event is None
    }
    assert verdicts == {"_own": "frozen"}


def test_of_two_parameters_with_one_name_the_one_without_gradient_is_found():
    def script():
        for learns in (False, True):
            w = paddle.create_parameter(
                [1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0)
            )
            y = w * 2
            if learns:
                y.sum().backward()

    flow = gradient_flow(recorded(script), 1)
    assert [(row.name, row.verdict) for row in flow.rows if row.event is None] == [
        ("w #1", "without gradient")
    ]


@pytest.mark.parametrize(("factor", "verdict"), [(0.0, "dead"), (float("nan"), "NaN"), (2.0, "ok")])
def test_flow_goes_on_through_the_hook_of_a_leaf(factor, verdict):
    """What is stored is what the hook returned: the parameter learns nothing though all rules are well."""
    b = leaf(1.0, 1.0)
    b.register_hook(lambda gradient: gradient * factor)
    flow = gradient_flow(recorded(lambda: (b * b).sum().backward()))
    (row,) = [row for row in flow.rows if row.event is not None and row.event.op == "hook"]
    assert (row.verdict, row.begins, row.is_parameter) == (verdict, verdict != "ok", True)
    assert [other.verdict for other in flow.rows if other is not row] == ["ok"] * 3
    assert flow.findings == ([] if verdict == "ok" else [row])


def test_an_update_after_a_clip_reads_the_clipped_gradient_of_its_parameter():
    def script():
        constant = paddle.nn.initializer.Constant(1.0)
        both = [paddle.create_parameter([2], "float32", default_initializer=constant) for _ in range(2)]
        optimizer = paddle.optimizer.SGD(0.5, parameters=both)
        (both[0].sum() + both[1].sum()).backward()
        with paddle.no_grad():
            for one in both:
                one.grad = one.grad.clip(-0.25, 0.25)
        optimizer.step()

    trace = recorded(script)
    for update in events(trace, "update"):
        clipped = trace.values[update.inputs[1]]
        (store,) = [one for one in events(trace, "store") if one.outputs[0] == trace.maker(clipped).inputs[0]]
        assert trace.values[store.about].holder == trace.values[update.about].holder


def test_statistics_that_to_static_writes_back_are_told():
    norm = paddle.nn.BatchNorm1D(2, momentum=0.5)
    step = paddle.jit.to_static(lambda x: norm(x))
    numbers = np.array([[1.0, 2.0], [3.0, 6.0]], "float32")
    step(paddle.to_tensor(numbers))  # the first call makes the Program
    before = norm._mean.numpy()
    trace = recorded(lambda: (norm._mean * 1.0, step(paddle.to_tensor(numbers)), norm._mean * 1.0))
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

    def script():
        y = x * w
        h.set_value(np.ones(1, "float32"))
        (y * h).sum().backward()
        optimizer.step()
        w.clear_grad()
        (x * w).sum().backward()

    trace = recorded(script, step=1)
    assert trace.passes == 1
    grads = events(trace, "grad")
    assert grads
    assert all(event.origin is not None for event in grads)
