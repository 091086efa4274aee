"""A gradient of a gradient: what an earlier pass ran stands in a frame on the forward side, in the order of the run."""

import json
import re
from pathlib import Path

import pytest

from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.chips import with_chips
from minipaddle.tools.picture.model.collapse import close, close_matching
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.graph import rows_of
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.picture import Picture

HERE = Path(__file__).parent
TWICE = """
x = paddle.to_tensor([2.0, 3.0], stop_gradient=False)
y = x * x * x
(slope,) = paddle.grad(y.sum(), x, create_graph=True)
slope.sum().backward()
"""
EQUAL = """
x = paddle.ones([1])
x.stop_gradient = False
a = x * x
b = a * a
(slope,) = paddle.grad(b * b, x, create_graph=True)
slope.backward()
"""
NET = """
paddle.seed(0)
net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.Tanh(), paddle.nn.Linear(3, 1))
x = paddle.to_tensor([[0.5, -1.0]], stop_gradient=False)
(slope,) = paddle.grad(net(x).sum(), x, create_graph=True)
(slope * slope).sum().backward()
"""
SCRIPTS = {"twice": TWICE, "equal": EQUAL, "net": NET}


@pytest.fixture(params=SCRIPTS)
def again(request, draw):
    return draw(SCRIPTS[request.param])


def of_layout(run_cli, tmp_path, name, *options):
    """Return the graph of one of the scripts of the layout tests, as JSON."""
    done = run_cli("graph", HERE / "layout" / f"{name}.py", "-o", tmp_path / "graph.json", *options)
    assert done.returncode == 0, done.stderr
    return json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))


def passes_in(graph):
    """Return the titles of the frames around earlier passes."""
    frames = [frame for frame in graph["clusters"] if frame["kind"] == "pass"]
    return [frame["title"] for frame in frames if frame["side"] == "forward"]


def test_an_earlier_pass_stands_on_the_forward_side_in_a_frame(draw):
    graph = draw(TWICE)
    assert graph.subtitle == "4 ops forward, 7 in pass 1, 9 backward, pass 2 of 2"
    ran = [node for node in graph.nodes.values() if node.side == "forward" and node.op]
    assert [node.title for node in ran if not node.earlier] == ["multiply", "multiply", "sum", "sum"]
    frames = [frame.title for frame in graph.clusters.values() if frame.earlier and frame.side == "forward"]
    assert frames == ["pass 1", "sum_grad", "multiply_grad", "multiply_grad"]
    inside = [node for node in ran if "k1" in graph.frames_of(node.cluster)]
    assert inside == [node for node in ran if node.earlier == 1]
    (stored,) = [node.results[0].array.tolist() for node in graph.nodes.values() if node.kind == "store"]
    assert stored == [6 * 2.0, 6 * 3.0]


def test_what_differentiates_a_part_of_a_rule_stands_on_its_row(again):
    rows = rows_of(again, "mirror")
    ran = [node for node in again.nodes.values() if node.side == "forward" and node.earlier and node.op]
    assert [rows[node.id] for node in ran] == sorted(rows[node.id] for node in ran)
    rules = [node for node in again.nodes.values() if node.side == "backward" and node.twin]
    assert any(node.earlier for node in rules)
    assert all(rows[node.id] == rows[node.twin] for node in rules)


def test_a_closed_rule_stands_beside_what_differentiates_it(again):
    closed = close(again, lambda cluster: cluster.kind == "rule")
    rows = rows_of(closed, "mirror")
    rules = [node for node in closed.nodes.values() if node.side == "forward" and node.kind == "grad"]
    assert rules
    for rule in rules:
        assert rule.title == f"{closed.nodes[rule.twin].title}_grad"
        twins = [node for node in closed.nodes.values() if node.twin == rule.id and node.side == "backward"]
        assert {rows[node.id] for node in twins} <= {rows[rule.id]}


def test_a_rule_has_a_rung_to_what_its_operator_kept(draw):
    graph = draw(TWICE)
    rungs = {
        (graph.nodes[edge.tail].results[0].name, graph.nodes[edge.head].results[0].name, edge.label)
        for edge in graph.edges
        if edge.kind == "saved" and graph.nodes[edge.head].side == "forward"
    }
    assert ("y", "x@GRAD #1", "multiply_0") in rungs
    assert ("multiply_0", "x@GRAD #2", "x") in rungs


def test_layers_close_in_all_passes(draw):
    graph = draw(NET)
    assert {*graph.together()["s2"]} >= {"s2", "t2", "p1s2", "p1t2"}
    closed = close_matching(graph, re.compile("0: Linear"))
    shut = [
        (node.title, node.side, node.earlier)
        for node in closed.nodes.values()
        if node.title.startswith("0: ")
    ]
    assert sorted(shut) == [
        ("0: Linear", "forward", 0),
        ("0: Linear backward", "backward", 0),
        ("0: Linear backward", "forward", 1),
        ("0: Linear backward backward", "backward", 1),
    ]
    opened = Picture(graph, None, Options(depth="0", open=("0",))).graph
    assert {"s2", "p1s2"} <= opened.clusters.keys()


@pytest.mark.parametrize(
    "script",
    [
        "x = paddle.ones([1]); x.stop_gradient = False\nfor _ in range(3):\n    (x * x).sum().backward()",
        "x = paddle.ones([1]); x.stop_gradient = False\ng = paddle.grad(x * x, x)[0]\n(x * g).backward()",
        """
class Again(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        x = x.detach()
        x.stop_gradient = False
        with paddle.enable_grad():
            (x * x).backward(dy)
        return x.grad

x = paddle.ones([1]); x.stop_gradient = False
Again.apply(x).backward()
""",
    ],
    ids=["training", "bare", "pass in a pass"],
)
def test_other_passes_have_no_such_frame(record, script):
    trace = record(script)
    for number in trace.pass_numbers:
        graph = mirror(trace, number)
        assert not any(one.earlier for one in (*graph.nodes.values(), *graph.clusters.values()))


