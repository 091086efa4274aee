"""A picture opens as deep as it fits a screen; closing loses nothing, and a line says how to open it."""

import re
from pathlib import Path

import pytest

from minipaddle.tools.picture.choices import BadOption
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.extent import extent, size_of_png
from minipaddle.tools.picture.draw.json import graph_object
from minipaddle.tools.picture.draw.render import render
from minipaddle.tools.picture.fitting import DATA, TALL, WIDE, as_opened, named_frames
from minipaddle.tools.picture.options import Options, shaped
from minipaddle.tools.picture.picture import Picture
from tests.support.drawn import ENCODER, SKIPS
from tests.support.geometry import read_svg
from tests.support.page import RESIDUAL

ATTENTION = """
attention = paddle.nn.MultiHeadAttention(16, 4)
x = paddle.ones([2, 5, 16])
attention(x, x, x).mean().backward()
"""
RESNET = """
net = paddle.vision.models.resnet18(num_classes=4)
net(paddle.rand([1, 3, 32, 32])).sum().backward()
"""


@pytest.mark.parametrize("source", [ATTENTION, ENCODER.format(layers=6), RESNET])
def test_what_is_wide_opens_at_a_depth_that_fits(draw, source):
    graph = draw(source)
    assert extent(graph, Options()).width > WIDE
    seen = shaped(graph, Options())
    assert extent(seen, Options()).width <= WIDE
    assert extent(seen, Options()).height <= TALL
    wide, tall = size_of_png(render(seen, "png").data)
    assert wide <= 1.1 * WIDE
    assert tall <= 1.1 * TALL
    assert "layers are closed: --open " in seen.closed


def test_it_is_the_deepest_that_fits(draw):
    graph = draw(ATTENTION)
    assert {node.title for node in shaped(graph, Options()).nodes.values() if node.kind == "layer"} == {
        f"{name}_proj: Linear" for name in ("q", "k", "v", "out")
    }
    assert shaped(graph, Options()).nodes == shaped(graph, Options(depth=1)).nodes


def test_layers_of_one_kind_are_one_frame(draw):
    seen = shaped(draw(ENCODER.format(layers=6)), Options())
    assert "layers.0…5: TransformerEncoderLayer ×6" in {frame.title for frame in seen.clusters.values()}
    assert "what repeats is drawn once (×n): --fold none draws all" in seen.closed
    inside = {frame.id for frame in seen.clusters.values() if "backward ×6" in frame.title}
    sums = [node for node in seen.nodes.values() if node.kind == "accumulate"]
    assert sums
    assert {node.cluster for node in sums} <= inside


@pytest.mark.parametrize("name", ["pylayer", "numpy", "shared", "hook", "split", "double"])
def test_a_small_picture_does_not_change(draw, scripts, name):
    graph = draw(scripts[name])
    seen = shaped(graph, Options())
    assert (seen.nodes, seen.edges, seen.clusters) == (graph.nodes, graph.edges, graph.clusters)
    assert seen.closed == ""
    assert to_dot(seen) == to_dot(graph)


def test_a_tall_loop_opens_with_its_body_once_and_the_rules_beside(run_cli, tmp_path):
    loop = (Path(__file__).parent / "layout" / "while_loop.py").read_text(encoding="utf-8")
    (tmp_path / "loop.py").write_text(loop.replace("y * x)", "y * x + y)"), encoding="utf-8")  # with a sum
    done = run_cli("graph", tmp_path / "loop.py", "-o", tmp_path / "loop.svg")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "loop.svg").read_text(encoding="utf-8")
    svg = read_svg(text)
    assert svg.paper.bottom - svg.paper.y < TALL
    assert [len(titles) for titles in svg.titles.values()] == [1] * 4
    assert re.findall(r">(iteration [^<]*|\+ ×3)<", text) == ["iteration 1…3 ×3", "iteration 1…3 ×3", "+ ×3"]


def test_a_residual_connection_is_drawn_around_its_closed_layer(draw):
    graph = draw(RESIDUAL)
    seen = shaped(graph, Options(depth=1))
    around = [edge for edge in seen.edges if edge.kind == "value" and edge.label == "+"]
    assert [seen.nodes[edge.head].title for edge in around] == [f"{number}: Block" for number in range(4)]
    tails = [seen.nodes[edge.tail].title for edge in around]
    assert tails == ["full", *(f"{number}: Block" for number in range(3))]
    assert all(
        (edge.tail, edge.head) in {(one.tail, one.head) for one in seen.edges if one.slot == 0}
        for edge in around
    )
    assert to_dot(seen).count('headport="se"') == 4
    for depth in ("0", "all"):  # the whole net adds nothing to its result; an open block shows its sum
        assert "+" not in {edge.label for edge in shaped(graph, Options(depth=depth)).edges}


def test_the_line_stands_in_every_picture_and_in_no_data_that_is_whole(draw):
    seen = shaped(draw(ATTENTION), Options())
    said = "4 layers are closed: --open q_proj opens one, --depth 2 the next level, --depth all every one"
    assert seen.closed == said
    assert said in to_dot(seen)
    assert graph_object(seen)["closed"] == said
    data = shaped(draw(ATTENTION), Options(), DATA)
    assert "closed" not in graph_object(data)
    assert len(Picture(draw(ATTENTION)).seen("json").nodes) == len(data.nodes) == 60


def test_a_png_is_never_made_smaller_in_silence(chain):
    whole = chain(400)
    picture = Picture(whole, options=Options(fold="none"))
    said = (
        r"png: more than 16,384 pixels a side, .* without --fold none and --depth it is smaller; "
        r"--focus NAME±20 draws a part of it, and \.svg, \.pdf and \.html have no such limit"
    )
    with pytest.raises(BadOption, match=said):
        picture.rendered("png")
    assert picture.rendered("svg").data
    wide, tall = size_of_png(Picture(whole).rendered("png").data)
    assert max(wide, tall) < 1600


