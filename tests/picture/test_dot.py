"""DOT text: the same in every run, whole in every hostile case.

To draw the goldens anew: `minipaddle graph tests/picture/scripts/NAME.py -o tests/picture/golden/NAME.dot`, and the
same with .json, of which only ids and structure are compared: another machine rounds numbers another way.
"""

import json
import re
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.render import NoRenderer, dot
from minipaddle.tools.picture.options import Options, shaped
from tests.support.bare import without_numbers

HERE = Path(__file__).parent


@pytest.mark.parametrize("suffix", ["dot", "json"])
@pytest.mark.parametrize("name", sorted(path.stem for path in (HERE / "scripts").glob("*.py")))
def test_golden(run_cli, tmp_path, name, suffix):
    drawn = tmp_path / f"drawn.{suffix}"
    done = run_cli("graph", HERE / "scripts" / f"{name}.py", "-o", drawn)
    assert done.returncode == 0, done.stderr
    read = structure if suffix == "json" else str
    golden = HERE / "golden" / f"{name}.{suffix}"
    assert read(drawn.read_text(encoding="utf-8")) == read(golden.read_text(encoding="utf-8"))


def structure(text):
    """Return JSON as data, without the numbers of values."""
    data = json.loads(text)
    for edge in data["edges"]:
        edge.pop("share", None)
        edge["label"] = "" if edge["kind"] == "gradient" else edge["label"]
    for one in (one for node in data["nodes"] for one in (*node["results"], *node.get("rounds", ()))):
        for key in ("stats", "data", "norm"):
            one.pop(key, None)
    return data


def test_the_same_script_gives_the_same_text(draw, scripts):
    for source in scripts.values():
        assert to_dot(draw(source)) == to_dot(draw(source))


def test_twins_share_a_rank_and_backward_points_upwards(draw, scripts):
    graph = draw(scripts["chain"])
    text = to_dot(graph)
    for forward, backward in graph.rows():
        assert f"{{rank=same; {forward}; {backward}}}" in text
    for edge in graph.edges:
        if edge.kind == "gradient":
            assert f"\t{edge.head} -> {edge.tail} [" in text
    assert text.count('dir="back"') == sum(edge.kind == "gradient" for edge in graph.edges)


RESIDUAL = """
y = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
for _ in range({blocks}):
    y = y + paddle.tanh(y * 0.5)
y.sum().backward()
"""


def _width(graph):
    picture = dot(to_dot(graph), "svg").decode()
    return float(re.search(r'viewBox="0.00 0.00 ([\d.]+)', picture)[1])


def test_a_side_of_the_mirror_is_a_column_and_not_a_stair(draw):
    if shutil.which("dot"):
        few, many = (_width(draw(RESIDUAL.format(blocks=blocks))) for blocks in (5, 20))
        assert many < 1.4 * few


def test_a_large_picture_is_laid_out_in_one_go(draw):
    """What dot takes minutes for is left out: moving nodes to and fro, and rows between the rows for words."""
    graph = draw(RESIDUAL.format(blocks=90))
    text = to_dot(graph)
    assert "nslimit=0" in text
    assert not [line for line in text.splitlines() if "->" in line and re.search(" label=", line)]
    rungs = [edge for edge in graph.edges if edge.kind == "saved"]
    assert text.count("minlen=") == text.count("xlabel=") == len(rungs)
    sums = [node for node in graph.nodes.values() if node.kind == "accumulate"]
    assert len(re.findall(r'label="\+ [\d.-]', text)) == len(sums) == 90
    small = to_dot(draw(RESIDUAL.format(blocks=5)))
    assert "nslimit" not in small
    assert "xlabel" not in small


def test_the_legend_names_what_is_there_and_nothing_else(draw, scripts):
    assert "PyLayer forward" in to_dot(draw(scripts["pylayer"]))
    assert "PyLayer forward" not in to_dot(draw(scripts["chain"]))
    assert "+ sum of gradients" in to_dot(draw(scripts["shared"]))
    assert "+ sum of gradients" not in to_dot(draw(scripts["chain"]))
    assert "@GRAD where backward starts" in to_dot(draw(scripts["chain"]))


@pytest.mark.parametrize(("theme", "heavy"), [("print", ["gradient"]), ("light", [])])
def test_without_colours_gradients_are_thicker_arrows(draw, scripts, theme, heavy):
    graph = without_numbers(draw(scripts["chain"]))
    text = to_dot(graph, Options(theme=theme))
    kinds = {
        edge.kind for number, edge in enumerate(graph.edges) if re.search(rf'id="e{number}" .*penwidth', text)
    }
    assert sorted(kinds) == heavy


def test_dot_takes_every_text(hostile):
    source = to_dot(hostile)
    assert len(source) < 5_000
    with suppress(NoRenderer):
        picture = dot(source, "svg").decode()
        assert 'id="f0"' in picture
        assert 'id="g1"' in picture


def test_a_label_in_angle_brackets_is_no_html(with_texts):
    source = to_dot(with_texts("<b>"))
    assert 'label="<b>\\n<b> [1] 1' in source


def test_ids_in_the_picture_are_those_of_the_graph(any_graph):
    if not shutil.which("dot"):
        return
    picture = dot(to_dot(any_graph), "svg").decode()
    for id_ in [*any_graph.nodes, *any_graph.clusters]:
        assert f'id="{id_}"' in picture


TRAINED = """
net = paddle.nn.Linear(2, 1)
opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
net(paddle.ones([3, 2])).mean().backward()
opt.step()
"""


@pytest.mark.parametrize("view", ["both", "backward"])
def test_a_tape_runs_from_the_first_step_to_the_last(draw, view):
    """The updates too: they came last, so they stand below all gradients."""
    graph = shaped(draw(TRAINED), Options(view=view))
    picture = dot(to_dot(graph, Options(layout="tape")), "svg").decode()
    heights = {
        id_: float(y)
        for id_, y in re.findall(r'<g id="(\w+)" class="node">.*?<text [^>]*y="([-\d.]+)"', picture, re.S)
    }
    assert sum(graph.nodes[id_].kind == "update" for id_ in heights) == 2
    assert sorted(heights, key=heights.__getitem__) == list(graph.nodes)


def test_sums_of_a_weight_leave_the_column_straight(draw):
    """Twenty steps with one weight: the rules stand below each other, its sums beside them."""
    if not shutil.which("dot"):
        return
    graph = draw(
        """
        w = paddle.to_tensor([[0.5]], stop_gradient=False)
        h = paddle.ones([1, 1])
        for _ in range(20):
            h = paddle.tanh(paddle.matmul(h, w) * 0.9)
        h.sum().backward()
        """
    )
    assert _width(graph) < 800


def test_without_values_no_number_is_written_at_an_arrow(draw):
    graph = draw("x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\n(x * 3.0 - x).sum().backward()\n")
    assert {"+3, +3", "-1, -1", "2, 2"} <= {edge.label for edge in graph.edges}
    smaller = shaped(graph, Options(values="none"))
    assert {edge.label for edge in smaller.edges if edge.kind == "gradient"} == {""}
