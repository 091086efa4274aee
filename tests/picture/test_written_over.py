"""What was written over through another tensor stands where the tape has it: no data that the gradient missed."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.model.outcome import NOT_REACHED
from minipaddle.tools.picture.terminal.tree import tree_rows
from minipaddle.tools.record import Recorder
from minipaddle.tools.record.labels import without_number
from minipaddle.tools.words.terminal import ASCII


def of_a_view(x):
    h = x * 1.0
    v = h[0]
    v[0] = 1.0
    h.add_(paddle.ones([2, 2]))
    return (h * h).sum() + v.sum()


def detached(x):
    h = x * 1.0
    with paddle.no_grad():
        h.detach()[0] = 1.0
    return (h * h).sum()


def twice(x):
    h = x * 1.0
    v = h.reshape([4])
    v.scale_(1.0)
    v.scale_(1.0)
    return (h * v.reshape([2, 2])).sum()


@pytest.fixture(params=[of_a_view, detached, twice])
def trace(request):
    def script():
        x = paddle.to_tensor(np.ones([2, 2], "float32"), stop_gradient=False)
        request.param(x).backward()
        assert x.grad is not None

    recorder = Recorder(__file__)
    with watching(recorder):
        script()
    return recorder.finish()


def test_it_is_no_data_that_the_gradient_did_not_reach(trace):
    graph = mirror(trace, 1)
    assert [node.title for node in graph.nodes.values() if node.state == NOT_REACHED] == []
    rows = list(tree_rows(graph, ASCII))
    assert not any(NOT_REACHED in f"{row.what} {row.numbers} {row.saved}" for row in rows)
    assert any("written over" in row.saved for row in rows)


def test_its_arrow_comes_from_what_made_it_and_says_what_wrote(trace):
    graph = mirror(trace, 1)
    over = [edge for edge in graph.edges if "written over" in edge.label]
    assert over
    for edge in over:
        made = trace.events[graph.nodes[edge.tail].event]
        (value,) = edge.values
        holders = {one.holder for one in trace.known(made.outputs)}
        assert value.holder in holders
        assert value.id not in made.outputs


def test_it_keeps_its_name(trace):
    names = {value.holder: set() for value in trace.values}
    for value in trace.values:
        if value.kind != "gradient":
            names[value.holder].add(without_number(value.name))
    assert not any(len(one) > 1 for one in names.values()), names


def test_a_rule_that_raises_for_it_is_the_one_that_kept_it():
    recorder = Recorder(__file__)
    with watching(recorder):
        x = paddle.to_tensor(np.ones([4], "float32"), stop_gradient=False)
        y = paddle.tanh(x)
        v = y.reshape([2, 2])
        v.add_(paddle.ones([2, 2]))
        loss = (v * v).sum()
        with pytest.raises(RuntimeError, match="TanhGradNode"):
            loss.backward()
    graph = mirror(recorder.finish(), 1)
    (red,) = [node for node in graph.nodes.values() if node.kind == "error"]
    assert (red.title, graph.nodes[red.twin].title) == ("tanh_grad", "tanh")
    (writer,) = [edge.tail for edge in graph.edges if edge.head == red.id and edge.kind == "write"]
    assert graph.nodes[writer].title == "add"
