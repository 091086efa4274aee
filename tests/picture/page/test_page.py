"""The page in a real browser: every control is used, and its effect looked at."""

import pytest
from selenium.webdriver import ActionChains, Keys

from tests.support.page import NET


@pytest.fixture(autouse=True)
def no_complaints(page):
    yield
    assert page.complaints == []


def test_a_click_shows_all_that_is_known(page):
    node = page.id_of("matmul_grad", "backward")
    page.choose(node)
    panel = page.one("#panel").text
    assert "@ 0.fc.weight.T" in panel or "@ 2.fc.weight.T" in panel  # the rule, in the user's names
    assert "With numbers put in" in panel
    assert "rms, norm" in panel
    assert "script.py:" in panel
    assert page.classes("chosen") == {node}
    assert "Formula forward\n" in panel
    assert page.one("#panel > p.code").text == "return Squash.apply(self.fc(x))"
    page.click("#panel .place")
    assert len(page.all(".line.here")) == 1
    link = page.one('#panel a[href^="https"]')
    assert link.get_attribute("href").endswith("/matmul_en.html")


def test_the_head_says_what_it_is(page):
    head = page.one("header").text
    assert head.startswith("script.py")
    assert "ops forward" in head


def test_both_formulas_are_shown_on_both_sides(page):
    page.choose(page.id_of("tanh"))
    panel = page.one("#panel").text
    assert "Formula\n" in panel
    assert "= tanh(add_1)" in panel  # only inside forward it is called x, as the input of the net is
    assert "Within\nnet: Sequential" in panel
    page.choose(page.id_of("matmul"))
    assert "Gradient formula\n" in page.one("#panel").text
    assert ".T" in page.one("#panel").text


def test_the_list_folds_away(page):
    width = page.one("#stage").rect["width"]
    page.click("#fold")
    assert not page.one("#left").is_displayed()
    assert page.one("#stage").rect["width"] > width
    assert page.one("#fold").get_attribute("aria-expanded") == "false"
    page.press("l")
    assert page.one("#left").is_displayed()


