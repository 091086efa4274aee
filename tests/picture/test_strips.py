"""What repeats carries a cell for each round, forward and backward, coloured by its norm."""

import json
import math
import re
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.json import to_json
from minipaddle.tools.picture.draw.legend import colour_of, level_of
from minipaddle.tools.picture.draw.theme import THEMES, Style
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.picture.model.strips import LEVELS, MOST, Scale, strips_of
from minipaddle.tools.picture.options import Options, shaped
from minipaddle.tools.record import Value
from minipaddle.tools.record.stats import Stats

VANISHING = """
w = paddle.to_tensor([0.5], stop_gradient=False)
x = paddle.to_tensor([1.0], stop_gradient=False)
for _ in range({rounds}):
    x = x * w
x.backward()
"""


@pytest.fixture
def vanishing(draw):
    """A loop that halves, folded: forward and backward the norms are powers of a half."""
    return lambda rounds: fold(draw(VANISHING.format(rounds=rounds)))


def strip(graph, title):
    """Return the cells of the node of that title."""
    strips = strips_of(graph)
    (cells,) = [
        strips.of[node.id] for node in graph.nodes.values() if node.title == title and node.id in strips.of
    ]
    return cells


def test_a_cell_is_a_round_and_both_sides_read_as_forward_ran(vanishing):
    graph = vanishing(8)
    forward, backward = strip(graph, "multiply"), strip(graph, "multiply_grad")
    assert [cell.norm for cell in forward] == [0.5**round for round in range(1, 9)]
    # round 8 gets 1 and hands on w * 1 = 0.5, or to w what x was; round 1 has the smallest
    assert [cell.norm for cell in backward] == [
        0.5 ** (8 - round) * 1.0
        if round == 1
        else max(0.5 ** (9 - round), 0.5 ** (8 - round) * 0.5 ** (round - 1))
        for round in range(1, 9)
    ]
    assert [cell.words for cell in forward][:2] == ["round 1: norm 0.5", "round 2: norm 0.25"]
    assert [cell.of for cell in forward] == [one.id for one in graph.nodes[forward[0].of].rounds]


@pytest.mark.parametrize(
    ("rounds", "together", "cells"), [(60, 1, 60), (61, 2, 31), (300, 5, 60), (1000, 17, 59)]
)
def test_many_rounds_share_cells_and_it_says_so(vanishing, rounds, together, cells):
    graph = vanishing(rounds)
    found = strip(graph, "multiply")
    assert len(found) == cells <= MOST
    assert [cell.first for cell in found[1:]] == [cell.last + 1 for cell in found[:-1]]
    assert (found[0].first, found[-1].last) == (1, rounds)
    assert found[0].norm == 0.5  # the largest of those in it
    said = f"up to {together} rounds in a cell, the largest"
    assert (said in strips_of(graph).words) is (together > 1)
    assert (said in to_dot(graph)) is (together > 1)


def test_a_drawing_has_the_cells_in_their_colours(vanishing):
    graph = vanishing(8)
    strips = strips_of(graph)
    dot = to_dot(graph)
    for id_, cells in strips.of.items():
        colours = [colour_of(level_of(cell, strips.scale), THEMES["light"]) for cell in cells]
        assert re.findall(rf'<td id="{id_}\.r\d+"[^>]* bgcolor="(#\w+)"', dot) == colours
    assert "round 3: norm 0.125" in dot
    assert strips.words in dot


def test_dot_draws_every_cell(vanishing):
    graph = vanishing(8)
    done = subprocess.run(["dot", "-Tsvg"], input=to_dot(graph).encode(), capture_output=True, check=True)
    assert done.stderr == b""
    cells = re.findall(
        r'<g id="a_\w+\.r\d+"><a xlink:href="#\w+" xlink:title="(round \d+: .*?)">', done.stdout.decode()
    )
    assert len(cells) == sum(map(len, strips_of(graph).of.values()))


def test_no_strip_where_numbers_may_not_be_told(vanishing):
    graph = vanishing(8)
    assert "round 1" not in to_dot(graph, Style(values="none"))
    safe = shaped(vanishing(8), Options(share_safe=True))
    assert "norm" not in to_json(safe, share_safe=True)


def test_data_names_every_round_with_its_norm(vanishing):
    nodes = json.loads(to_json(vanishing(4)))["nodes"]
    (multiply,) = [node for node in nodes if node["title"] == "multiply"]
    assert [one["norm"] for one in multiply["rounds"]] == [0.5, 0.25, 0.125, 0.0625]
    assert multiply["rounds"][0]["id"] == multiply["id"]
    assert ["rounds" in node for node in nodes if node["count"] == 1] == [False] * sum(
        node["count"] == 1 for node in nodes
    )


