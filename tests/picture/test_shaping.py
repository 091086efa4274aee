"""Frames around calls of layers, and what an optimizer did."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from minipaddle.tools.page.story import sentences
from minipaddle.tools.picture.model.collapse import close_matching
from minipaddle.tools.picture.model.fold import fold, runs_of
from minipaddle.tools.picture.model.labels import details, label, tooltip
from minipaddle.tools.picture.options import Options, shaped
from tests.support.closing import close_deeper


def titles(graph, side="forward"):
    return {cluster.title for cluster in graph.clusters.values() if cluster.side == side}


def test_frames_are_named_after_the_layers(net):
    blocks = {f"blocks.{i}: Block" for i in range(4)} | {f"blocks.{i}.fc: Linear" for i in range(4)}
    assert titles(net) == {"net: Net", "last: Linear"} | blocks
    assert titles(net, "backward") == {f"{title} backward" for title in titles(net)}


def test_a_parameter_stands_in_the_frame_of_its_layer(net):
    by_title = {node.title: node for node in net.nodes.values()}
    weight = by_title["blocks.2.fc.weight"]
    assert net.clusters[weight.cluster].title == "blocks.2.fc: Linear"
    gradient = by_title["blocks.2.fc.weight.grad"]
    assert net.clusters[gradient.cluster].title == "blocks.2.fc: Linear backward"


def test_what_two_layers_share_stands_outside_of_both(draw):
    graph = draw(
        """
        one, two = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2)
        two.weight = one.weight
        x = paddle.ones([1, 2])
        two(one(x)).sum().backward()
        """
    )
    shared = next(node for node in graph.nodes.values() if node.title == "one.weight")
    assert shared.cluster is None


def test_every_call_has_a_frame_of_its_own(draw):
    graph = draw(
        "fc = paddle.nn.Linear(2, 2)\nx = paddle.ones([1, 2])\nfor _ in range(3):\n    x = fc(x)\nx.sum().backward()"
    )
    assert sum(cluster.title == "fc: Linear" for cluster in graph.clusters.values()) == 3


def test_updates_stand_beside_the_gradients_they_use(net):
    updates = [node for node in net.nodes.values() if node.kind == "update"]
    assert len(updates) == 10
    for node in updates:
        (edge,) = [edge for edge in net.edges if edge.head == node.id]
        assert net.nodes[edge.tail].title == f"{net.nodes[node.twin].title}.grad"


def test_closed_layers(net):
    closed = close_deeper(net, 1)
    layers = [node for node in closed.nodes.values() if node.kind == "layer"]
    assert [node.title for node in layers] == [*(f"blocks.{i}: Block" for i in range(4)), "last: Linear"]
    assert layers[0].state == "4 operators, 2 parameters"
    chain = [(edge.tail, edge.head) for edge in closed.edges if edge.kind == "value"]
    for before, after in pairwise(layers):
        assert (before.id, after.id) in chain
    rules = {node.twin: node for node in closed.nodes.values() if node.kind == "layer_grad"}
    assert rules.keys() == {node.id for node in layers}
    assert rules[layers[0].id].state == "4 rules, 2 gradients stored"
    place = {id_: number for number, id_ in enumerate(closed.nodes)}
    for edge in closed.edges:
        assert place[edge.tail] < place[edge.head]


def test_all_closed_is_one_node_a_side(net):
    closed = close_deeper(net, 0)
    assert closed.clusters == {}
    kinds = [node.kind for node in closed.nodes.values()]
    assert (kinds.count("layer"), kinds.count("layer_grad")) == (1, 1)


def test_a_closed_layer_tells_of_the_loss_and_of_where_the_gradient_ends(draw):
    script = """
