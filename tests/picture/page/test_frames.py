"""Closing and opening one frame; where a step stands: layers, bodies, iterations."""

import re

import numpy as np
import pytest
from selenium.webdriver import ActionChains, Keys

import minipaddle
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record import Recorder
from tests.support.page import NET, Page


@pytest.fixture
def page(page_of):
    return page_of(NET).open()


@pytest.fixture
def frame(page):
    """The id of the frame of the first block."""
    return page("Object.entries(data.frames).find(([, one]) => one.title === '0: Block')[0]")


def shown(page):
    return {*page.attributes(".view .node", "data-node")}


def title_of(page, frame):
    """The text at the head of a frame, or of the node that it is closed to."""
    page("stage.bringIntoView(anchorOf(arguments[0]))", frame)
    return page("anchorOf(arguments[0]).querySelector('text')", frame)


def click(page, text, kind="click"):
    page("state.toggled = -Infinity")
    page("arguments[0].dispatchEvent(new MouseEvent(arguments[1], {bubbles: true}))", text, kind)


def test_a_click_on_a_title_closes_that_frame_alone(page, frame):
    before = shown(page)
    assert title_of(page, frame).text.startswith("− ")
    click(page, title_of(page, frame))
    after = shown(page)
    assert len(after) < len(before)
    twin = frame.replace("s", "t")
    assert {id_ for id_ in after - before if "~u" not in id_} == {frame, twin}
    assert page("[state.view, [...state.closed].sort()]") == ["own", [frame, twin]]
    assert page.one("#views").get_attribute("value") == "own"
    assert title_of(page, frame).text.startswith("+ ")
    assert page.node(frame).get_attribute("aria-expanded") == "false"
    click(page, title_of(page, frame))
    assert shown(page) == before
    assert page.complaints == []


def test_frames_are_open_and_closed_in_any_combination(page, frame):
    titles = page("Object.fromEntries(Object.entries(data.frames).map(([id, one]) => [one.title, id]))")
    last, inner, around = titles["2: Block"], titles["1.fc: Linear"], titles["net: Sequential"]
    for one in (frame, last, inner):
        click(page, title_of(page, one))
    assert {frame, last, inner} <= shown(page)
    click(page, title_of(page, around))
    assert around in shown(page)
    assert not {frame, last, inner} & shown(page)
    click(page, title_of(page, around))  # what was closed within it still is
    assert {frame, last, inner} <= shown(page)
    click(page, title_of(page, last))
    assert {frame, inner} <= shown(page)
    assert last not in shown(page)


def test_what_is_clicked_stays_under_the_pointer(page, frame):
    page.click("#in")
    page.click("#in")
    page("stage.bringIntoView(anchorOf(arguments[0]))", frame)
    corner = "(({left, top}) => [left, top])(anchorOf(arguments[0]).getBoundingClientRect())"
    before = page(corner, frame)
    click(page, title_of(page, frame))
    assert page(corner, frame) == pytest.approx(before, abs=1)
    click(page, title_of(page, frame))
    assert page(corner, frame) == pytest.approx(before, abs=1)


def test_a_closed_layer_lists_its_parameters(page_of):
    page = page_of(NET).open("#v=layers")
    blocks = page(
        "[...nodes()].filter((one) => one.matches('.layer')).map((one) => one.dataset.words.split('\\n'))"
    )
    assert [lines[-1] for lines in blocks] == [f"{n}.fc.weight [2, 2], {n}.fc.bias [2]" for n in range(3)]
    page.select("#views", "outer")
    (whole,) = page("[...nodes()].filter((one) => one.matches('.layer')).map((one) => one.dataset.words)")
    assert "6 parameters" in whole
    assert "weight" not in whole  # the panel has them


def test_a_double_click_opens_what_is_closed(page, frame):
    before = shown(page)
    page("toggle(arguments[0])", frame)
    click(page, page.node(frame), "dblclick")
    assert shown(page) == before