def test_each_earlier_pass_has_a_frame(run_cli, tmp_path):
    assert passes_in(of_layout(run_cli, tmp_path, "maml")) == ["pass 1", "pass 2"]
    assert passes_in(of_layout(run_cli, tmp_path, "cube_thrice", "--depth", "all")) == ["pass 1", "pass 2"]
    assert passes_in(of_layout(run_cli, tmp_path, "cube_thrice", "--pass", "1")) == []
    assert passes_in(of_layout(run_cli, tmp_path, "cube_thrice", "--pass", "2")) == ["pass 1"]


def test_in_a_program_a_rule_is_drawn_in_the_parts_that_are_differentiated(run_cli, tmp_path):
    graph = of_layout(run_cli, tmp_path, "static_twice", "--depth", "all")
    nodes = {node["id"]: node for node in graph["nodes"]}
    parts: dict[str, list[str]] = {}
    frames = {frame["id"]: frame["title"] for frame in graph["clusters"] if frame["kind"] == "rule"}
    for node in graph["nodes"]:
        if node["side"] == "forward" and node.get("earlier") and node["cluster"] in frames:
            parts.setdefault(frames[node["cluster"]], []).append(node["title"])
    assert parts == {
        "tanh_grad": ["multiply", "multiply", "subtract"],
        "multiply_grad": ["multiply", "multiply"],
    }
    twins = [node["twin"] for node in graph["nodes"] if node["side"] == "backward" and node["twin"]]
    assert len(set(twins)) == len(twins), "no two rules for one operator"
    (total,) = [node for node in graph["nodes"] if node["title"] == "add_n_grad"]
    assert nodes[total["twin"]]["title"] == "accumulate"
    assert len(total["results"]) == 2


def test_the_tree_says_which_rule_it_was(run_cli):
    lines = run_cli("graph", HERE / "layout" / "cube_twice.py").stdout.splitlines()
    assert sum(line.endswith("in multiply_grad, pass 1") for line in lines) == 4
    assert any("expand_view" in line and line.endswith("in sum_grad, pass 1") for line in lines)


def test_what_repeats_takes_no_part_of_a_rule_along(draw):
    """Both rules begin with two multiplications: those of one are not counted in the frame of the other."""
    folded = fold(
        draw("""
x = paddle.to_tensor([0.5, 0.25], stop_gradient=False)
y = x
for _ in range(12):
    y = paddle.tanh(y) * y
(slope,) = paddle.grad(y.sum(), x, create_graph=True)
(slope * slope).sum().backward()
""")
    )
    inside: dict[str, list] = {}
    for node in folded.nodes.values():
        if node.kind == "rule" and node.cluster in folded.clusters and node.count > 1:
            inside.setdefault(folded.clusters[node.cluster].title, []).append((node.title, node.count))
    assert inside["tanh_grad"] == [("multiply", 12), ("multiply", 12), ("subtract", 12)]
    assert inside["multiply_grad"] == [("multiply", 12), ("multiply", 12)]


def test_every_writer_draws_the_frame(draw):
    picture = Picture(draw(TWICE))
    assert all("pass 1 backward" in text for text in (picture.svg(), picture.dot, picture.html()))


def test_the_fortieth_derivative(record):
    trace = record("""
x = paddle.to_tensor([0.5], stop_gradient=False)
y = x
y = paddle.exp(y)
for _ in range(40):
    (y,) = paddle.grad(y, x, create_graph=True)
""")
    assert mirror(trace, 40).subtitle.startswith("1 op forward, 77 in passes 1 to 39, ")


def test_what_a_damaged_recording_says_of_a_rule_is_not_believed(record):
    for damage in range(4):
        trace = record(TWICE)
        parts = [event for event in trace.events if event.part_of is not None]
        for event in parts:
            rule = trace.events[event.part_of]
            if damage == 0:
                rule.origin = event.index  # a circle
            elif damage == 1:
                event.part_of = event.index
            elif damage == 2:
                event.part_of = 0
            else:
                event.part_of = len(trace.events) - 1
        graph = mirror(trace)
        assert rows_of(graph, "mirror").keys() == graph.nodes.keys()
        assert Picture(graph).svg()


def test_what_would_run_beside_what_ran_between_is_a_chip(again):
    drawn = with_chips(again, "mirror")
    ends = [(drawn.nodes[edge.tail], drawn.nodes[edge.head]) for edge in drawn.edges if edge.kind == "saved"]
    assert {tail.kind for tail, head in ends if head.side == "forward"} == {"chip"}


def test_a_closed_pass_takes_only_what_comes_from_outside(draw):
    """A gradient goes by two names within it: as what a rule gives, and as what the next one takes."""
    graph = draw(
        """
        x = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
        first = paddle.grad(x * x * x, x, create_graph=True)[0]
        (first * first).sum().backward()
        """
    )
    closed = close(graph, lambda cluster: cluster.kind == "pass" and cluster.side == "forward")
    (taken,) = [
        node.takes for node in closed.nodes.values() if node.id not in graph.nodes and node.side == "forward"
    ]
    assert {value.name for value in taken} == {"x", "multiply_0"}
