"""What goes wrong is seen: an operator that raises, elements that are not finite."""

from dataclasses import replace

import pytest

from minipaddle.tools.page.story import sentences
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.theme import THEMES
from minipaddle.tools.picture.model.labels import fitted_lines, label
from minipaddle.tools.picture.model.mirror import forward_only, mirror
from minipaddle.tools.picture.terminal.tree import tree_rows
from minipaddle.tools.record import load
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.terminal import UNICODE
from tests.support.closing import close_deeper

RAISES = """
import paddle
w = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
try:
    paddle.matmul(w, w)
except ValueError:
    pass
h = w * 2
y = paddle.matmul(h, w)
"""

NAN = """
x = paddle.to_tensor([-1.0, 2.0, 0.0], stop_gradient=False)
y = paddle.log(x)
loss = y.sum()
loss.backward()
"""


@pytest.fixture(params=[RAISES])
def raised(request, run_cli, tmp_path):
    """The recording of a script that ends at an operator."""
    script = tmp_path / "raises.py"
    script.write_text(request.param, encoding="utf-8")
    done = run_cli("trace", script, "-o", tmp_path / "raises.mpt")
    assert done.returncode == 1
    return load(tmp_path / "raises.mpt")


def test_the_operator_that_raised_is_there_with_its_message_and_what_it_was_given(raised):
    graph = forward_only(raised)
    (node,) = [node for node in graph.nodes.values() if node.kind == "error"]
    assert (node.title, node.where) == ("matmul", "raises.py:9")
    assert node.state.startswith("ValueError: (InvalidArgument) In operator matmul, the [1] dimension")
    assert [value.name for value in node.takes] == ["h", "w"]
    assert [graph.nodes[edge.tail].results[0].name for edge in graph.edges if edge.head == node.id] == [
        "h",
        "w",
    ]
    assert graph.subtitle.endswith("matmul raised ValueError")
    assert label(node)[0] == "⚠ matmul"
    assert sentences(graph)[node.id].startswith(
        "matmul takes h and w and could not be carried out: ValueError"
    )
    assert 'shape="octagon"' in to_dot(graph)


def test_so_it_is_in_the_tree(raised):
    lines = list(tree_rows(forward_only(raised), UNICODE))
    assert [(line.name, line.what) for line in lines[:1]] == [("matmul", "raised ValueError")]
    assert lines[1].name.startswith("├ ValueError: (InvalidArgument)")
    said = " ".join(line.name.strip("│├└ ") for line in lines[1:-3])
    assert said.endswith("the [0] dimension of Input(Y) is [1].")
    assert [line.name.strip("│├└ ") for line in lines[-3:]] == ["h", "w", "w"]


IN_A_LAYER = """
import paddle

class Outer(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = paddle.nn.Linear(2, 3), paddle.nn.Linear(4, 1)

    def forward(self, x):
        return self.second(self.first(x))

net = Outer()
net(paddle.ones([1, 2]))
"""


@pytest.mark.parametrize("raised", [IN_A_LAYER], indirect=True)
def test_it_is_in_its_layer_with_the_parameter_and_a_closed_layer_has_its_sentence(raised):
    graph = forward_only(raised)
    (node,) = [node for node in graph.nodes.values() if node.kind == "error"]
    (weight,) = [edge.tail for edge in graph.edges if edge.head == node.id and graph.nodes[edge.tail].is_leaf]
    for id_ in (node.id, weight):
        frames = graph.frames_of(graph.nodes[id_].cluster)
        assert [spoken(graph.clusters[one].title) for one in frames] == ["second: Linear", "net: Outer"]
    for depth, title in (1, "second: Linear"), (0, "net: Outer"):
        closed = close_deeper(graph, depth)
        (shown,) = [one for one in closed.nodes.values() if one.kind == "error"]
        assert (spoken(shown.title), shown.state) == (title, node.state)
        assert sentences(closed)[shown.id].endswith(f" and could not be carried out: {node.state}")


_OWN = """
class Bad(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, dy):
        return dy.reshape([5])
"""


