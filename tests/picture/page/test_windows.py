"""The page in windows of other sizes."""

from pathlib import Path

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.picture import Page as Framed
from minipaddle.tools.picture.picture import Picture
from tests.support.page import NET, Page, trace_of

LAYOUT = Path(__file__).parents[1] / "layout"


@pytest.fixture
def chromium(painting):
    """The page hears that its window has changed when it is painted."""
    return painting


@pytest.fixture
def sized(chromium):
    """`sized(390, 844)` makes the window that large, as far as the page can tell."""

    def make(width, height):
        chromium.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    yield make
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024), (1024, 768), (1400, 900)])
def test_nothing_is_outside_the_window(page_of, sized, width, height):
    sized(width, height)
    page = page_of(NET).open()
    page.choose(page.id_of("matmul_grad", "backward"))
    assert page("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
        width,
        height,
    ]
    stage, panel, footer = (page.one(one).rect for one in ("#stage", "#panel", "footer"))
    assert stage["width"] >= 0.4 * width
    assert stage["height"] >= 0.3 * height
    assert panel["x"] + panel["width"] <= width
    assert footer["y"] + footer["height"] <= height + 1
    assert footer["height"] < 0.15 * height
    assert page(
        "document.getElementById('panel').scrollWidth <= document.getElementById('panel').clientWidth"
    )
    assert page.complaints == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (720, 450)])
def test_in_a_small_window_each_bar_is_one_line_and_on_paper_all_of_the_legend_is_there(
    page_of, sized, width, height
):
    sized(width, height)
    page = page_of(NET).open()
    heights = "['header', '.legend'].map((one) => document.querySelector(one).offsetHeight)"
    assert max(page(heights)) < 50
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert page("((legend) => legend.scrollWidth <= legend.clientWidth)(document.querySelector('.legend'))")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


RAISES = """
x = paddle.to_tensor([0.5], stop_gradient=False)
y = paddle.tanh(x)
y.add_(paddle.ones([1]))
z = y
for _ in range(6):
    z = z * 2.0
z.backward()
"""


def test_what_raised_is_in_sight(chromium, write_script, tmp_path, sized):
    sized(390, 844)
    trace = trace_of(write_script(RAISES), RuntimeError)
    Picture(mirror(trace), trace).save(tmp_path / "page.html")
    page = Page(chromium, tmp_path / "page.html").open()
    rects = page(
        "[shape(sight.order.find((id) => sight.nodes.get(id).kind === 'error')), stage.room]"
        ".map((one) => one.getBoundingClientRect())"
    )
    red, room = rects
    assert room["top"] <= red["top"] < red["bottom"] <= room["bottom"]
    assert room["left"] <= red["left"] < red["right"] <= room["right"]


def test_a_drawing_that_fits_is_seen_whole_beside_the_panel(page_of, sized):
    sized(1440, 900)
    source = "x = paddle.rand([1, 3, 8])\npaddle.nn.Linear(8, 2)(x).mean().backward()"
    page = page_of(source).open()
    page("toggle(Object.keys(data.frames)[0])")
    seen = """(([drawn, room]) => drawn.left >= room.left - 1 && drawn.right <= room.right + 1)(
      [svg(), stage.room].map((one) => one.getBoundingClientRect()))"""
    WebDriverWait(page.driver, 30).until(lambda _: page.one("#panel").is_displayed() and page(seen))
    assert page("stage.box.unit") <= 1


def test_in_a_narrow_window_the_list_lies_over_the_picture(page_of, sized):
    sized(390, 844)
    page = page_of(NET).open()
    assert not page.one("#left").is_displayed()
    width = page.one("#stage").rect["width"]
    page.click("#fold")
    assert page.one("#left").is_displayed()
    assert page.one("#stage").rect["width"] == width
    page.all("#steps li")[2].click()
    assert page("state.node") == page("view().order[2]")


def test_a_drawing_begins_in_the_middle_where_there_is_room(page_of):
    page = page_of("x = paddle.to_tensor([1.0], stop_gradient=False)\nx.tanh().backward()\n").open()
    stage = page.one("#stage").rect
    edges = page(
        "(() => { const all = [...nodes()].map((one) => one.getBoundingClientRect());"
        " return [Math.min(...all.map((one) => one.left)), Math.max(...all.map((one) => one.right))]; })()"
    )
    left, right = edges[0] - stage["x"], stage["x"] + stage["width"] - edges[1]
    assert abs(left - right) < 0.1 * stage["width"]
    assert page("stage.box.unit") == 0.5  # no larger than twice its size