def test_a_click_beside_chooses_nothing(page):
    page.choose(page.id_of("sum"))
    page("document.querySelector('.view').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert page.classes("chosen") == set()
    assert not page.one("#panel").is_displayed()


def test_to_its_twin_and_back(page):
    rule = page.id_of("matmul_grad", "backward")
    page.choose(rule)
    page.click("#twin")
    forward = page("state.node")
    assert page("data.facts[arguments[0]].title", forward) == "matmul"
    page.press("t")
    assert page("state.node") == rule


def test_neighbours_are_links(page):
    page.choose(page.id_of("sum_grad", "backward"))
    link = page.one("#panel .neighbours a")
    target = link.get_attribute("data-node")
    link.click()
    assert page("state.node") == target


def test_ancestors_and_descendants(page, data):
    loss = page.id_of("sum")
    page.choose(loss)
    page.click("#ancestors")
    lit = page.classes("lit")
    assert {page.id_of("x #1"), page.id_of("matmul"), loss} <= lit
    assert page.id_of("sum_grad", "backward") not in lit
    page.click("#descendants")
    assert page.classes("lit") == {loss}
    page.choose(page.id_of("0.fc.weight"))
    page.press("d")
    assert loss in page.classes("lit")


def test_search(page):
    page.press("/")
    assert page("document.activeElement.id") == "search"
    page.one("#search").send_keys("TANH")
    hits = page.classes("found")
    assert {page("data.facts[arguments[0]].title", id_) for id_ in hits} == {"tanh"}
    assert page.one("#said").text == f"{len(hits)} found"
    page.one("#search").send_keys(Keys.ENTER)
    first = page("state.node")
    page.one("#search").send_keys(Keys.ENTER)
    assert {first, page("state.node")} <= hits
    assert first != page("state.node")
    page.one("#search").send_keys(Keys.ESCAPE)
    assert page.classes("found") == set()


def test_zoom_by_button_key_and_wheel(page):
    page.click("#fit")  # the stage is as large as it will be
    width = page.box[2]
    page.click("#in")
    assert page.box[2] < width
    page.click("#out")
    assert page.box[2] == pytest.approx(width)
    page.press("-")
    assert page.box[2] > width
    page.click("#fit")
    assert page.box[2] == pytest.approx(width)
    page(
        "document.getElementById('stage').dispatchEvent(new WheelEvent('wheel', "
        "{deltaY: -100, clientX: 600, clientY: 400, cancelable: true}))"
    )
    assert page.box[2] < width
    page.press("0")
    assert page.box[2] == pytest.approx(width)


def test_dragging_moves_the_window(painted_page_of):
    page = painted_page_of(NET).open()
    x, y, *_ = page.box
    stage = page.one("#stage")
    ActionChains(page.driver).move_to_element_with_offset(stage, -200, 0).click_and_hold().move_by_offset(
        60, 40
    ).release().perform()
    assert page.box[0] < x
    assert page.box[1] < y


def test_replay_by_slider_and_keys(page, data):
    order = list(data["nodes"])
    page("goToStep(4)")
    assert page.classes("now") == {order[4]}
    assert page.classes("later") == set(order[5:])
    assert page.one("#sentence").text == f"5 of {len(order)}: {page.all('#steps li')[4].text}"
    page.press("ArrowRight")
    page.press("ArrowRight")
    page.press("ArrowLeft")
    assert page.classes("now") == {order[5]}
    page.click("#next")
    page.click("#back")
    page.click("#back")
    assert page.classes("now") == {order[4]}
    page("document.getElementById('step').value = 2")
    page("document.getElementById('step').dispatchEvent(new Event('input'))")
    assert page.classes("now") == {order[2]}
    page.press("Escape")
    assert page.classes("later") == set()


def test_play_and_pause(page):
    page("window.setInterval = (action) => { window.tick = action; return 1; }")
    page.click("#play")
    assert page.one("#play").text == "pause"
    page("window.tick()")
    page("window.tick()")
    assert page("state.step") == 2
    page.press(" ")
    assert page.one("#play").text == "play"
    page("goToStep(1e9)")
    page.click("#play")
    assert page("state.step") == 0  # from the end it starts again


def test_the_source_is_marked_and_leads_to_nodes(page):
    page.choose(page.id_of("tanh"))
    page.click("#tab-source")
    here = page.all(".line.here")
    assert ["paddle.tanh(x)" in line.text for line in here] == [True]
    line = next(line for line in page.all(".line[data-nodes]") if "loss.backward" not in line.text)
    made = line.get_attribute("data-nodes").split()
    line.click()
    assert page("state.node") in made
    page.press("s")
    assert page.one("#steps").is_displayed()
    assert not page.one("#source").is_displayed()


def test_the_list_of_steps_leads_to_nodes(page, data):
    page.all("#steps li")[3].click()
    assert page("state.node") == list(data["nodes"])[3]


def test_keyboard_alone(page):
    node = page.node(page.id_of("sum"))
    page("arguments[0].focus()", node)
    node.send_keys(Keys.ENTER)
    assert page("state.node") == page.id_of("sum")
    assert node.get_attribute("role") == "button"
    assert node.get_attribute("tabindex") == "0"
    page.press("?")
    assert "zoom" in page.one("dialog[open]").text
    page.click("#close")
    assert not page.all("dialog[open]")


def test_a_link_leads_to_the_same_sight(page):
    page("goToStep(3)")
    fragment = page("location.hash")
    page.open(fragment)
    assert page("state.step") == 3
    assert page("state.node") == page("view().order[3]")


def test_a_broken_link_does_no_harm(page):
    page.open("#n=nothing&t=x&v=%3Cb%3E&p=constructor")
    assert page("[state.view, state.node, state.colour]") == ["all", None, "role"] or page("state.step") == 0


def test_themes(page):
    def paper():
        return page("getComputedStyle(document.body).backgroundColor")

    seen = set()
    for theme in ("light", "dark", "cb"):
        page.select("#themes", theme)
        seen.add(paper())
    assert len(seen) == 2  # two of them are on white
    page("setTheme('dark')")
    ink = page("getComputedStyle(document.querySelector('.view .node text')).fill")
    assert ink == "rgb(228, 231, 235)"


def test_the_network_is_never_asked(page):
    assert page("performance.getEntriesByType('resource').length") == 0
    blocked = page(
        "(() => { try { const s = document.createElement('script'); s.textContent = 'window.evil = 1';"
        " document.body.append(s); } catch { } return window.evil === undefined; })()"
    )
    assert blocked
    assert any("Content Security Policy" in entry["message"] for entry in page.complaints)


def test_it_fills_the_window_and_no_text_is_cut(page):
    stage = page.one("#stage").rect
    assert stage["width"] > 500
    assert stage["height"] > 400
    ratios = page(
        "[...document.querySelectorAll('.view .node')].map((node) => {"
        " const box = node.querySelector('polygon,ellipse,rect,path').getBoundingClientRect();"
        " return Math.max(...[...node.querySelectorAll('text')].map("
        "(text) => text.getBoundingClientRect().width / box.width), 0); })"
    )
    assert 0 < max(ratios) < 1.05


def test_it_prints(page):
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not page.one("footer").is_displayed()
        assert page("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        heights = page(
            "[svg(), document.getElementById('stage')].map((one) => one.getBoundingClientRect().height)"
        )
        assert 300 < heights[0] <= heights[1] + 1  # nothing cuts it
        assert not any(one.is_displayed() for one in page.all(".pushing"))
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_the_script_knows_the_net(data):
    assert NET.count("Linear") == 1
    assert sum(node["kind"] == "update" and "count" not in node for node in data["nodes"].values()) == 6


def test_what_is_chosen_is_in_sight(page, data):
    page.click("#in", times=9)
    last = list(data["nodes"])[-1]
    page("choose(arguments[0])", last)
    stage, node = page.one("#stage").rect, page.node(last).rect
    assert stage["x"] <= node["x"] <= stage["x"] + stage["width"] - node["width"]
    assert stage["y"] <= node["y"] <= stage["y"] + stage["height"] - node["height"]