net = paddle.nn.Linear(2, 2)
loss = paddle.nn.CrossEntropyLoss()(net(paddle.ones([1, 2])), paddle.to_tensor([1]))
loss.backward()
"""
    told = sentences(close_deeper(draw(script), 0)).values()
    (last,) = [said for said in told if "CrossEntropyLoss computes" in said]
    assert "computes loss [] = " in last
    (back,) = [said for said in told if said.startswith("net: Linear backward")]
    assert "is where the gradient ends up (2 rules, 2 gradients stored)" in back
    (through,) = [said for said in told if "CrossEntropyLoss backward" in said]
    assert "gives back" in through


def test_sums_go_where_all_their_gradients_come_from(net):
    graph = close_deeper(net, 1)
    assert not [node for node in graph.nodes.values() if node.kind == "accumulate"]
    block = next(node for node in graph.nodes.values() if node.title == "blocks.1: Block backward")
    assert [value.of for value in block.results] == [
        next(node for node in graph.nodes.values() if node.title == "blocks.0: Block").value
    ]
    assert block.state == "4 rules, 2 gradients stored"
    opened = close_matching(net, re.compile("Linear"))
    assert (
        len([node for node in opened.nodes.values() if node.kind == "accumulate"]) == 3
    )  # inside open blocks


def test_closing_by_name_takes_the_twin_along(net):
    closed = close_matching(net, Options(collapse=r"blocks\.1\b").pattern("collapse"))
    assert {node.title for node in closed.nodes.values() if node.kind in ("layer", "layer_grad")} == {
        "blocks.1: Block",
        "blocks.1: Block backward",
    }


def test_a_closed_pylayer_is_the_pylayer(draw, scripts):
    closed = close_deeper(draw(scripts["pylayer"]), 0)
    kinds = [node.kind for node in closed.nodes.values()]
    assert kinds.count("pylayer") == kinds.count("pylayer_grad") == 1
    assert "op" not in {node.kind for node in closed.nodes.values() if node.title == "exp"}


# -- repeats -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("", []),
        ("abcabc", []),
        ("abcabcabc", [(0, 3, 3)]),
        ("xaaay", [(1, 1, 3)]),
        ("ababababx", [(0, 2, 4)]),
        ("aabaabaab", [(0, 3, 3)]),
        ("zzzxyxyxy", [(0, 1, 3), (3, 2, 3)]),
    ],
)
def test_runs(line, found):
    assert [(run.start, run.length, run.rounds) for run in runs_of(line)] == found


def test_blocks_are_drawn_once(net):
    folded = fold(net)
    assert "blocks.0…3: Block ×4" in titles(folded)
    assert "blocks.0…3: Block backward ×4" in titles(folded, "backward")
    inner = "blocks.0…3.fc: Linear ×4"
    assert inner in {frame.title for frame in folded.clusters.values()}
    assert "blocks.1: Block" not in titles(folded)
    counted = {node.heading for node in folded.nodes.values() if node.count > 1}
    assert {"tanh ×4", "tanh_grad ×4", "sgd update ×4", "blocks.0…3.fc.weight ×4"} <= counted
    assert "blocks.3…0.fc.weight.grad ×4" in counted
    assert not any(heading.startswith("blocks.1") for heading in counted)


def test_nothing_is_lost(net):
    folded = fold(net)
    assert sum(node.count for node in folded.nodes.values()) == len(net.nodes)
    rows = list(folded.rows())
    assert rows
    assert all(forward in folded.nodes and other in folded.nodes for forward, other in rows)


def test_a_chain_becomes_one_node(chain):
    folded = fold(chain(1000))
    assert [node.heading for node in folded.nodes.values()][1:3] == ["tanh ×1000", "sum"]
    assert len(folded.nodes) == 7


def test_what_does_not_repeat_stays(draw, scripts):
    graph = draw(scripts["shared"])
    assert fold(graph) is graph


def test_a_shared_leaf_stays_one(draw):
    graph = draw(
        "w = paddle.to_tensor([2.0], stop_gradient=False)\ny = w.exp()\n"
        "for _ in range(5):\n    y = paddle.tanh(y * w)\ny.backward()"
    )
    leaves = [node for node in fold(graph).nodes.values() if node.kind == "parameter"]
    assert [(node.title, node.count) for node in leaves] == [("w", 1)]


def test_a_folded_node_states_no_numbers_of_the_first_round_for_all(draw):
    graph = draw(
        """
        w = paddle.to_tensor([2.0], stop_gradient=False)
        h = paddle.to_tensor([0.0])
        for _ in range(8):
            h = h * w + 1.0
        h.backward()
        """
    )
    folded = fold(graph)
    (multiply,) = [node for node in folded.nodes.values() if node.title == "multiply"]
    assert multiply.count == 8
    names = "multiply_0…14 [1]"
    assert label(multiply) == ("multiply ×8", names, "norm 0 to 254")
    assert label(multiply, "none") == ("multiply ×8", names)
    (rule,) = [node for node in folded.nodes.values() if node.title == "multiply_grad"]
    assert label(rule)[2::2] == ("norm 2 to 128", "norm 127 to 0")  # each in the order of the run
    inside = [edge for edge in folded.edges if edge.kind == "gradient" and folded.nodes[edge.head].count > 1]
    assert [edge.label for edge in inside] == [""] * len(inside)
    assert "= 0" not in sentences(folded)[multiply.id]


def test_closed_layers_are_no_repeats(net):
    """Updates of the parameters of one layer are drawn as one: that is no round of a loop."""
    assert shaped(net, Options(depth=0)).subtitle.endswith("nodes")


def test_updates_of_a_closed_layer_name_every_parameter(draw):
    graph = draw(
        """
        net = paddle.nn.Linear(2, 3)
        loss = net(paddle.ones([1, 2])).sum()
        loss.backward()
        paddle.optimizer.SGD(0.1, parameters=net.parameters()).step()
        """
    )
    closed = shaped(graph, Options(depth="0"))
    (update,) = [node for node in closed.nodes.values() if node.side == "update"]
    assert update.heading == "sgd update ×2"
    assert [line.split()[0] for line in details(update, "none")] == ["net.weight", "net.bias"]
    assert "repeats" not in closed.subtitle
    named = shaped(graph, Options(collapse="Linear"))
    assert [node.count for node in named.nodes.values() if node.side == "update"] == [2]
    assert named.closed == "", "one layer is closed because it was named, and nothing repeats"


def test_a_closed_layer_says_how_many_more_results_it_has(draw):
    graph = close_deeper(
        draw(
            "class Cut(paddle.nn.Layer):\n    def forward(self, x):\n        return paddle.split(x, 5)\n"
            "x = paddle.ones([5])\nx.stop_gradient = False\ncut = Cut()\n"
            "a, b, c, d, e = cut(x)\n(a * b * c * d * e).sum().backward()"
        ),
        0,
    )
    (closed,) = [node for node in graph.nodes.values() if node.kind == "layer"]
    assert [value.name for value in closed.results] == ["a", "b", "c", "d", "e"]
    assert label(closed) == ("cut: Cut", "a [1] 1", "b [1] 1", "c [1] 1", "... and 2 more", "1 operator")
    assert "e [1] float32" in tooltip(closed)
    assert "more" not in tooltip(closed)
    four = label(replace(closed, results=closed.results[:4]))
    assert four[-2:] == ("d [1] 1", "1 operator"), "a line on one more takes as much room as that one"