WIDE = (
    "x = paddle.to_tensor([1.0], stop_gradient=False)\n"
    + "".join(f"y{i} = paddle.tanh(x)\n" for i in range(9))
    + "paddle.add_n([y0, y1, y2, y3, y4, y5, y6, y7, y8]).backward()\n"
)
LONG = "y = x = paddle.to_tensor([1.0], stop_gradient=False)\nfor _ in range(40):\n    y = y.tanh()\ny.backward()\n"


def all_is_seen(page):
    """Whether no node is outside the stage."""
    stage = page.one("#stage").rect
    left, right, top, bottom = page(
        "(() => { const all = [...nodes()].map((one) => one.getBoundingClientRect()); return ["
        "Math.min(...all.map((one) => one.left)), Math.max(...all.map((one) => one.right)),"
        "Math.min(...all.map((one) => one.top)), Math.max(...all.map((one) => one.bottom))]; })()"
    )
    across = stage["x"] <= left < right <= stage["x"] + stage["width"]
    return across and stage["y"] <= top < bottom <= stage["y"] + stage["height"]


def test_the_minimap_covers_no_arrow_where_a_corner_is_free(page_of):
    page = page_of((LAYOUT / "cond.py").read_text(encoding="utf-8")).open()
    shapes = "[...document.querySelectorAll('.node, .edge path')].map((one) => one.getBoundingClientRect())"
    box = page("$('minimap').getBoundingClientRect()")
    covered = f"{shapes}.some((one) => one.left < {box['right']} && one.right > {box['left']} && "
    assert not page(covered + f"one.top < {box['bottom']} && one.bottom > {box['top']})")


@pytest.mark.parametrize("name", ["nested_pylayer", "shared"])
def test_the_minimap_covers_no_node_on_a_telephone(page_of, sized, name):
    sized(390, 844)
    page = page_of((LAYOUT / f"{name}.py").read_text(encoding="utf-8")).open()
    box = page("$('minimap').getBoundingClientRect()")
    assert box["width"] > 0
    boxes = "[...nodes()].map((one) => one.getBoundingClientRect())"
    beside = "one.left < arguments[0].right && one.right > arguments[0].left"
    level = "one.top < arguments[0].bottom && one.bottom > arguments[0].top"
    assert page(f"{boxes}.filter((one) => {beside} && {level})", box) == []


def test_thirteen_frames_in_each_other_are_seen_whole(page_of, sized):
    sized(1440, 900)
    page = page_of((LAYOUT / "deep_frames.py").read_text(encoding="utf-8")).open()
    assert len(page.all(".view .frame")) == 26
    assert all_is_seen(page)


@pytest.mark.parametrize("source", [WIDE, LONG], ids=["wide", "long"])
def test_what_is_too_large_opens_on_the_loss_and_is_seen_whole_when_asked(page_of, sized, source):
    sized(390, 844)
    page = page_of(source, fold="none").open()
    assert not all_is_seen(page)
    assert page("[stage.box.unit, $('minimap').hidden]") == [1, False]
    assert page("(lossOf(sight), drawing.group(lossOf(sight)).getBoundingClientRect().bottom)") <= 844
    last = "Math.max(...[...nodes()].map((one) => one.getBoundingClientRect().bottom))"
    assert page(f"{last} <= $('stage').getBoundingClientRect().bottom")
    page.click("#fit")
    assert all_is_seen(page)
    sized(700, 500)
    WebDriverWait(page.driver, 10).until(lambda _: all_is_seen(page))
    page.click("#in", times=6)
    assert not all_is_seen(page)
    page.click("#fit")
    assert all_is_seen(page)


def test_what_was_seen_whole_can_be_read_when_the_window_shrinks(page_of, sized):
    """A bar that wraps takes room too. Who asked for all of it keeps that."""
    sized(1400, 900)
    page = page_of(NET, fold="none").open("#v=layers")
    assert all_is_seen(page)
    sized(800, 420)
    WebDriverWait(page.driver, 10).until(lambda _: not all_is_seen(page))
    assert page("stage.box.unit") <= 1.1
    page.click("#fit")
    assert all_is_seen(page)


def roll(page, **event):
    """Turn the wheel at the middle of the stage; return what is under the pointer before and after."""
    stage = page.one("#stage").rect
    middle = (stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2)
    at = dict(zip(("clientX", "clientY"), map(int, middle)))  # an event knows whole pixels
    return page(
        "(() => { const seen = () => { const {x, y} = stage.pointIn(arguments[0]); return [x, y]; };"
        " const before = seen();"
        " document.getElementById('stage').dispatchEvent(new WheelEvent('wheel', {...arguments[0], cancelable: true}));"
        " return [before, seen()]; })()",
        at | event,
    )


