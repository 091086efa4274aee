"""Closing and opening one frame; where a step stands: layers, bodies, iterations."""

import numpy as np
import pytest
from selenium.webdriver import ActionChains

import minipaddle
from minipaddle.core.eager import EAGER, within
from minipaddle.core.watching import watching
from minipaddle.trace import Recorder
from minipaddle.viz.model.mirror import mirror
from minipaddle.viz.picture import Picture
from tests.support.page import Page


@pytest.fixture
def frame(page):
    """The id of the frame of the first block."""
    return page("Object.entries(data.frames).find(([, one]) => one.title === '0: Block')[0]")


def shown(page):
    return {node.get_attribute("data-node") for node in page.all(".view:not([hidden]) .node")}


def title_of(page, frame):
    """The text at the head of a frame, or of the node that it is closed to."""
    return page("document.getElementById(`${key()}.${arguments[0]}`).querySelector('text')", frame)


def click(page, text, kind="click"):
    page("arguments[0].dispatchEvent(new MouseEvent(arguments[1], {bubbles: true}))", text, kind)


def test_a_click_on_a_title_closes_that_frame_alone(page, frame):
    before = shown(page)
    others = [one for one in page("Object.keys(view().toggles)") if one != frame]
    assert title_of(page, frame).text.startswith("− ")
    click(page, title_of(page, frame))
    after = shown(page)
    assert len(after) < len(before)
    assert after - before == {frame, frame.replace("s", "t")}
    assert page("state.view") == f"without-{frame}"
    assert page.one("#views").get_attribute("value") == f"without-{frame}"
    assert any(
        title_of(page, one).text.startswith("− ")
        for one in others
        if page("$(`${key()}.${arguments[0]}`)", one)
    )
    assert title_of(page, frame).text.startswith("+ ")
    page("state.toggled = -Infinity")
    click(page, title_of(page, frame))
    assert shown(page) == before
    assert page.complaints == []


def test_a_double_click_opens_what_is_closed(page, frame):
    before = shown(page)
    page("toggle(arguments[0])", frame)
    click(page, page.node(frame), "dblclick")
    assert shown(page) == before


def test_a_double_click_on_a_title_closes_once(page, frame):
    title = title_of(page, frame)
    page("stage.bringIntoView(arguments[0])", title)
    ActionChains(page.driver).double_click(title).perform()
    assert page("[state.view, state.node]") == [f"without-{frame}", frame]


def test_by_key_and_by_button(page, frame):
    page.choose(page.id_of("0.fc.weight"))
    assert page.one("#toggle").text == "close 0: Block (o)"
    page.click("#toggle")
    assert page("[state.view, state.node]") == [f"without-{frame}", frame]
    assert page.one("#toggle").text == "open (o)"
    assert "Formula" not in page.one("#panel").text  # there are several in it
    page.press("o")
    assert page("state.view") == "all"


def test_the_list_says_where_a_step_stands(page):
    within = [item.get_attribute("data-within") for item in page.all("#steps li[data-within]")]
    assert "net: Sequential › 0: Block › 0.fc: Linear" in within
    assert "outside" in within


def while_loop():
    S = minipaddle.static
    recorder = Recorder("loop.py")
    with within(EAGER), watching(recorder):
        minipaddle.enable_static()
        main = S.Program()
        with S.program_guard(main), minipaddle.utils.unique_name.guard():
            x = S.data("x", [2])
            x.stop_gradient = False
            i = minipaddle.zeros([1])
            _, h = S.nn.while_loop(lambda i, h: minipaddle.all(i < 3), lambda i, h: [i + 1, h * h], [i, x])
            S.append_backward(minipaddle.sum(h))
        S.Executor().run(main, {"x": np.array([0.5, 2], "f4")})
        minipaddle.disable_static()
    return recorder.finish()


def test_iterations_are_told(chromium, tmp_path):
    trace = while_loop()
    Picture(mirror(trace), trace).save(tmp_path / "loop.html")
    page = Page(chromium, tmp_path / "loop.html").open()
    rounds = [item.get_attribute("data-within") for item in page.all("#steps li[data-within]")]
    for turn in (1, 2, 3):
        assert f"while block 1, 3 iterations › iteration {turn}" in rounds
    squares = page("view().order.filter((id) => data.nodes[id].title === 'multiply')")
    page("goToStep(view().order.indexOf(arguments[0]))", squares[1])
    assert ": iteration 2: multiply computes " in page.one("#sentence").text
    assert "Within\nwhile block 1, 3 iterations\niteration 2" in page.one("#panel").text
    page.one("#search").send_keys("iteration 2")
    assert squares[1] in page.classes("found")
    assert squares[0] not in page.classes("found")
    assert page.complaints == []
