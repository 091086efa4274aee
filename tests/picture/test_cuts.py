"""Leaves that an operator made, and cuts: in the picture, in the tree, and in every other format."""

import pytest

from minipaddle.tools.page.story import sentences
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.model.labels import label
from minipaddle.tools.picture.model.mirror import forward_only, mirror
from minipaddle.tools.picture.terminal.tree import tree_rows
from minipaddle.tools.words.terminal import UNICODE
from tests.support.closing import close_deeper

LEAF = """
x = paddle.randn([2, 3])
x.stop_gradient = False
w = paddle.randn([3, 2]) * 0.1
w.stop_gradient = False
unused = paddle.zeros([2])
unused.stop_gradient = False
y = paddle.matmul(x, w)
"""

CUTS = """
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
h = x * 2
d = h.detach()
n = paddle.to_tensor(h.numpy())
with paddle.no_grad():
    g = h + 1
s = x * 3
s.stop_gradient = True
k = s * 1
loss = (d * x + n * x + g * x + k * x).sum()
"""


def cuts_of(graph):
    """Return (what is cut, what from, how)."""

    def name(id_):
        node = graph.nodes[id_]
        return node.results[0].name

    return {(name(edge.tail), name(edge.head), edge.label) for edge in graph.edges if edge.kind == "cut"}


def tree(trace, graph):
    return [(row.name, row.what, row.saved) for row in tree_rows(graph, UNICODE)]


@pytest.mark.parametrize("backward", [True, False])
def test_a_leaf_that_an_operator_made_is_a_leaf(record, backward):
    trace = record(LEAF + "loss = y.sum()\n" + "loss.backward()\n" * backward)
    graph = mirror(trace) if backward else forward_only(trace)
    leaves = {node.title: node for node in graph.nodes.values() if node.kind == "parameter"}
    assert {name: node.made_by for name, node in leaves.items()} == {"x": "gaussian", "w": "scale"}
    assert [node.title for node in graph.nodes.values() if node.kind == "op"] == ["matmul", "sum"]
    assert "made by gaussian" in label(leaves["x"])
    assert leaves["x"].where == "script.py:2"
    assert "do not lead" not in graph.subtitle
    said = sentences(graph)[leaves["x"].id]
    assert said.startswith("x is a leaf that requires gradient, made by gaussian")
    lines = {name.split()[-1]: what for name, what, _ in tree(trace, graph)}
    assert lines["x"].startswith("leaf made by gaussian")


def test_a_result_that_is_put_back_into_its_graph_is_no_leaf(draw):
    graph = draw(
        "x = paddle.to_tensor([1.0], stop_gradient=False)\nh = x * 2\nh.stop_gradient = True\n"
        "h.stop_gradient = False\nloss = h.sum()\nloss.backward()"
    )
    assert [node.title for node in graph.nodes.values() if node.kind == "op"] == ["scale", "sum"]
    assert not cuts_of(graph)


@pytest.mark.parametrize("backward", [True, False])
def test_cuts_stand_between_what_they_cut(record, backward):
    trace = record(CUTS + "loss.backward()\n" * backward)
    graph = mirror(trace) if backward else forward_only(trace)
    assert cuts_of(graph) == {
        ("h", "d", "detach"),
        ("h", "n", "numpy"),
        ("h", "g", "no_grad"),
        ("s", "k", "stop_gradient=True"),
    }
    states = {node.results[0].name: node.state for node in graph.nodes.values() if node.results}
    if backward:
        assert states["d"] == "no gradient passes (detach)"
        assert states["n"] == "no gradient passes (numpy)"
        assert states["g"] == "no gradient passes (no_grad)"
    lines = tree(trace, graph)
    for name, what, saved in (
        ("d", "detach  [2]", "cut: no gradient passes"),
        ("n", "numpy  [2]", "cut: no gradient passes"),
        ("g", "scale  [2]", "cut: no_grad"),
        ("k", "scale  [2]", "cut: stop_gradient=True"),
    ):
        place = next(n for n, line in enumerate(lines) if line[0].split()[-1] == name)
        assert lines[place][1:] == (what, saved)
        below = lines[place + 1]
        assert below[0].split("#")[0].split()[-1] == ("s" if name == "k" else "h"), below


def test_a_leaf_that_was_detached_says_both(record):
    trace = record(
        "x = paddle.ones([2])\nx.stop_gradient = False\nd = x.detach()\nd.stop_gradient = False\n"
        "(d * x).sum().backward()"
    )
    lines = [(row.name.split()[-1], row.numbers, row.saved) for row in tree_rows(mirror(trace), UNICODE)]
    assert ("d", "grad [2] 1, 1", "cut: detach") in lines
    assert lines.count(("x", "grad [2] 1, 1", "")) == 2


def test_every_format_draws_them(draw):
    graph = draw(CUTS + "loss.backward()")
    assert to_dot(graph).count('arrowhead="tee"') == 4
    assert "cut: no gradient passes" in to_dot(graph)


def test_what_ran_only_for_a_detached_value_is_drawn_up_to_it(draw):
    graph = draw(
        "x = paddle.to_tensor([1.0], stop_gradient=False)\nw = paddle.to_tensor([2.0], stop_gradient=False)\n"
        "target = paddle.tanh(x * 3).detach()\nloss = (w - target).sum()\nloss.backward()"
    )
    assert "tanh" in {node.title for node in graph.nodes.values()}
    assert {how for *_, how in cuts_of(graph)} == {"detach"}


def test_a_pylayer_cuts_nothing_inside(draw, scripts):
    assert not cuts_of(draw(scripts["pylayer"]))
    assert not cuts_of(draw(scripts["numpy"]))


def test_a_cut_out_of_a_closed_layer_stays(draw):
    graph = draw(
        "net = paddle.nn.Linear(2, 2)\nx = paddle.ones([1, 2])\nh = net(x)\nd = h.detach()\n"
        "loss = (h * d).sum()\nloss.backward()"
    )
    assert [how for *_, how in cuts_of(close_deeper(graph, 0))] == ["detach"]


def test_a_forgotten_stop_gradient_is_named(record):
    trace = record("x = paddle.to_tensor([1.0, 2.0])\ny = (x * x).sum()\ny.backward()")
    graph = mirror(trace)
    assert graph.subtitle == (
        "2 ops forward, pass 1 of 1: nothing requires gradient: stop_gradient is True of x"
    )
    (x,) = [node for node in graph.nodes.values() if node.kind == "data"]
    assert x.state == "no gradient (stop_gradient)"
    assert [what for _, what, _ in tree(trace, graph)] == ["sum  []", "multiply  [2]", "data  [2]"]


def test_a_pass_that_was_refused_is_not_said_to_want_nothing(record):
    trace = record(
        "w = paddle.to_tensor(3.0, stop_gradient=False)\nloss = w * w\nloss.backward()\n"
        "try: loss.backward()\nexcept SystemError: pass"
    )
    assert mirror(trace).subtitle == (
        "1 op forward, pass 2 of 2: it raised before a rule ran; multiply_grad raised SystemError"
    )
