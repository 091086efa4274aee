"""A picture after the user's own taste: a function asked for every node, and what stands at arrows."""

import pytest

from minipaddle.tools.picture.choices import BadOption
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.picture.model.labels import with_shapes
from minipaddle.tools.picture.model.node_style import Look
from minipaddle.tools.picture.options import Options, shaped, styled
from minipaddle.tools.record.events import Value

NET = """
fc = paddle.nn.Linear(3, 2)
x = paddle.to_tensor([[1.0, 2.0, 3.0]])
loss = (paddle.tanh(fc(x)) * 2).sum()
loss.backward()
"""


@pytest.fixture
def seen(draw):
    """`seen(node=...)` is what is seen of a small network."""
    return lambda source=NET, **options: shaped(draw(source), Options(**options))


def titles(graph, side="forward"):
    return [node.title for node in graph.nodes.values() if node.side == side]


def joined(graph, kind):
    return {
        (graph.nodes[edge.tail].title, graph.nodes[edge.head].title)
        for edge in graph.edges
        if edge.kind == kind
    }


def test_what_is_hidden_is_passed_by(seen):
    graph = seen(node=lambda node: Look(hide=node.op in ("scale", "scale_grad", "tanh")))
    assert {"scale", "scale_grad", "tanh"}.isdisjoint({node.title for node in graph.nodes.values()})
    assert ("add", "sum") in joined(graph, "value")
    assert ("sum_grad", "tanh_grad") in joined(graph, "gradient")
    assert "tanh" not in {tail for tail, _ in joined(graph, "saved")}
    assert all(node.twin is None or node.twin in graph.nodes for node in graph.nodes.values())


def test_a_label_and_a_colour(seen):
    graph = seen(node=lambda node: {"tanh": "squash", "sum": Look(color="#ffcc00")}.get(node.title))
    assert "squash" in titles(graph)
    assert "tanh" not in titles(graph)
    (total,) = [node for node in graph.nodes.values() if node.title == "sum"]
    assert styled(graph, Options()).fills == {total.id: "#ffcc00"}
    assert 'label="squash' in to_dot(graph, styled(graph, Options()))


def test_a_frame_is_closed_with_its_twin(seen):
    graph = seen(node=lambda node: Look(close=node.title == "matmul"))
    assert "fc: Linear" in titles(graph)
    assert "fc: Linear backward" in titles(graph, "backward")
    assert "matmul" not in titles(graph)
    assert graph.clusters == {}


def test_it_is_asked_once_for_each_node(draw):
    graph, asked = draw(NET), []
    shaped(graph, Options(node=asked.append))
    assert asked == list(graph.nodes.values())


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda node: 3, "the function returns 3 at x"),
        (lambda node: node.nothing, "the function raises AttributeError at x"),
    ],
)
def test_a_function_that_does_not_do(seen, function, said):
    with pytest.raises(BadOption, match=said):
        seen(node=function)


SPLIT = """
x = paddle.to_tensor([[1.0, 2.0, 3.0, 4.0, 5.0]], stop_gradient=False)
left, right = paddle.split(x, [2, 3], axis=1)
loss = (left.sum() + right.sum() * x).sum()
loss.backward()
"""


def test_shapes_on_arrows(seen):
    def labels(graph):
        return {
            (graph.nodes[edge.tail].title, graph.nodes[edge.head].title, edge.label)
            for edge in graph.edges
            if edge.kind in ("value", "gradient")
        }

    net = labels(seen(edges="shapes"))
    assert {("fc.weight", "matmul", "[3, 2]"), ("matmul", "add", "[1, 2]"), ("scale", "sum", "[1, 2]")} <= net
    assert {("add_grad", "fc.bias.grad", "[2]"), ("add_grad", "matmul_grad", "[1, 2]")} <= net, "each its own"
    split = labels(seen(SPLIT, edges="shapes"))
    assert {("split", "sum", "[1, 2] left"), ("split", "sum", "[1, 3] right")} <= split
    assert not any(label.startswith("[") for _, _, label in labels(seen()))


def test_a_name_that_looks_like_a_shape_is_no_shape():
    graph, value = Graph("two"), Value(0, "[2]", "result", (2,), "float32", True)
    graph.join("f0", "f1", "value", "[2]", [value])
    graph.join("g1", "g0", "gradient", "[2]", [value], shape_said=True)
    assert [edge.label for edge in with_shapes(graph).edges] == ["[2] [2]", "[2]"]


def test_a_program_is_chosen_by_its_name(run_cli, tmp_path):
    script = tmp_path / "two.py"
    script.write_text(
        "import paddle\npaddle.enable_static()\none, two = paddle.static.Program(), paddle.static.Program()\n"
        "for program, function in ((one, paddle.exp), (two, paddle.tanh)):\n"
        "    with paddle.static.program_guard(program, paddle.static.Program()):\n"
        "        x = paddle.static.data('x', [2])\n        x.stop_gradient = False\n"
        "        paddle.static.append_backward(paddle.mean(function(x)))\n",
        encoding="utf-8",
    )
    for name, operator in (("one", "exp"), ("two", "tanh")):
        drawn = tmp_path / f"{name}.dot"
        assert run_cli("graph", script, "--name", name, "-o", drawn).returncode == 0
        assert f"{operator}_grad" in drawn.read_text(encoding="utf-8")
    done = run_cli("graph", script, "--name", "three")
    assert (done.returncode, "there are one, two" in done.stderr) == (2, True)
