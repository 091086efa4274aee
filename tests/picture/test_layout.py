"""Rules of the drawings, looked at by coordinates, for scripts of every kind."""

import math
import shutil
from collections import Counter, defaultdict
from itertools import combinations, pairwise
from pathlib import Path
from unittest.mock import patch

import pytest

from minipaddle.tools.picture.draw.json import graph_object
from minipaddle.tools.picture.model.mirror import mirror_or_forward
from minipaddle.tools.picture.options import Options
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.words.language import speak
from tests.support.geometry import Drawn, Rect, around, read_svg

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SCRIPTS = [
    *sorted((HERE / "layout").glob("*.py")),
    *sorted((ROOT / "docs" / "gallery").glob("*.py")),
    *sorted((ROOT / "docs" / "images").glob("*.py")),
]
if not shutil.which("dot"):
    SCRIPTS.clear()
_TOUCH = 3
"""How far an arrow may reach into a box, and words into a border, in points: curves are drawn by hand."""
_CELL, _TOGETHER, _BUNDLE = 2, 60, 6
"""Points: two arrows on each other, and for how long at most, as where they meet at one node; arrows of one node."""


@pytest.fixture(params=SCRIPTS, ids=lambda path: path.stem)
def script(request):
    return request.param


@pytest.fixture(scope="module")
def pictured(run_cli, tmp_path_factory):
    """`pictured(script, "en", "0")`: a picture of a script, which runs once in each language."""
    known = {}

    def recorded(script, spoken):
        traces = []  # nothing is written: that recordings are read as they were is held in tests/trace
        with patch(
            "minipaddle.tools.cli.commands.trace.write_recording", lambda trace, *_: traces.append(trace)
        ):
            done = run_cli("trace", script, "--lang", spoken, cwd=tmp_path_factory.getbasetemp())
        assert traces, done.stderr
        return mirror_or_forward(*traces), *traces

    def pictured(script, spoken, depth):
        if (script, spoken) not in known:
            known[script, spoken] = recorded(script, spoken)
        return Picture(*known[script, spoken], Options(depth=depth))

    return pictured


def test_a_drawing_keeps_the_rules(pictured, script):
    opened, closed = (pictured(script, "en", depth) for depth in ("all", "0"))
    keeps_the_rules(opened)
    if [*closed.seen("json").nodes] != [*opened.seen("json").nodes]:  # else there is no frame to close
        keeps_the_rules(closed)


IN_CHINESE = (
    "deep_frames",
    "hessian_vector",
    "lost",
    "many",
    "nan",
    "raises_backward",
    "residual",
    "rnn20",
    "twice",
)
"""With every kind of words: states, frames, sums, alarms."""


@pytest.mark.parametrize(
    "script", [path for path in SCRIPTS if path.stem in IN_CHINESE], ids=lambda path: path.stem
)
def test_a_drawing_in_chinese_keeps_the_rules(pictured, script):
    speak("zh")
    try:
        keeps_the_rules(pictured(script, "zh", "all"))
    finally:
        speak("en")


def keeps_the_rules(picture):
    drawn, graph = read_svg(picture.svg()), graph_object(picture.seen("json"))
    assert set(drawn.nodes) >= {node["id"] for node in graph["nodes"]}
    assert arrows_through_boxes(drawn, graph) == []
    assert arrows_together(drawn, graph) == []
    assert words_on_boxes(drawn) == []
    assert words_on_titles(drawn) == []
    assert boxes_on_boxes(drawn) == []
    assert outside_the_paper(drawn) == []
    assert struck(drawn) == []
    assert words_on_borders(drawn) == set()
    assert {id_ for id_, ways in drawn.ways.items() if ways != 1} == set()  # dot draws some arrows twice
    assert twins_apart(drawn, graph) == []


def arrows_through_boxes(drawn: Drawn, graph: dict) -> list:
    """Return the arrows that run through the box of a node that they neither leave nor reach."""
    ends = {edge["id"]: (edge["tail"], edge["head"]) for edge in graph["edges"]}
    insides = {other: box.within(_TOUCH) for other, box in drawn.nodes.items()}
    found = []
    for id_, points in drawn.arrows.items():
        reach = around(points)
        tail, head = ends[id_]
        own = {tail, head, f"{tail}_{head}"}  # the chip of the tail beside the head
        for other, inside in insides.items():
            if other not in own and inside.meets(reach) and any(map(inside.holds, points)):
                found.append((id_, tail, head, other))
    return found


