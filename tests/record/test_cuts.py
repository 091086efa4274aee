"""A recording is told where tensors leave the graph, and where the user put them into it."""

import pytest

from minipaddle import paddle
from tests.support import recordings
from tests.support.recordings import cuts


def recorded(function):
    kept = []
    return recordings.recorded(lambda: kept.append(function()))


def names(trace):
    def name(id_):
        return None if id_ is None else trace.values[id_].name

    return [(cut.how, name(cut.value), name(cut.made)) for cut in trace.cuts]


def test_every_cut_says_what_it_made_of_what():
    trace = recorded(cuts)
    assert names(trace) == [
        ("to_tensor", None, "w"),
        ("stop_gradient=False", None, "w"),
        ("numpy", "h", "a"),
        ("detach", "h", "b"),
        ("to_tensor", "h", "c"),
        ("to_tensor", None, "d"),
        ("stop_gradient=True", "e", "e"),
    ]
    first = cuts.__code__.co_firstlineno
    assert [cut.where.number - first for cut in trace.cuts] == [2, 2, 4, 5, 6, 7, 9]


def turned_before(x):
    x.stop_gradient = False
    return x.detach()


def turned_after(x):
    d = x.detach()
    x.stop_gradient = False
    return d


def turned_itself(x):
    d = x.detach()
    d.stop_gradient = False
    return d


def turned_both(x):
    d = turned_before(x)
    d.stop_gradient = False
    return d


@pytest.mark.parametrize("detached", [turned_before, turned_after, turned_itself, turned_both])
def test_what_is_detached_of_a_leaf_made_by_an_operator_is_another_value(detached):
    def script():
        x = paddle.ones([2])
        d = detached(x)
        loss = (d * x).sum()
        loss.backward()
        return x, d, loss

    trace = recorded(script)
    made, joined = (event for event in trace.events[:2])
    assert joined.inputs[1] == made.outputs[0] != joined.inputs[0]
    assert trace.values[joined.inputs[0]].same == made.outputs[0]
    stored = [event.about for event in trace.events if event.kind == "store"]
    assert len(set(stored)) == len(stored) == (1 + (detached is turned_both))
    wanting = {"turned_itself": [0], "turned_both": [0, 1]}.get(detached.__name__, [1])
    assert sorted(stored) == sorted(joined.inputs[place] for place in wanting)


def test_what_no_grad_does_not_record_is_told():
    def script():
        w = paddle.to_tensor([1.0], stop_gradient=False)
        with paddle.no_grad():
            h = w * 2
        k = w * 3
        k.stop_gradient = True
        return h, k * 4, paddle.ones([1]) * 5

    trace = recorded(script)
    assert [event.grad for event in trace.events if event.kind == "op"] == [False, True, True, True, True]


def test_what_an_optimizer_trains_is_told():
    def script():
        one, other = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2)
        other(one(paddle.ones([1, 2]))).sum().backward()
        return one, other, paddle.optimizer.SGD(0.1, parameters=other.parameters())

    trace = recorded(script)
    (trained,) = trace.trained
    held = {one.holder for one in trace.values if one.kind == "parameter" and "other." in one.name}
    assert set(trained) == held
    assert len(held) == 2