def made(norms, kind="result"):
    """Return a graph of one folded node, whose rounds have these norms; None: nobody has measured."""
    rounds = []
    for number, norm in enumerate(norms):
        value = Value(number, "h", kind, (2,), "float32", False)
        if norm is not None:
            value = replace(value, kept_stats=Stats(2, 0.0, norm, norm, norm, norm, 0, 0, 0))
        rounds.append(Node(f"f{number}", "op", "tanh", (value,)))
    graph = Graph("made", "")
    graph.add(replace(rounds[0], count=len(rounds), rounds=tuple(rounds)))
    return graph


@given(st.lists(st.one_of(st.none(), st.just(0.0), st.floats(1e-30, 1e30)), min_size=3, max_size=200))
def test_shades_follow_the_logarithm_and_nothing_is_lost(norms):
    strips = strips_of(made(norms))
    (cells,) = strips.of.values()
    assert len(cells) <= MOST
    assert [number for cell in cells for number in range(cell.first, cell.last + 1)] == list(
        range(1, len(norms) + 1)
    )
    for cell in cells:
        several = [norm for norm in norms[cell.first - 1 : cell.last] if norm is not None]
        assert cell.norm == max(several) if several else math.isnan(cell.norm)
    levels = [
        (cell.norm, int(level)) for cell in cells if (level := level_of(cell, strips.scale)).isdecimal()
    ]
    assert all(0 <= level <= LEVELS for _, level in levels)
    assert [level for _, level in sorted(levels)] == sorted(level for _, level in levels)
    for cell in cells:
        assert (level_of(cell, strips.scale) == "zero") is (cell.norm == 0)
        assert (level_of(cell, strips.scale) == "unknown") is math.isnan(cell.norm)


def test_a_scale_of_one_number():
    assert Scale(2.0, 2.0).level(2.0) == 0
    assert strips_of(made([2.0, 2.0, 2.0])).words.startswith(
        "cells: norm of each round, from 2 (pale) to 2 (strong)"
    )


def test_a_nan_has_the_colour_of_an_alarm(draw):
    graph = fold(
        draw(
            """
            x = paddle.to_tensor([3.0e38], stop_gradient=False)
            for _ in range(5):
                x = x * 2.0
            x.sum().backward()
            """
        )
    )
    strips = strips_of(graph)
    cells = strip(graph, "scale")
    assert [level_of(cell, strips.scale) for cell in cells] == ["bad"] * 5
    assert cells[0].words == "round 1: NaN or Inf"
    assert THEMES["light"].roles["alarm"][0] in to_dot(graph)


def test_what_nobody_measured_is_grey_and_said():
    strips = strips_of(made([None, 1.0, 2.0]))
    (cells,) = strips.of.values()
    assert level_of(cells[0], strips.scale) == "unknown"
    assert cells[0].words == "round 1: no norm"
    assert strips.words.endswith("grey: no norm")


def test_the_strip_of_a_closed_layer_has_a_cell_for_each_layer(draw):
    graph = draw(
        """
        net = paddle.nn.Sequential(*(paddle.nn.Linear(4, 4) for _ in range(6)))
        net(paddle.ones([2, 4])).sum().backward()
        """
    )
    seen = shaped(graph, Options(depth=1, fold="auto"))
    folded = fold(seen)
    (layer,) = [node for node in folded.nodes.values() if node.kind == "layer"]
    assert layer.heading == "0…5: Linear ×6"
    assert len(strips_of(folded).of[layer.id]) == 6
    assert {one.title for one in layer.rounds} == {f"{number}: Linear" for number in range(6)}


def test_what_has_no_twin_reads_as_forward_ran_too(draw):
    """A hook stands beside no operator; those of the last round ran first."""
    graph = fold(
        draw(
            """
            x = paddle.to_tensor([1.0], stop_gradient=False)
            for _ in range(6):
                x = x * 2.0
                x.register_hook(lambda grad: grad * 1.0)
            x.sum().backward()
            """
        )
    )
    strips = strips_of(graph)
    (hooks,) = [
        strips.of[node.id] for node in graph.nodes.values() if node.kind == "hook" and node.id in strips.of
    ]
    assert [cell.norm for cell in hooks] == [
        2.0 ** (6 - round) for round in range(1, 6)
    ]  # that of the last has no rule before it