def arrows_together(drawn: Drawn, graph: dict) -> list:
    """Return the pairs of arrows that lie on each other for a while; a node with very many has a bundle of them."""
    ends = {edge["id"]: (edge["tail"], edge["head"]) for edge in graph["edges"]}
    many = Counter(end for both in ends.values() for end in both)
    through = defaultdict(list)  # cell of the paper -> arrows
    for id_, points in drawn.arrows.items():
        for cell in {(int(x / _CELL), int(y / _CELL)) for x, y in filled(points, _CELL / 2)}:
            through[cell].append(id_)
    shared = Counter(pair for arrows in through.values() for pair in combinations(sorted(arrows), 2))
    return [
        (one, other, count * _CELL)
        for (one, other), count in shared.items()
        if count * _CELL > _TOGETHER and all(many[end] <= _BUNDLE for end in {*ends[one]} & {*ends[other]})
    ]


def filled(points, apart):
    """Yield points of a way, none farther apart than that."""
    for (x, y), (to_x, to_y) in pairwise(points):
        steps = int(math.hypot(to_x - x, to_y - y) / apart) + 1
        yield from ((x + (to_x - x) * n / steps, y + (to_y - y) * n / steps) for n in range(steps))


def words_on_boxes(drawn: Drawn) -> list:
    """Return what is written at an arrow, or at a frame, and stands on a node."""
    written = [
        (id_, words.within(1.5))
        for places in (drawn.words, drawn.titles)
        for id_, several in places.items()
        for words in several
    ]
    return [
        (id_, node)
        for id_, words in written
        for node, box in drawn.nodes.items()
        if box.within(1).meets(words)
    ]


def words_on_titles(drawn: Drawn) -> list:
    """Return what is written at an arrow and stands on the title of a frame."""
    titles = [(frame, title) for frame, several in drawn.titles.items() for title in several]
    return [
        (id_, frame)
        for id_, several in drawn.words.items()
        for words in several
        for frame, title in titles
        if title.meets(words.within(1.5))
    ]


def struck(drawn: Drawn) -> list:
    """Return the titles and labels through which an arrow runs, with the arrow."""
    written = [*drawn.titles.items(), *drawn.words.items()]
    return [
        (id_, arrow)
        for id_, several in written
        for words in several
        for arrow, points in drawn.arrows.items()
        if any(map(words.within(1).holds, points))
    ]


def words_on_borders(drawn: Drawn) -> set:
    """Return the titles and labels on a side of a frame, with the frame."""
    return {
        (id_, frame)
        for id_, several in (*drawn.titles.items(), *drawn.words.items())
        for words in several
        for frame, box in drawn.frames.items()
        if words.within(1).meets(box) and not box.around(words.within(1))
    }


def boxes_on_boxes(drawn: Drawn) -> list:
    """Return the nodes that stand on one another."""
    return [
        (one, other)
        for (one, box), (other, second) in combinations(drawn.nodes.items(), 2)
        if box.within(1).meets(second.within(1))
    ]


def outside_the_paper(drawn: Drawn) -> list:
    """Return what is clipped at an edge of the picture."""
    arrows = [Rect(*point, *point) for points in drawn.arrows.values() for point in points]
    whole = [*drawn.nodes.values(), *drawn.frames.values(), *drawn.texts, *arrows]
    return [one for one in whole if not drawn.paper.around(one)]


def twins_apart(drawn: Drawn, graph: dict) -> list:
    """Return the rules that do not stand on the row of their operator; one with an open Block stands at its end."""
    frames = {cluster["id"] for cluster in graph["clusters"]}
    rows = [
        (node["twin"], node["id"]) for node in graph["nodes"] if node["twin"] and node["side"] != "forward"
    ]
    return [
        (one, other)
        for one, other in rows
        if f"c{other[1:]}" not in frames
        and not _inside_a_block(graph, other)
        and abs(drawn.nodes[one].middle[1] - drawn.nodes[other].middle[1]) > 1
    ]


def _inside_a_block(graph: dict, id_: str) -> bool:
    (cluster,) = [node["cluster"] for node in graph["nodes"] if node["id"] == id_]
    kinds = {frame["id"]: frame["kind"] for frame in graph["clusters"]}
    return kinds.get(cluster) == "body"
