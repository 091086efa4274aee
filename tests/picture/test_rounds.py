"""Rounds and layers closed and folded: nothing is lost, and what is very deep or wide stays small."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.extent import extent
from minipaddle.tools.picture.draw.json import to_json
from minipaddle.tools.picture.draw.render import render
from minipaddle.tools.picture.fitting import TALL, WIDE
from minipaddle.tools.picture.model.collapse import close, sums_together
from minipaddle.tools.picture.model.focus import standing_for
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.graph import Cluster, Graph, Node
from minipaddle.tools.picture.model.labels import label
from minipaddle.tools.picture.options import Options, shaped
from minipaddle.tools.record import Value
from tests.support.drawn import ENCODER, SKIPS

# -- closing loses nothing ---------------------------------------------------------------------------------------------


@st.composite
def nested(draw):
    """Draw a graph of operators in nested frames, each of which uses what earlier ones made."""
    graph = Graph("drawn", "")
    for number in range(draw(st.integers(0, 6))):
        parent = draw(st.sampled_from([None, *graph.clusters]))
        graph.clusters[f"s{number}"] = Cluster(
            f"s{number}", f"l{number}: L", "forward", parent, "layer", f"l{number}", "L", f"t{number}"
        )
    for number in range(draw(st.integers(1, 14))):
        value = Value(number, f"a{number}", "result", (2,), "float32", False)
        home = draw(st.sampled_from([None, *graph.clusters]))
        used = draw(st.lists(st.integers(0, number - 1), max_size=3)) if number else []
        takes = tuple(graph.nodes[f"f{one}"].results[0] for one in used)
        graph.add(Node(f"f{number}", "op", "tanh", (value,), cluster=home, takes=takes, event=number))
        for slot, one in enumerate(used):
            graph.join(f"f{one}", f"f{number}", "value", "", graph.nodes[f"f{one}"].results, slot=slot)
    return graph


@given(nested(), st.sets(st.integers(0, 6)))
@settings(max_examples=60)
def test_closing_loses_no_node_and_no_edge(graph, chosen):
    closed = {f"s{number}" for number in chosen} & graph.clusters.keys()
    seen = close(graph, lambda cluster: cluster.id in closed)

    def stands_for(node):
        frames = [id_ for id_ in graph.frames_of(node.cluster) if id_ in closed]
        return frames[-1] if frames else node.id

    homes = {id_: stands_for(node) for id_, node in graph.nodes.items()}
    assert set(homes.values()) == seen.nodes.keys()
    joined = {
        (homes[edge.tail], homes[edge.head]) for edge in graph.edges if homes[edge.tail] != homes[edge.head]
    }
    assert {(edge.tail, edge.head) for edge in seen.edges} == joined
    for frame in closed & seen.nodes.keys():
        inside = {id_ for id_, home in homes.items() if home == frame}
        come = {edge.values for edge in graph.edges if edge.head in inside and edge.tail not in inside}
        assert {value for values in come for value in values} == set(seen.nodes[frame].takes)


@pytest.mark.parametrize("rounds", [3, 30])
def test_a_sum_of_sums_is_one_sum_with_all_terms(draw, rounds):
    graph = draw(
        "x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)\n"
        f"for _ in range({rounds}):\n    x = x + paddle.tanh(x) * paddle.exp(x)\nx.sum().backward()"
    )
    together = sums_together(graph)
    before, after = (
        {node.id for node in one.nodes.values() if node.kind == "accumulate"} for one in (graph, together)
    )
    assert (len(before), len(after)) == (2 * rounds, rounds)

    def terms(one):
        sums = {node.id for node in one.nodes.values() if node.kind == "accumulate"}
        return sorted(edge.tail for edge in one.edges if edge.head in sums and edge.tail not in sums)

    assert terms(together) == terms(graph)
    assert all(len(together.nodes[id_].takes) == 3 for id_ in after)
    assert len(fold(together).nodes) < 20


# -- rounds without a layer --------------------------------------------------------------------------------------------


def test_rounds_with_a_skip_have_a_frame_of_their_own(draw):
    graph = draw(SKIPS.format(rounds=60))
    seen = shaped(graph, Options())
    frames = {frame.title: frame for frame in seen.clusters.values()}
    assert frames.keys() == {"×60", "backward ×60"}
    assert {frame.kind for frame in frames.values()} == {"repeat"}
    assert frames["×60"].twin == frames["backward ×60"].id
    inside = {
        frame: {node.heading for node in seen.nodes.values() if node.cluster == one.id}
        for frame, one in frames.items()
    }
    assert inside["×60"] == {"scale ×60", "tanh ×60", "add ×60"}
    assert inside["backward ×60"] == {"scale_grad ×60", "tanh_grad ×60", "add_grad ×60", "+ ×60"}
    assert len(seen.nodes) < 20
    for format in ("dot", "svg"):
        assert render(seen, format).remarks == ()


def test_layers_that_are_rounds_need_no_other_frame_and_frames_in_a_round_stay_in_it(draw):
    graph = draw(
        """
        fc = paddle.nn.Linear(2, 2)
        x = paddle.ones([1, 2])
        for _ in range(40):
            x = x + paddle.tanh(fc(x))
        x.sum().backward()
        """
    )
    seen = shaped(graph, Options())
    (around,) = [frame for frame in seen.clusters.values() if frame.title == "×40"]
    (inner,) = [frame for frame in seen.clusters.values() if frame.side == "forward" and frame is not around]
    assert inner.parent == around.id
    assert list(seen.clusters).index(around.id) < list(seen.clusters).index(inner.id)
    layers = shaped(draw(ENCODER.format(layers=6)), Options())
    assert "repeat" not in {frame.kind for frame in layers.clusters.values()}


# -- bad input ---------------------------------------------------------------------------------------------------------


def test_two_hundred_nested_layers(draw):
    graph = draw(
        """
        class Around(paddle.nn.Layer):
            def __init__(self, inner):
                super().__init__()
                self.inner = inner

            def forward(self, x):
                return paddle.tanh(self.inner(x) if self.inner is not None else x)

        net = None
        for _ in range(200):
            net = Around(net)
        x = paddle.ones([2])
        x.stop_gradient = False
        net(x).sum().backward()
        """
    )
    assert max(graph.depths().values()) == 200
    seen = shaped(graph, Options())
    assert extent(seen, Options()).width <= WIDE
    assert "is closed: --open inner" in seen.closed


def test_a_node_with_a_thousand_inputs_and_a_very_long_name(draw):
    graph = draw(
        f"""
        inputs = [paddle.ones([1]) for _ in range(1000)]
        for one in inputs:
            one.stop_gradient = False
        inputs[0].name = {"x" * 200_000!r}
        paddle.add_n(inputs).sum().backward()
        """
    )
    seen = shaped(graph, Options())
    assert len(seen.nodes) < 20
    assert "x" * 201 not in to_dot(seen)
    assert all(len(label(node)) < 6 for node in seen.nodes.values())


CHAIN = """
x = y = paddle.to_tensor([0.1], stop_gradient=False)
for f in (paddle.tanh, paddle.sin, paddle.exp, paddle.cos, paddle.square, paddle.log1p, paddle.sqrt, paddle.atan,
          paddle.expm1, paddle.abs, paddle.tan, paddle.sinh, paddle.cosh, paddle.log, paddle.erf, paddle.rsqrt):
    y = paddle.sigmoid(f(y) * 0.3 + 1.0) if f is paddle.sin else f(y)
    y = y - paddle.floor(y) + 1.0
