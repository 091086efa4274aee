"""Loops of Programs, long sums, truth values, what stands in a frame: each was drawn falsely, or not at all."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import static as S
from minipaddle.core.watching import watching
from minipaddle.explain.why import why
from minipaddle.trace import Recorder
from minipaddle.viz.model.labels import label
from minipaddle.viz.model.mirror import mirror
from minipaddle.viz.options import Options
from minipaddle.viz.picture import Picture


@pytest.fixture
def loop():
    """The recording of a loop over fed data whose counter has a gradient."""
    paddle.enable_static()
    main = S.Program()
    with S.program_guard(main, S.Program()):
        x = S.data("x", [2])
        i = paddle.full([1], 0.0)
        s = paddle.zeros([2])
        x.stop_gradient = i.stop_gradient = s.stop_gradient = False
        i, s = S.nn.while_loop(lambda i, s: i < 3.0, lambda i, s: (i + 1.0, s + x * i), [i, s])
        loss = s.sum() + i.sum()
        (gradient,) = S.gradients(loss, [x])
    recorder = Recorder("loop.py")
    with watching(recorder):
        fed = {"x": np.ones(2, "float32")}
        (found,) = S.Executor().run(main, feed=fed, fetch_list=[gradient])
    paddle.disable_static()
    assert found.tolist() == [3, 3]
    return recorder.finish()


def test_a_sum_over_iterations_is_a_plus(loop):
    graph = mirror(loop)
    (while_grad,) = [node for node in graph.nodes.values() if node.title == "while_grad"]
    sums = [node for node in graph.nodes.values() if node.kind == "accumulate" and len(node.takes) == 3]
    (total,) = sums
    assert total.results[0].array.tolist() == [3, 3]
    assert [edge.head for edge in graph.edges if edge.tail == total.id] == [while_grad.id]
    parts = [edge.tail for edge in graph.edges if edge.head == total.id]
    assert [graph.nodes[id_].title for id_ in parts] == ["multiply_grad"] * 3
    assert graph.clusters[total.cluster].title.startswith("while_grad")
    direct = [edge.tail for edge in graph.edges if edge.head == while_grad.id and edge.kind == "gradient"]
    assert not set(direct) & set(parts)
    assert list(graph.nodes).index(total.id) < list(graph.nodes).index(while_grad.id)


def test_its_page_is_drawn(loop):
    assert b"while_grad" in Picture(mirror(loop), loop, Options(), "tape").rendered("html").data


def test_a_page_of_a_sum_of_thousands_of_terms(record):
    trace = record(
        "x = paddle.to_tensor([1.0], stop_gradient=False)\nterms = [x * float(i) for i in range(1249)]\n"
        "sum(terms[1:], terms[0]).backward()"
    )
    last = [event for event in trace.events if event.kind == "accumulate"][-1]
    (said,) = why(trace, last).says
    assert "(scale script.py:2 ×1249)" in said
    picture = Picture(mirror(trace), trace, Options(), "tape")
    assert b"Two gradients meet" in picture.rendered("html").data


def test_truth_values_and_integers_are_written_as_they_are(draw):
    graph = draw(
        "x = paddle.to_tensor([1.0, -2.0], stop_gradient=False)\nm = x > 0\nn = paddle.to_tensor([1234567])\n"
        "(paddle.where(m, x * n.astype('float32'), x)).sum().backward()"
    )
    shown = {
        node.results[0].name: label(node)[-2:] + label(node, "full")[1:3] for node in graph.nodes.values()
    }
    assert "True, False" in shown["m"][0]
    assert "[True, False]" in shown["m"]
    assert "1234567" in shown["n"]


def test_data_stand_outside_the_frame_of_a_layer(draw):
    graph = draw(
        "net = paddle.nn.Linear(2, 2)\nx = paddle.ones([1, 2])\ny = paddle.to_tensor([[1.0, 2.0]])\n"
        "net(y).sum().backward()"
    )
    frames = {node.title: node.cluster for node in graph.nodes.values()}
    assert frames["y"] is None
    assert graph.clusters[frames["net.weight"]].title == "net: Linear"
