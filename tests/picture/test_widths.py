"""How wide an arrow is follows the norm of its gradient."""

from math import log10

from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.theme import THEMES, width_words, widths

SMALLER = """
x = paddle.to_tensor([1.0], stop_gradient=False)
(x * 1e-10 * 0.01 * 0.1).sum().backward()
"""
ALIKE = "x = paddle.to_tensor([1.0], stop_gradient=False)\n(x * 1.5).sum().backward()\n"


def test_an_arrow_is_half_a_point_thinner_for_every_decade(draw):
    graph = draw(SMALLER)
    found = widths(graph, THEMES["light"])
    norms = {
        edge.values[0].stats.norm: found[number] for number, edge in graph.drawn_edges() if number in found
    }
    assert {round(log10(norm)): width for norm, width in norms.items()} == {
        0: 2.5,
        -1: 2.0,
        -3: 1.0,
        -13: 0.5,
    }
    assert "the wider" in to_dot(graph)


def test_where_norms_are_alike_all_arrows_are(draw):
    graph = draw(ALIKE)
    assert widths(graph, THEMES["light"]) == {}
    assert "penwidth" not in to_dot(graph)
    assert width_words(graph, THEMES["light"]) == ""


def test_a_theme_that_tells_kinds_by_widths_keeps_them(draw):
    assert "the wider" not in to_dot(draw(SMALLER), Options(theme="print"))
    assert set(widths(draw(SMALLER), THEMES["print"]).values()) == {2.0}