y.backward()
"""


def test_of_what_does_not_repeat_nothing_is_said_to_be_drawn_once(draw):
    """It is taller than two screens, and nothing in it can be folded or closed."""
    graph = draw(CHAIN)
    assert extent(graph, Options()).height > 2 * TALL
    seen = shaped(graph, Options())
    assert len(seen.nodes) == len(graph.nodes)
    assert seen.closed == ""


def test_calls_of_a_layer_that_are_taller_than_two_screens_are_closed(draw):
    graph = draw(
        "cell = paddle.nn.LSTMCell(2, 3)\n"
        "h = c = paddle.zeros([1, 3])\n"
        "for _ in range(3):\n"
        "    h, (h, c) = cell(paddle.ones([1, 2]), (h, c))\n"
        "h.sum().backward()"
    )
    assert extent(graph, Options()).height > 2 * TALL
    seen = shaped(graph, Options())
    assert extent(seen, Options()).height <= TALL
    assert "3 layers are closed" in seen.closed


def test_a_state_that_some_of_all_rounds_have_is_counted_once():
    ended = [Node(f"g{place}", "store", "w.grad", state="is zero" if place % 3 else "") for place in range(6)]
    inner = [standing_for(ended[start], ended[start : start + 3]) for start in (0, 3)]
    assert standing_for(inner[0], inner).state == "is zero (4 of 6)"


HALVED = """
w = paddle.to_tensor([0.5], stop_gradient=False)
x = paddle.to_tensor([1.0], stop_gradient=False)
for _ in range(4):
    x = x * w
x.backward()
"""


def test_data_names_every_round_with_its_norm(draw):
    graph = fold(draw(HALVED))
    nodes = json.loads(to_json(graph))["nodes"]
    (multiply,) = [node for node in nodes if node["title"] == "multiply"]
    assert [one["norm"] for one in multiply["rounds"]] == [0.5, 0.25, 0.125, 0.0625]
    assert multiply["rounds"][0]["id"] == multiply["id"]
    assert not any("rounds" in node for node in nodes if node["count"] == 1)
