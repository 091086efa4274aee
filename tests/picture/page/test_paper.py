"""The page on paper: all of the drawing, in letters that can be read, on sheets that cut no node."""

import base64
import re
from pathlib import Path

import pytest

from tests.support.page import NET

LAYOUT = Path(__file__).parents[1] / "layout"


def test_on_paper_all_of_the_drawing_is_seen(page_of):
    page = page_of(NET).open()
    whole = page.box
    page.click("#in", times=6)
    zoomed = page.box
    assert zoomed[2] < whole[2]
    moved = page("svg().getAttribute('style')")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    page("stage.settle()")  # as a browser may ask for once the room has another size
    left, right, room = page(
        "[svg(), document.body].map((one) => one.getBoundingClientRect())"
        ".flatMap(({left, right}, one) => (one ? [right] : [left, right]))"
    )
    assert 0 <= left < right <= room + 1
    x, y, width, height = (float(part) for part in page("svg().getAttribute('viewBox')").split())
    drawn = page("(({x, y, width, height}) => [x, y, width, height])(svg().getBBox())")
    assert x <= drawn[0] + 1
    assert y <= drawn[1] + 1
    assert x + width >= drawn[0] + drawn[2] - 1
    assert y + height >= drawn[1] + drawn[3] - 1
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    page("stage.settle()")
    assert page("svg().getAttribute('style')") == moved
    assert page.box == zoomed


CHAIN = "x = paddle.ones([2])\nx.stop_gradient = False\nfor _ in range({}):\n    x = paddle.tanh(x)\nx.sum().backward()"


@pytest.mark.parametrize(("rounds", "lies"), [(1, True), (12, False)])
def test_a_sheet_of_paper_lies_where_the_drawing_is_larger_on_it(page_of, rounds, lies):
    page = page_of(CHAIN.format(rounds)).open("#v=all")
    printed = page.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]
    sheets = re.findall(rb"/MediaBox\s*\[([^\]]*)\]", base64.b64decode(printed))
    assert len(sheets) == 1
    _, _, across, down = map(float, sheets[0].split())
    assert (across > down) is lies


@pytest.mark.parametrize(("name", "sheets"), [("gradient_penalty", 3), ("attention", 4)])
def test_what_cannot_be_read_on_one_sheet_is_printed_on_several_that_cut_no_node(page_of, name, sheets):
    page = page_of((LAYOUT / f"{name}.py").read_text(encoding="utf-8")).open()
    printed = page.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]
    assert len(re.findall(rb"/MediaBox", base64.b64decode(printed))) == sheets
    assert page.all("#sheets svg") == []
    page("window.dispatchEvent(new Event('beforeprint'))")
    seen = [[float(part) for part in one.split()] for one in page.attributes("#sheets svg", "viewBox")]
    sheet = 1030 if page("document.body.classList.contains('lying')") else 700  # pixels
    assert all(11 * 0.75 * sheet / across >= 5 for *_, across, _ in seen)  # points
    boxes = page(
        "[...drawing.layout.boxes.values()].map(({x, y, width, height}) => [x, y, x + width, y + height])"
    )
    whole = [
        one
        for one in boxes
        for x, y, across, down in seen
        if x <= one[0] and one[2] <= x + across and y <= one[1] and one[3] <= y + down
    ]
    assert sorted(whole) == sorted(boxes)  # each on one sheet, all of it
    page("window.dispatchEvent(new Event('afterprint'))")