def test_a_double_click_on_a_title_closes_once(painted_page_of, frame):
    page = painted_page_of(NET).open()
    title = title_of(page, frame)
    page("stage.bringIntoView(arguments[0])", title)
    ActionChains(page.driver).double_click(title).perform()
    assert page("[[...state.closed][0], state.node]") == [frame, frame]


def test_by_key_and_by_button(page, frame):
    page.choose(page.id_of("0.fc.weight"))
    assert page.one("#toggle").text == "close 0.fc: Linear (o)"
    page.press("o")
    page.press("o")
    page.choose(
        page.id_of("pylayer") if page("sight.order.includes('pylayer')") else page.id_of("0.fc.weight")
    )
    page("toggle(arguments[0])", frame)
    assert page("state.node") == frame
    assert page.one("#toggle").text == "open (o)"
    assert "Formula" not in page.one("#panel").text  # there are several in it
    page.press("o")
    assert page("state.closed.size") == 0


def test_a_frame_is_closed_from_the_keyboard(page, frame):
    group = page("anchorOf(arguments[0])", frame)
    page("arguments[0].focus()", group)
    assert group.get_attribute("role") == "button"
    assert group.get_attribute("aria-expanded") == "true"
    group.send_keys(Keys.ENTER)
    assert frame in page("[...state.closed]")


def test_a_link_remembers_what_was_closed_by_hand(page, frame):
    click(page, title_of(page, frame))
    sight = shown(page)
    page.open(page("location.hash"))
    assert shown(page) == sight
    page.open("#k=nothing.constructor&n=s999")
    assert page("state.closed.size") == 0
    assert page.complaints == []


def test_what_is_found_inside_a_closed_frame_is_found_there(page, frame):
    page("toggle(arguments[0])", frame)
    page.press("/")
    page.one("#search").send_keys("0.fc.weight")
    assert frame in page.classes("found")


def test_views_are_swapped(page):
    sizes = {}
    for view in page("viewsOf(data).map((one) => one.key)"):
        page.select("#views", view)
        sizes[view] = len(page("sight.order"))
        assert len(shown(page)) == sizes[view] == len(page.all("#steps li"))
    assert sizes["outer"] < sizes["layers"] < sizes["all"]
    assert sizes["forward"] < sizes["all"]


def test_a_node_that_is_not_seen_is_found_by_what_stands_for_it(page, frame):
    page("choose(arguments[0])", frame)  # it is there when the frame is closed
    assert page("[state.node, state.closed.has(arguments[0])]", frame) == [frame, True]
    inside = page.id_of("0.fc.weight")
    page("choose(arguments[0])", inside)
    assert page("state.node") == frame


REPEATED = """
w = paddle.to_tensor([0.5], stop_gradient=False)
y = paddle.ones([1])
for step in range(5):
    y = paddle.tanh(y * w)
y.sum().backward()
"""


def test_a_repeat_is_drawn_once_and_shown_again(page_of):
    page = page_of(REPEATED).open()
    before = shown(page)
    page.choose(page.id_of("tanh"))
    assert page.one("#repeat").text == "draw once: 5 × multiply, tanh (r)"
    page.press("r")
    once = page("state.node")
    assert once.endswith("~r0")
    assert page.node(once).text.startswith("+ tanh ×5")
    assert len(shown(page)) < len(before)
    assert "5 times" in page.one("#panel .says").text
    click(page, page("drawing.group(arguments[0]).querySelector('text')", once))
    assert shown(page) == before
    assert page.complaints == []


