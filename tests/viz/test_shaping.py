"""Frames around calls of layers, and what an optimizer did."""

import re
from itertools import pairwise

import pytest

from minipaddle.page.story import sentences
from minipaddle.viz.choices import BadOption
from minipaddle.viz.model.collapse import close_deeper, close_matching
from minipaddle.viz.model.focus import near
from minipaddle.viz.model.fold import fold, runs_of
from minipaddle.viz.model.labels import details, label
from minipaddle.viz.model.outcome import CUT, NOT_DIFFERENTIABLE, NOT_REACHED, STOPPED, ZERO
from minipaddle.viz.opening import Room
from minipaddle.viz.options import Options, shaped, styled
from minipaddle.viz.picture import Picture

NET = """
class Block(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)

    def forward(self, x):
        return x + paddle.tanh(self.fc(x))

class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.blocks = paddle.nn.LayerList([Block() for _ in range(4)])
        self.last = paddle.nn.Linear(2, 1)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.last(x)

net = Net()
optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
loss = net(paddle.ones([3, 2])).sum()
loss.backward()
optimizer.step()
"""


@pytest.fixture
def net(draw):
    return draw(NET)


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


# -- options -----------------------------------------------------------------------------------------------------------


def test_a_large_graph_is_folded_unless_told_otherwise(chain):
    graph = chain(300)
    assert len(shaped(graph, Options()).nodes) == 7
    assert "7 of 605 nodes, repeats as ×n" in shaped(graph, Options()).subtitle
    assert shaped(graph, Options(fold="none")).nodes == graph.nodes


def test_what_can_not_be_folded_is_cut_at_the_loss(draw):
    graph = draw(
        "x = paddle.to_tensor([0.5], stop_gradient=False)\ny = x\n"
        "for k in range(90):\n    y = y * (k + 1.5) if k % 7 % 3 else paddle.tanh(y)\ny.sum().backward()"
    )
    small = shaped(graph, Options(), Room(few=10, most=20))
    assert len(small.nodes) <= 20
    assert "sum_grad" in {node.title for node in small.nodes.values()}


@pytest.mark.parametrize("side", ["forward", "backward"])
def test_one_side(net, side):
    seen = shaped(net, Options(view=side))
    assert {node.side for node in seen.nodes.values()} <= {side, "update"}
    assert not [edge for edge in seen.edges if edge.kind == "saved"]


@pytest.mark.parametrize("focus", ["last.weight±1", "last.weight+-1", "last.weight:1", "last.weight ± 1"])
def test_focus(net, focus):
    seen = shaped(net, Options(focus=focus))
    assert {node.title for node in seen.nodes.values()} == {
        *("last.weight", "matmul", "last.weight.grad", "sgd update")
    }


def test_near_goes_along_arrows_against_them_and_across(net):
    (loss,) = [node.id for node in net.nodes.values() if node.title == "sum"]  # it keeps nothing for backward
    (made_of,) = [edge.tail for edge in net.edges if edge.head == loss]
    found = near(net, [loss], 2)
    assert [id_ for id_, steps in found.items() if steps == 0] == [loss]
    once = {id_ for id_, steps in found.items() if steps == 1}
    assert {net.nodes[id_].title for id_ in once - {made_of}} == {"sum_grad"}
    assert made_of in once
    assert max(found.values()) == 2


def test_focus_on_what_is_not_there(net):
    with pytest.raises(BadOption, match=r"no node is called 'last\.wieght'; do you mean last\.weight"):
        shaped(net, Options(focus="last.wieght±1"))


def test_highlight(net):
    style = styled(net, Options(highlight=r"^tanh_grad$"))
    assert {net.nodes[id_].title for id_ in style.marked} == {"tanh_grad"}


@pytest.mark.parametrize("by", ["grad", "value", "rms", "time", "bytes", "py:abs(out).max()", "py:norm * 2"])
def test_colours(net, by):
    style = styled(net, Options(color_by=by))
    assert len(set(style.fills.values())) > 2
    assert style.scale.startswith("colour: ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"color_by": "mood"}, "there are role, grad, value, rms, time, bytes, nan, py:EXPRESSION"),
        ({"collapse": "("}, r"collapse '\(' is no regular expression"),
        ({"highlight": "["}, r"highlight '\[' is no regular expression"),
        ({"color_by": "py:1 +"}, r"colour expression '1 \+'"),
        ({"color_by": "py:nothing"}, "colour expression 'nothing': NameError"),
        ({"color_by": "py:out.__class__"}, "is not for expressions"),
        ({"color_by": "py:open('x')"}, "is not for expressions"),
    ],
)
def test_bad_options(net, options, said):
    with pytest.raises(BadOption, match=said):
        styled(net, Options(**options))


def kept_words(graph, **options):
    return shaped(graph, Options(saved=True, **options)).subtitle.rpartition(", ")[2]


def test_what_several_operators_keep_is_counted_once(draw):
    graph = draw(
        """
        x = paddle.rand([250])
        x.stop_gradient = False
        (x * paddle.tanh(x)).sum().backward()
        """
    )
    assert [edge.nbytes for edge in graph.edges if edge.kind == "saved"] == [2000, 1000]
    assert kept_words(graph) == "2 kB kept for backward by 2 operators"


@pytest.mark.parametrize("depth", [None, 0])
def test_what_a_pylayer_saves_is_counted_whether_it_is_open_or_closed(draw, depth):
    graph = draw(
        """
        class Square(paddle.autograd.PyLayer):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, dy):
                (x,) = ctx.saved_tensor()
                return dy * x + x * dy

        x = paddle.rand([250])
        x.stop_gradient = False
        Square.apply(x).sum().backward()
        """
    )
    assert kept_words(graph, depth=depth) == "1 kB kept for backward by 1 operator"
    drawn = shaped(graph, Options(saved=True, depth=depth))
    assert {edge.nbytes for edge in drawn.edges if edge.kind == "saved"} == {1000}


# -- states ------------------------------------------------------------------------------------------------------------


def test_states_are_told_apart_in_words(draw):
    graph = draw(
        """
        fine = paddle.to_tensor([1.5, -2.0], stop_gradient=False)
        zero = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        rounded = paddle.to_tensor([1.5, 2.5], stop_gradient=False)
        plain = paddle.to_tensor([1.0, 2.0])
        index = paddle.argmax(rounded)
        with paddle.no_grad():
            apart = fine * 2.0
        loss = (fine * plain + zero * 0.0 + apart + index.astype("float32")).sum()
        loss.backward()
        """
    )
    states = {node.title: node.state for node in graph.nodes.values() if node.state}
    assert states["plain"] == STOPPED
    assert states["zero.grad"] == ZERO
    assert states["rounded"] == NOT_REACHED
    assert states["argmax"] == NOT_DIFFERENTIABLE
    assert f"{CUT} (no_grad)" in states.values()
    assert "fine.grad" not in states


def test_a_page_has_room_for_more(chain):
    picture = Picture(chain(300))
    assert len(picture.seen("html").nodes) == 605
    assert len(picture.seen("svg").nodes) == len(picture.graph.nodes) == 7
    assert picture.seen("svg") is picture.graph


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
    assert label(rule)[-1].startswith("norm 0 to")
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
