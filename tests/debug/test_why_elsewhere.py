"""The statements of `why` about a rule hold for any gradient, not only for the equal numbers of the run."""

import numpy as np
import pytest

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from minipaddle.tools.explain.why import why

X = [[1.0, 2.0], [3.0, 4.0]]
ROWS = [[1, 1], [0, 0]]
OPERATORS = {
    "flip": lambda x: paddle.flip(x, [0]),
    "roll": lambda x: paddle.roll(x, 1, 0),
    "transpose": lambda x: x.t(),
    "sort": lambda x: paddle.sort(x, axis=0, descending=True),
    "cumsum": lambda x: paddle.cumsum(x, 0),
    "softmax": F.softmax,
    "log_softmax": F.log_softmax,
    "gather": lambda x: paddle.gather(x, paddle.to_tensor([1, 0])),
    "layer_norm": lambda x: F.layer_norm(x, 2),
    "take_along_axis": lambda x: paddle.take_along_axis(x, paddle.to_tensor(ROWS), 1),
    "slice": lambda x: x[::-1],
    "tril": paddle.tril,
    "cumprod": lambda x: paddle.cumprod(x, 0),
    "inverse": paddle.linalg.inv,
    "relu": lambda x: F.relu(x - 2.0),
    "clip": lambda x: paddle.clip(x, 1.5, 3.5),
    "abs": paddle.abs,
    "times nothing": lambda x: x * 0.0,
    "add": lambda x: x + 1.0,
    "reshape": lambda x: x.reshape([2, 2]),
    "cast": lambda x: x.astype("float64"),
    "where": lambda x: paddle.where(paddle.to_tensor(X) > 2, x, paddle.zeros([2, 2])),
    "masked_fill": lambda x: paddle.masked_fill(x, paddle.to_tensor(X) > 2, 0.0),
    "batch_norm": lambda x: paddle.nn.BatchNorm1D(2)(x),
    "matmul": lambda x: x @ paddle.ones([2, 2]),
}
CAME = (
    [[0.0, 1.0], [1.0, -1.0]],
    [[0.0, 0.0], [0.0, 0.0]],
    [[1.0, 1.0], [1.0, 1.0]],
    [[0.0, 0.0], [1.0, 2.0]],
)


def leaf(values):
    return paddle.to_tensor(values, stop_gradient=False)


def jacobian(name):
    """Return the change of the outputs with each element: its rows are outputs."""
    made = OPERATORS[name](leaf(X))
    rows = []
    for place in range(made.size):
        x = leaf(X)
        only = np.zeros(made.size, made.numpy().dtype)
        only[place] = 1
        (row,) = paddle.grad(OPERATORS[name](x), x, paddle.to_tensor(only.reshape(made.shape)))
        rows.append(row.numpy().ravel())
    return np.array(rows)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("came", range(len(CAME)))
def test_equal_numbers_say_nothing_of_an_operator(record, name, came):
    def script():
        made = OPERATORS[name](leaf(X))
        made.backward(paddle.to_tensor(CAME[came]).astype(made.dtype))

    trace, slopes = record(script), jacobian(name)
    rules = [event for event in trace.events if event.kind == "grad"]
    says = [line for event in rules for line in why(trace, event).says]
    handed_on = [line for line in says if "passes the gradient on" in line]
    if len(handed_on) == len(rules):
        assert np.array_equal(slopes, np.eye(4))
    counts = [int(line.split()[0]) for line in says if "became zero" in line]
    assert sum(counts) <= (~slopes.any(axis=0)).sum()


@pytest.mark.parametrize("name", ["add", "cast"])
def test_what_hands_on_any_gradient_is_said_to(record, name):
    def script():
        made = OPERATORS[name](leaf(X))
        made.backward(paddle.to_tensor(CAME[0]).astype(made.dtype))

    trace = record(script)
    (rule,) = [event for event in trace.events if event.kind == "grad"]
    assert any("passes the gradient on" in line for line in why(trace, rule).says)


def test_equal_elements_share_the_gradient_of_a_maximum(record):
    trace = record(lambda: paddle.max(leaf([[1.0, 3.0], [3.0, 3.0]]), axis=0).sum().backward())
    (rule,) = [event for event in trace.events if event.kind == "grad" and event.title == "max"]
    assert any("each gets an equal part" in line for line in why(trace, rule).says)
    assert not any("only the element that was taken" in line for line in why(trace, rule).says)


def test_where_nothing_was_dropped_nothing_is_said_of_it(record):
    trace = record(lambda: F.dropout(leaf([1.0, 1.0]), 0.0).sum().backward())
    assert not any("dropped" in line for event in trace.events[1:] for line in _says(trace, event))


def _says(trace, event):
    return why(trace, event).says if event.kind == "grad" else []


@pytest.mark.parametrize("ignored", [0, 1, 2])
def test_labels_that_are_ignored_are_told(record, ignored):
    labels = paddle.to_tensor([-100] * ignored + [0] * (2 - ignored))
    trace = record(lambda: F.cross_entropy(leaf(X), labels).backward())
    (rule,) = [event for event in trace.events if event.kind == "grad" and "softmax" in event.title]
    told = [line for line in why(trace, rule).says if "ignored" in line]
    assert [line.startswith(f"{ignored} of 2") for line in told] == [True] * bool(ignored)