@pytest.mark.parametrize(
    ("lines", "title", "end"),
    [
        ("loss = (w * w).sum()\nloss.backward()\nloss.backward()", "sum_grad", "cut it off with detach()]"),
        ("x = w * 1.0\nh = x * x\nx.add_(w)\nh.sum().backward()", "multiply_grad", "expected version is 0."),
        ("x = w * 1.0\nh = x * x\nx.add_(w)\nh.backward()", "multiply_grad", "expected version is 0."),
        (f"{_OWN}\nBad.apply(w).sum().backward()", "Bad_grad", "the capacity of 'shape' is 5."),
        (f"{_OWN}\n(w * 2 + Bad.apply(w)).backward()", "Bad_grad", "the capacity of 'shape' is 5."),
        (
            _OWN.replace("return dy.reshape([5])", "raise OSError('raised in the gradient hook f')")
            + "Bad.apply(w).backward()",
            "Bad_grad",
            "raised in the gradient hook f",
        ),
        ("y = w * 2\ny.register_hook(lambda g: 1 / 0)\ny.backward()", "hook <lambda>", "hook <lambda>)"),
        ("w.register_hook(lambda g: 1 / 0)\n(w * w).sum().backward()", "hook <lambda>", "hook <lambda>)"),
        (
            _OWN.replace("dy.reshape([5])", "dy.reshape(['an inplace operation'])")
            + "a = w * 1\nh = Bad.apply(a)\na.add_(w)\nh.sum().backward()",
            "Bad_grad",
            "",
        ),
    ],
)
def test_a_rule_that_raised_is_one_red_node_with_its_whole_sentence(run_cli, tmp_path, lines, title, end):
    script = tmp_path / "raises.py"
    script.write_text(
        f"import paddle\nw = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\n{lines}\n", encoding="utf-8"
    )
    assert run_cli("trace", script, "-o", tmp_path / "raises.mpt").returncode == 1
    graph = mirror(load(tmp_path / "raises.mpt"))
    (node,) = [node for node in graph.nodes.values() if node.kind == "error"]
    assert node.title == title
    assert node.twin is None if "hook" in title else graph.nodes[node.twin].kind in ("op", "pylayer")
    assert node.twin is None or spoken(graph.nodes[node.twin].state).endswith("Error here")
    assert ("not lead to" in graph.subtitle) is ("add_(" in lines and "h.backward" not in lines)
    assert node.state.endswith(end), node.state
    assert f"; {title} raised " in graph.subtitle
    writers = [edge.tail for edge in graph.edges if edge.head == node.id and edge.kind == "write"]
    assert [graph.nodes[id_].title for id_ in writers] == ["add"] * (title == "multiply_grad")
    assert any(edge.head == node.id and edge.kind == "gradient" for edge in graph.edges)
    assert not any(one.kind == "hook" for one in graph.nodes.values())
    on_a_page = [line for one in graph.nodes.values() for line in fitted_lines(one, "stats", 40)]
    assert not any("…" in line for line in on_a_page), on_a_page


def test_results_of_one_operator_are_told_apart_where_their_names_are_too_long(draw):
    graph = draw(
        "x = paddle.ones([2, 3])\nx.stop_gradient = False\n"
        "paddle.nn.functional.cross_entropy(x, paddle.ones([2], 'int64')).backward()"
    )
    node = next(one for one in graph.nodes.values() if len(one.results) == 2)
    _, softmax, loss = fitted_lines(node, "none", 34)
    assert softmax.startswith("cross_ent")
    assert softmax.endswith("softmax [2, 3]")
    assert loss.endswith("loss [2, 1]")
    assert len(softmax) == len(loss) == 34


def test_an_error_that_no_operator_raised_is_told_without_one(draw, run_cli, tmp_path):
    script = tmp_path / "plain.py"
    script.write_text("import paddle\nx = paddle.ones([2]) * 2\n{}['key']\n", encoding="utf-8")
    done = run_cli("graph", script)
    assert "KeyError was raised" in done.stdout
    assert "raised KeyError" in done.stdout


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_not_finite_has_a_sign_and_a_colour(draw, theme):
    graph = draw(NAN)
    log = next(node for node in graph.nodes.values() if node.title == "log")
    assert label(replace(log, title="⚠ log"), with_sign=False)[0] == "⚠ log"
    assert label(log) == ("⚠ log", "y [3] NaN: 1 of 3, -Inf: 1 of 3")
    healthy = next(node for node in graph.nodes.values() if node.title == "sum_grad")
    assert "⚠" not in " ".join(label(healthy))
    fill, line = THEMES[theme].roles["alarm"]
    (written,) = [row for row in to_dot(graph, Options(theme=theme)).splitlines() if f'id="{log.id}"' in row]
    assert f'fillcolor="{fill}" color="{line}"' in written


def test_where_no_numbers_are_wanted_nothing_is_said_of_them(draw):
    graph = draw(NAN)
    assert "⚠" not in to_dot(graph, Options(values="none"))
    assert THEMES["light"].roles["alarm"][0] not in to_dot(graph, Options(values="none"))


def test_the_tree_has_a_sign_too(record):
    trace = record(NAN)
    numbers = [line.numbers for line in tree_rows(mirror(trace), UNICODE)]
    assert "! NaN: 1 of 3, -Inf: 1 of 3" in numbers