def test_a_wheel_zooms_in_proportion_about_the_pointer(page_of):
    page = page_of(NET).open()
    width = page.box[2]
    for _ in range(10):
        before, after = roll(page, deltaY=-2)
        assert after == pytest.approx(before, abs=0.5)
    assert width / 1.1 < page.box[2] < width
    for _ in range(10):
        roll(page, deltaY=2)
    assert page.box[2] == pytest.approx(width)
    roll(page, deltaY=-3, deltaMode=1)
    in_lines = page.box[2]
    roll(page, deltaY=48)
    assert page.box[2] == pytest.approx(width)
    assert in_lines < width


def test_a_pinch_zooms_and_sideways_pans(page_of):
    page = page_of(NET).open()
    x, y, width, height = page.box
    roll(page, deltaX=30, deltaY=4)
    moved = page.box
    assert moved[0] - x == pytest.approx(30 * width / page.one("#stage").rect["width"], rel=0.01)
    assert moved[1:] == [y, width, height]
    roll(page, deltaY=-30, shiftKey=True)
    assert page.box == pytest.approx([x, y, width, height])
    before, after = roll(page, deltaY=-20, ctrlKey=True)
    assert after == pytest.approx(before, abs=0.5)
    assert page.box[2] == pytest.approx(width / 1.2214, rel=0.001)


def test_who_only_pans_lays_nothing_out_again(page_of):
    """Words that are written anew, though they are the same, cost a layout of all of the picture in every frame."""
    page = page_of(NET).open()
    touched = """((move) => {
        const seen = new MutationObserver(() => {});
        seen.observe($("zoom"), { childList: true, characterData: true, subtree: true });
        move();
        return seen.takeRecords().length;
    })"""
    for _ in range(3):
        assert page(f"{touched}(() => stage.zoom(0.9))") > 0
        assert page(f"{touched}(() => stage.pan(7, 5))") == 0


def test_two_fingers_zoom(page_of):
    page = page_of(NET).open()
    width = page.box[2]

    def finger(kind, number, x):
        page(
            "document.getElementById('stage').dispatchEvent(new PointerEvent(arguments[0], "
            "{pointerId: arguments[1], clientX: arguments[2], clientY: 400, bubbles: true}))",
            kind,
            number,
            x,
        )

    finger("pointerdown", 1, 600)
    finger("pointerdown", 2, 700)
    finger("pointermove", 2, 800)
    assert page.box[2] == pytest.approx(width / 2)
    finger("pointerup", 1, 600)
    finger("pointerup", 2, 800)


def test_in_the_frame_of_a_notebook(chromium, write_script, tmp_path):
    trace = trace_of(write_script(NET))
    framed = Framed(Picture(mirror(trace), trace).html())
    (tmp_path / "notebook.html").write_text(framed._repr_html_(), encoding="utf-8")
    page = Page(chromium, tmp_path / "notebook.html").open()
    chromium.switch_to.frame(page.one("iframe"))
    for _ in range(3):
        page.click("#next")
    assert page.one("#sentence").text.startswith("3 of ")
    page.choose(page.id_of("sum"))
    assert "Formula" in page.one("#panel").text
    page.select("#views", "outer")
    assert page("state.view") == "outer"
    chromium.switch_to.default_content()
    assert page.complaints == []


WIDE_INSIDE = """
class Wide(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.parts = paddle.nn.LayerList([paddle.nn.Linear(2, 2) for _ in range(9)])

    def forward(self, x):
        return paddle.add_n([part(x) for part in self.parts])


net = Wide()
net(paddle.ones([1, 2])).sum().backward()
"""


def test_a_frame_that_is_opened_keeps_the_size_of_letters(page_of, sized):
    sized(600, 400)
    page = page_of(WIDE_INSIDE, depth="0").open()
    before = page("stage.box.unit")
    for frame in page("[...state.closed].filter((id) => !(id in data.repeats))"):
        page(f"toggle({frame!r})")
        assert page("stage.box.unit") <= max(before, page("SMALLEST")) + 1e-9
        one, room = (
            page(f"JSON.parse(JSON.stringify({it}.getBoundingClientRect()))")
            for it in (f"anchorOf({frame!r})", "stage.room")
        )
        assert room["left"] <= one["left"] < room["right"]
        assert room["top"] <= one["top"] < room["bottom"]