def test_frames_of_a_repeat_close_together(page_of):
    blocks = NET.replace("range(3)", "range(4)")
    page = page_of(blocks).open()
    page.select("#views", "small")
    assert "net: Sequential" in page("sight.order.map((id) => sight.nodes.get(id).title)")
    page("toggle(Object.entries(data.frames).find(([, one]) => one.title === 'net: Sequential')[0])")
    (closed,) = page("sight.order.filter((id) => /^s[0-9]+~r[0-9]+$/.test(id))")
    assert page("(({title, count}) => [title, count])(sight.nodes.get(arguments[0]))", closed) == [
        "0…3: Block",
        4,
    ]
    assert page.node(closed).text.startswith("+ 0…3: Block ×4")
    page("choose(arguments[0])", closed)
    assert page.one("#panel h2").text == "0…3: Block ×4"
    page.press("r")
    assert len(page("sight.order.filter((id) => /^s[0-9]+$/.test(id))")) == 4


def test_the_list_says_where_a_step_stands(page):
    within = page.attributes("#steps li[data-within]", "data-within")
    assert "net: Sequential › 0: Block › 0.fc: Linear" in within
    assert "outside" in within


def while_loop():
    S = minipaddle.paddle.static
    recorder = Recorder("loop.py")
    with within(EAGER), watching(recorder):
        minipaddle.paddle.enable_static()
        main = S.Program()
        with S.program_guard(main), minipaddle.paddle.utils.unique_name.guard():
            x = S.data("x", [2])
            x.stop_gradient = False
            i = minipaddle.paddle.zeros([1])
            _, h = S.nn.while_loop(
                lambda i, h: minipaddle.paddle.all(i < 3), lambda i, h: [i + 1, h * h], [i, x]
            )
            S.append_backward(minipaddle.paddle.sum(h))
        S.Executor().run(main, {"x": np.array([0.5, 2], "f4")})
        minipaddle.paddle.disable_static()
    return recorder.finish()


def test_iterations_are_told(chromium, tmp_path):
    trace = while_loop()
    Picture(mirror(trace), trace).save(tmp_path / "loop.html")
    page = Page(chromium, tmp_path / "loop.html").open("#v=all")
    rounds = page.attributes("#steps li[data-within]", "data-within")
    for turn in (1, 2, 3):
        assert f"while block 1, 3 iterations › iteration {turn}" in rounds
    squares = page("view().order.filter((id) => data.facts[id].title === 'multiply')")
    page("goToStep(view().order.indexOf(arguments[0]))", squares[1])
    assert ": iteration 2: multiply computes " in page.one("#sentence").text
    assert "Within\nwhile block 1, 3 iterations\niteration 2" in page.one("#panel").text
    page.one("#search").send_keys("iteration 2")
    assert squares[1] in page.classes("found")
    assert squares[0] not in page.classes("found")
    assert page.complaints == []


def test_what_was_chosen_on_a_side_that_is_not_seen_is_chosen_no_more(page_of):
    page = page_of(NET).open()
    rule = page.id_of("matmul_grad", "backward")
    page.choose(rule)
    page("showView('forward')")
    assert page("state.node") is None
    assert not page.one("#panel").is_displayed()
    page("showView('all')")
    page.choose(rule)
    page("showView('backward')")
    assert page("state.node") == rule
    assert page.complaints == []


def test_steps_of_closed_layers_that_repeat_come_in_the_order_of_one_round(page_of):
    page = page_of(
        "nn = paddle.nn\n"
        "class Block(nn.Layer):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.norm, self.fc = nn.LayerNorm(2), nn.Linear(2, 2)\n"
        "    def forward(self, x):\n"
        "        return x + nn.functional.relu(self.fc(self.norm(x)))\n"
        "net = nn.Sequential(*[Block() for _ in range(4)])\n"
        "net(paddle.ones([1, 2])).sum().backward()\n"
    ).open()
    layers = page("Object.keys(data.frames).filter((id) => /norm|fc/.test(data.frames[id].title))")
    page = page.open(f"#k={'.'.join([*layers, *page('Object.keys(data.repeats)')])}")
    said = [step.text.split("\n")[-1] for step in page.all("#steps li")]
    order = [re.search(r"full|norm|fc|relu|add|sum", one)[0] for one in said if " computes " in one]
    assert order == ["full", "norm", "fc", "relu", "add", "sum"]
