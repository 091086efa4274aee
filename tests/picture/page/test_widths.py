"""How wide the arrows of a page are: as in the other drawings, whatever is closed, and following pushed numbers."""

import pytest

from minipaddle.tools.picture.draw.theme import THEMES, WORDS, widths
from minipaddle.tools.picture.model.mirror import mirror
from tests.support.page import NET, trace_of

FADES = """
x = paddle.to_tensor([1.0], stop_gradient=False)
(x * 1e-10 * 0.01 * 0.1).sum().backward()
"""
ALIKE = "x = paddle.to_tensor([1.0], stop_gradient=False)\n(x * 1.5).sum().backward()\n"
ARROWS = """sight.edges.map((edge) => [edge.of.map((one) => Number(one.id.slice(1))),
  Number(drawing.line(edge).style.getPropertyValue('--width'))])"""


def wide(page):
    """The widths on the page, by the places of the arrows that are drawn as one."""
    return {tuple(places): width for places, width in page(ARROWS) if width}


@pytest.mark.parametrize("script", [FADES, NET, ALIKE])
def test_they_are_those_of_the_other_drawings(page_of, write_script, script):
    page = page_of(script).open("#v=all")
    graph = mirror(trace_of(write_script(script)))
    wanted = widths(graph, THEMES["light"])
    places = {number: place for place, (number, _) in enumerate(graph.drawn_edges())}
    assert wide(page) == {(places[number],): width for number, width in wanted.items()}
    assert (WORDS in page.one(".legend").text) is bool(wanted)


def test_an_arrow_that_stands_for_several_is_as_wide_as_the_widest(page_of):
    page = page_of(NET).open("#v=all")
    all_of_it = {place: width for (place,), width in wide(page).items()}
    page("showView('outer')")
    closed = wide(page)
    assert any(len(places) > 1 for places in closed) or len(closed) < len(all_of_it)
    assert closed == {places: max(all_of_it[place] for place in places) for places in closed}


def test_they_are_seen_but_where_a_theme_tells_kinds_by_them(page_of):
    page = page_of(FADES).open()
    shown = (
        "[...svg().querySelectorAll('.kind-gradient > path')].map((one) => getComputedStyle(one).strokeWidth)"
    )
    assert {"2.5px", "2px", "1px", "0.5px"} <= set(page(shown))
    page("setTheme('print')")
    assert set(page(shown)) == {"2px"}
    assert not page.one(".by-norm").is_displayed()


def test_they_follow_pushed_numbers(page_of):
    script = "w = paddle.to_tensor([{}], stop_gradient=False)\n(w * w * w).exp().sum().backward()\n"
    page = page_of(script.format("0.1")).open()
    before = wide(page)
    page("(push().set(push().live.inputs[0], 0, 1.5), showPushed())")
    assert wide(page) != before
    assert wide(page) == wide(page_of(script.format("1.5")).open())
    page = page_of(script.format("0.1")).open()
    page("(push().set(push().live.inputs[0], 0, 1.5), showPushed(), resetPushed())")
    assert wide(page) == before
