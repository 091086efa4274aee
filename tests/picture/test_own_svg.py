"""Our own drawing: whole XML, everything in its place and inside the picture."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from minipaddle.tools.picture.draw.chips import with_chips
from minipaddle.tools.picture.draw.regions import column_of
from minipaddle.tools.picture.draw.render import render
from minipaddle.tools.picture.draw.rows import rows_of
from minipaddle.tools.picture.draw.svg import to_svg
from minipaddle.tools.picture.draw.theme import Style
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.picture.model.labels import tooltip

SVG = "{http://www.w3.org/2000/svg}"


class Drawing:
    """What can be measured in an SVG text."""

    def __init__(self, graph):
        self.graph = graph
        self.root = ET.fromstring(to_svg(graph))
        self.groups = {
            group.get("id"): group
            for group in self.root.iter(f"{SVG}g")
            if group.get("class") in ("node", "cluster")
        }

    def box(self, id_):
        rect = self.groups[id_].find(f"{SVG}rect")
        x, y, width, height = (float(rect.get(key)) for key in ("x", "y", "width", "height"))
        return x, y, x + width, y + height

    def middle(self, id_):
        _, top, _, bottom = self.box(id_)
        return (top + bottom) / 2


def test_ids_are_those_of_the_graph(any_graph):
    assert set(Drawing(any_graph).groups) == {*with_chips(any_graph, "mirror").nodes, *any_graph.clusters}


def test_twins_stand_on_one_row(any_graph):
    drawing = Drawing(any_graph)
    for forward, backward in any_graph.rows():
        assert drawing.middle(forward) == drawing.middle(backward)
        assert drawing.box(forward)[2] < drawing.box(backward)[0]


def test_nothing_overlaps(any_graph):
    drawing = Drawing(any_graph)
    columns: dict[int, list] = {}
    for node in any_graph.nodes.values():
        columns.setdefault(column_of(any_graph, node), []).append(drawing.box(node.id)[1::2])
    for boxes in map(sorted, columns.values()):
        assert all(upper[1] < lower[0] for upper, lower in pairwise(boxes))


def test_forward_runs_down_and_backward_up(any_graph):
    drawing = Drawing(any_graph)
    for edge in any_graph.edges:
        tail, head = any_graph.nodes[edge.tail], any_graph.nodes[edge.head]
        if tail.column != head.column or edge.kind == "saved":
            continue
        down = drawing.middle(edge.tail) < drawing.middle(edge.head)
        assert down == ((head.side == "forward") is not bool(tail.column)), (
            "in a column it is the other way round"
        )


def test_nothing_is_cut_off(any_graph):
    drawing = Drawing(any_graph)
    _, _, width, height = map(float, drawing.root.get("viewBox").split())
    for id_ in drawing.groups:
        left, top, right, bottom = drawing.box(id_)
        assert 0 < left < right < width
        assert 0 < top < bottom < height
    for path in drawing.root.iter(f"{SVG}path"):
        for curve in re.finditer(r"C([-\d.]+),", path.get("d")):
            assert 0 <= float(curve[1]) <= width


def test_a_long_bow_stays_inside(draw, scripts):
    graph = draw(scripts["chain"].replace("range(30)", "range(12)").replace("y.sum()", "(y + x).sum()"))
    drawing = Drawing(graph)
    _, _, width, _ = map(float, drawing.root.get("viewBox").split())
    curves = [path.get("d") for path in drawing.root.iter(f"{SVG}path") if "C" in path.get("d")]
    places = [[float(x) for x in re.findall(r"([-\d.]+),", curve)] for curve in curves]
    bows = [across for across in places if max(across) > across[-1] or min(across) < across[0]]
    assert len(bows) == 2  # from x to the addition, and back
    for bow in bows:
        assert all(0 <= x <= width for x in bow)


def test_a_frame_holds_its_members_and_no_others(draw, scripts):
    graph = draw(scripts["pylayer"])
    drawing = Drawing(graph)
    assert graph.clusters
    for cluster in graph.clusters.values():
        left, top, right, bottom = drawing.box(cluster.id)
        for node in graph.nodes.values():
            x1, y1, x2, y2 = drawing.box(node.id)
            inside = left < x1 and x2 < right and top < y1 and y2 < bottom
            outside = x2 < left or right < x1 or y2 < top or bottom < y1
            assert inside if node.cluster == cluster.id else outside


def test_every_text_is_whole_xml(hostile):
    root = ET.fromstring(to_svg(hostile))
    assert {group.get("id") for group in root.iter(f"{SVG}g")} >= {"f0", "g1", "c1"}


def test_texts_arrive_unchanged(with_texts):
    root = ET.fromstring(to_svg(with_texts("a & b ]]> <c>")))
    assert {text.text for text in root.iter(f"{SVG}text")} >= {"a & b ]]> <c>"}


def test_tooltips_say_it_all(draw, scripts):
    graph = draw(scripts["chain"])
    drawing = Drawing(graph)
    for node in graph.nodes.values():
        assert drawing.groups[node.id].find(f"{SVG}title").text == tooltip(node)


def test_rows_are_numbered_without_gaps(any_graph):
    rows = set(rows_of(any_graph, "mirror").values())
    assert rows == set(range(len(rows)))


def test_three_hundred_operators(chain):
    graph = chain(300)
    drawing = Drawing(graph)
    assert set(drawing.groups) == set(graph.nodes)


@pytest.mark.parametrize("asked", [{"direction": "LR"}, {"layout": "stack"}])
def test_other_ways_than_ours_are_not_drawn_without_a_word(any_graph, asked):
    drawn = render(any_graph, "svg", "tape", Style(**asked))
    assert drawn.remarks == (
        "our own drawing is a mirror or a tape, and runs down: other ways need Graphviz",
    )
    assert render(any_graph, "svg", "tape", Style()).remarks == ()


def test_arrows_arrive_in_a_direction(any_graph):
    """The head of an arrow turns as its last piece does: a piece without length has none."""
    groups = Drawing(any_graph).root.iterfind(f"{SVG}g[@class='edge']/{SVG}path")
    for path in (one.get("d") for one in groups):
        *_, before, last = re.findall(r"[-\d.]+,[-\d.]+", path)
        assert before != last, path


def test_a_long_result_keeps_its_shape_and_its_numbers(draw):
    graph = draw("""
        a_name_that_says_all_there_is_to_say_of_it = paddle.ones([2, 3, 4, 5]) * 2
        a_name_that_says_all_there_is_to_say_of_it.stop_gradient = False
        (a_name_that_says_all_there_is_to_say_of_it * 2).sum().backward()
    """)
    texts = [text.text for text in Drawing(graph).root.iter(f"{SVG}text")]
    (rule,) = [place for place, text in enumerate(texts) if text == "scale_grad"]
    assert re.fullmatch(r"a_name_that_says_\w+… \[2, 3, 4, 5\]", texts[rule + 1])
    assert texts[rule + 2] == "norm 21.91"


def test_words_at_a_bow_stand_beside_the_boxes():
    graph = Graph("three rules")
    for number in range(3):
        graph.add(Node(f"g{number}", "grad", f"rule {number}", side="backward"))
    graph.join("g0", "g2", "gradient", "what is said of it")
    drawing = Drawing(graph)
    (word,) = drawing.root.iterfind(f"{SVG}g[@class='edge']/{SVG}text")
    assert word.get("text-anchor") == "start"
    assert float(word.get("x")) > max(drawing.box(id_)[2] for id_ in graph.nodes)