def test_one_that_is_far_too_large_is_refused_before_anybody_lays_it_out(chain, monkeypatch):
    monkeypatch.setattr("minipaddle.tools.picture.picture.render", lambda *_: pytest.fail("it is laid out"))
    with pytest.raises(BadOption, match="png: more than 16,384 pixels a side"):
        Picture(chain(1500), options=Options(fold="none")).rendered("png")


# -- opening one -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "layers.3",
        "layers[3]",
        "encoder.layers[3]",
        "encoder.layers.3",
        "layers.3: TransformerEncoderLayer",
        "layers.3: TransformerEncoderLayer backward",
    ],
)
def test_a_layer_opens_by_any_of_its_names(draw, name):
    graph = draw(ENCODER.format(layers=6))
    opened = shaped(graph, Options(depth=1, open=name))
    titles = {frame.title for frame in opened.clusters.values()}
    assert titles == {
        "encoder: TransformerEncoder",
        "encoder: TransformerEncoder backward",
        "layers.3: TransformerEncoderLayer",
        "layers.3: TransformerEncoderLayer backward",
    }
    closed = {node.title for node in opened.nodes.values() if node.kind == "layer"}
    assert {"layers.3.self_attn: MultiHeadAttention", "layers.4: TransformerEncoderLayer"} <= closed


def test_a_class_opens_all_of_its_layers_and_what_is_around_them(draw):
    graph = draw(ENCODER.format(layers=2))
    opened = shaped(graph, Options(depth=0, open=["MultiHeadAttention", "layers.1.linear1"]))
    assert {frame.title for frame in opened.clusters.values() if frame.side == "forward"} == {
        "encoder: TransformerEncoder",
        *(f"layers.{number}: TransformerEncoderLayer" for number in range(2)),
        *(f"layers.{number}.self_attn: MultiHeadAttention" for number in range(2)),
        "layers.1.linear1: Linear",
    }


def test_one_that_is_named_alone_is_no_round_of_what_repeats(draw):
    graph = draw(ENCODER.format(layers=8))
    titles = {frame.title for frame in shaped(graph, Options(open="layers[3]")).clusters.values()}
    assert {"layers.3: TransformerEncoderLayer", "layers.4…7: TransformerEncoderLayer ×4"} <= titles
    of_a_class = shaped(graph, Options(open="TransformerEncoderLayer"))
    assert "layers.0…7: TransformerEncoderLayer ×8" in {frame.title for frame in of_a_class.clusters.values()}


def test_one_side_says_what_is_closed_too(draw):
    seen = shaped(draw(RESNET), Options(view="backward"))
    assert "layers are closed: --open " in seen.closed


def test_all_opens_everything(draw):
    graph = draw(ATTENTION)
    seen = shaped(graph, Options(depth="all"))
    assert seen.nodes == graph.nodes
    assert seen.closed == ""


def test_an_unknown_name_is_told_the_names_there_are(draw):
    graph = draw(ATTENTION)
    with pytest.raises(
        BadOption, match=r"open: no layer is called 'nix'; there are attention, q_proj, k_proj"
    ):
        shaped(graph, Options(open="nix"))
    with pytest.raises(BadOption, match="do you mean q_proj"):
        shaped(graph, Options(open="qproj"))
    with pytest.raises(BadOption, match="…'; there are attention"):
        shaped(graph, Options(open="x" * 200_000))


def test_without_layers_there_is_nothing_to_open(draw, scripts):
    with pytest.raises(BadOption, match="there are no layers in this picture"):
        shaped(draw(scripts["shared"]), Options(open="fc"))


@pytest.mark.parametrize("depth", [-1, "some", True, 1.5, "-1"])
def test_a_depth_that_is_none(depth):
    with pytest.raises(BadOption, match="frames are counted from 0, or all of them are open: all"):
        Options(depth=depth)


def test_options_as_they_are_typed():
    assert Options(depth="2") == Options(depth=2)
    assert Options(open=["a", "b"]).open == ("a", "b")
    assert Options(open=None).open == ()
    assert hash(Options(open=["a"])) == hash(Options(open="a"))


def test_the_same_graph_opens_the_same_way(draw):
    graph = draw(ENCODER.format(layers=6))
    assert as_opened(graph, Options()) == as_opened(graph, Options())
    assert named_frames(graph, ["layers.2"]) == named_frames(graph, ["encoder.layers[2]"])


@pytest.mark.parametrize("source", [ATTENTION, ENCODER.format(layers=1), SKIPS.format(rounds=20)])
def test_a_picture_that_runs_to_the_right_opens_by_the_width_that_it_has_then(draw, source):
    graph = draw(source)
    lying = shaped(graph, Options(direction="LR"))
    assert extent(graph, Options(direction="LR")).width > WIDE
    assert extent(lying, Options(direction="LR")).width <= WIDE * 1.15
    assert len(lying.nodes) < len(graph.nodes)
    assert lying.closed


@pytest.mark.parametrize("source", [ATTENTION, ENCODER.format(layers=1), SKIPS.format(rounds=4)])
def test_the_width_of_a_picture_that_runs_to_the_right_is_known_beforehand(draw, source):
    graph = draw(source)
    svg = render(graph, "svg", Options(direction="LR")).data.decode()
    width = float(re.search(r'<svg width="(\d+)pt"', svg)[1]) * 4 / 3
    assert 0.8 < extent(graph, Options(direction="LR")).width / width < 1.25
