"""DOT text: the same in every run, whole in every hostile case.

To draw the goldens anew: `minipaddle graph tests/viz/scripts/NAME.py -o tests/viz/golden/NAME.dot`
"""

import shutil
from pathlib import Path

import pytest

from minipaddle.viz.dot import to_dot
from minipaddle.viz.engines import ENGINES, Absent

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", sorted(path.stem for path in (HERE / "scripts").glob("*.py")))
def test_golden(run_cli, tmp_path, name):
    drawn = tmp_path / "drawn.dot"
    done = run_cli("graph", HERE / "scripts" / f"{name}.py", "-o", drawn)
    assert done.returncode == 0, done.stderr
    assert drawn.read_text(encoding="utf-8") == (HERE / "golden" / f"{name}.dot").read_text(encoding="utf-8")


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
    assert text.count("dir=back") == sum(edge.kind == "gradient" for edge in graph.edges)


def test_the_legend_names_what_is_there_and_nothing_else(draw, scripts):
    assert "PyLayer forward" in to_dot(draw(scripts["pylayer"]))
    assert "PyLayer forward" not in to_dot(draw(scripts["chain"]))


def test_dot_takes_every_text(hostile):
    source = to_dot(hostile)
    assert len(source) < 5_000
    for draw in ENGINES.values():
        try:
            picture = draw(source, "svg").decode()
        except Absent:
            continue
        assert 'id="f0"' in picture
        assert 'id="g1"' in picture


def test_a_label_in_angle_brackets_is_no_html(with_texts):
    source = to_dot(with_texts("<b>"))
    assert 'label="<b>\\n<b> [1] 1' in source


def test_ids_in_the_picture_are_those_of_the_graph(any_graph):
    if not shutil.which("dot"):
        return
    picture = ENGINES["dot"](to_dot(any_graph), "svg").decode()
    for id_ in [*any_graph.nodes, *any_graph.clusters]:
        assert f'id="{id_}"' in picture
