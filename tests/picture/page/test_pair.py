"""Two runs on one page: what differs is marked, said and chosen; what belongs together is chosen together."""

import html
import json
import re

import pytest
from selenium.webdriver import Keys

from minipaddle.tools.checks.diff import compare
from minipaddle.tools.page.pair import to_pair_html
from tests.support.page import Page, trace_of

A = """
paddle.seed(1)
net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.ReLU(), paddle.nn.Linear(4, 2))
loss = (net(paddle.to_tensor([[1.0, -2.0, 0.5]])) ** 2).mean()
loss.backward()
"""
B = A.replace("ReLU()", "Tanh()").replace("Linear(4, 2)", "Linear(4, 5)")
C = A.replace("0.5]]", "0.6]]")


@pytest.fixture
def pair_of(chromium, write_script, drawn_once):
    """`pair_of(a, b)` writes the page of two scripts, and opens it."""

    def pair_of(*sources, passes=(None, None)):
        def draw(file):
            a, b = (trace_of(write_script(source)) for source in sources)
            file.write_bytes(to_pair_html(a, b, compare(a, b, 1e-5, *passes), passes).data)

        return Page(chromium, drawn_once((sources, passes), draw)).open()

    return pair_of


@pytest.fixture
def pair(pair_of):
    page = pair_of(A, B)
    yield page
    assert page.complaints == []


def node_of(page, side, title):
    return page(f"Object.values(data.sides.{side}.nodes).find((one) => one.title === arguments[0]).id", title)


def marked(page, side, kind):
    nodes = page.attributes(f"#stage-{side} .node.marked.{kind}", "data-node")
    return {*page(f"arguments[0].map((one) => data.sides.{side}.nodes[one].title)", nodes)}


def chosen(page, side):
    return page.attributes(f"#stage-{side} .node.chosen", "data-node")


def test_what_differs_is_marked_on_its_side(pair):
    assert marked(pair, "a", "removed") == {"relu", "relu_grad"}
    assert marked(pair, "b", "added") == {"tanh", "tanh_grad"}
    assert marked(pair, "a", "added") == marked(pair, "b", "removed") == set()
    assert {"matmul", "add", "pow"} <= marked(pair, "a", "changed") & marked(pair, "b", "changed")


def test_and_said_in_words(pair):
    relu = node_of(pair, "a", "relu")
    assert "removed" in pair.one(f"#stage-a [data-node={relu}]").get_attribute("textContent")
    words = pair.texts("#differences li")
    kinds = [one.split(":")[0] for one in words]
    assert words[0].startswith("removed: relu, relu_2 [1, 4] (only in A)")
    assert kinds.index("changed gradient") > max(
        kinds.index(one) for one in ("removed", "added", "changed shape")
    )
    assert "changed shape: matmul, 2.weight [4, 2] | 2.weight [4, 5]" in " ".join(words)


def test_the_first_difference_is_chosen(pair):
    assert pair.one("#said").text == f"1 of {len(pair.all('#differences li'))} differences"
    assert chosen(pair, "a") == [node_of(pair, "a", "relu")]
    assert chosen(pair, "b") == []
    panel = pair.one("#panel").text
    assert "A: relu" in panel
    assert "B: nothing belongs to it here" in panel


def test_what_belongs_together_is_chosen_together(pair):
    for side, title in (("a", "mean"), ("b", "mean_grad"), ("a", "0.weight"), ("b", "2.weight.grad")):
        pair(
            "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))",
            pair.one(f"#stage-{side} [data-node={node_of(pair, side, title)}]"),
        )
        assert chosen(pair, "a") == [node_of(pair, "a", title)]
        assert chosen(pair, "b") == [node_of(pair, "b", title)]
        assert pair.one("#panel").text.count(title) >= 2
    pair.press("Escape")
    assert chosen(pair, "a") == chosen(pair, "b") == []
    assert not pair.one("#panel").is_displayed()


def test_from_difference_to_difference(pair):
    pair.click("#next")
    assert chosen(pair, "b") == [node_of(pair, "b", "tanh")]
    pair.press("ArrowRight")
    assert pair.one("#said").text.startswith("3 of ")
    pair.click("#back")
    pair.press("ArrowLeft")
    pair.press("ArrowLeft")
    assert pair.one("#said").text.startswith("1 of ")
    last = pair.all("#differences li")[-1]
    last.click()
    assert "chosen" in last.get_attribute("class")
    assert chosen(pair, "a")
    assert chosen(pair, "b")


def test_zoom_theme_keys_and_help(pair):
    def widths():
        return [pair(f"stages['{side}'].box.width") for side in "ab"]

    before = widths()
    pair.click("#in")
    assert all(now < then for now, then in zip(widths(), before))
    pair.click("#out")
    assert widths() == pytest.approx(before)
    pair.press("-")
    pair.click("#fit")
    assert widths()[0] <= before[0] * 1.01
    pair.select("#themes", "dark")
    assert pair("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)"
    pair.press("?")
    assert "difference" in pair.one("dialog[open]").text
    pair.click("#close")
    node = pair.one(f"#stage-b [data-node={node_of(pair, 'b', 'tanh')}]")
    pair("arguments[0].focus()", node)
    node.send_keys(Keys.ENTER)
    assert chosen(pair, "b") == [node_of(pair, "b", "tanh")]


def test_a_link_leads_to_the_same_nodes(pair):
    pair("chooseNode('b', arguments[0])", node_of(pair, "b", "mean"))
    pair.open(pair("location.hash"))
    assert chosen(pair, "a") == [node_of(pair, "a", "mean")]


def test_it_fits_its_window(pair):
    size = pair("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == pair("[innerWidth, innerHeight]")
    one, other = (pair.one(f"#stage-{side}").rect for side in "ab")
    assert one["y"] == other["y"]
    assert one["x"] + one["width"] <= other["x"]
    assert min(one["width"], other["width"]) > 400


def test_values_alone(pair_of):
    page = pair_of(A, C)
    words = page.texts("#differences li")
    assert words[0].startswith("changed value: matmul, given: ")
    assert not page.all(".node.added, .node.removed")
    assert "changed value" in page.one(f"#stage-b [data-node={node_of(page, 'b', 'matmul')}]").text
    assert page("state.a && state.b")


def test_nothing_differs(pair_of):
    page = pair_of(A, A)
    assert page.one("#said").text == "nothing differs"
    assert not page.all(".node.marked")
    assert not page.one("#panel").is_displayed()
    page.click("#next")
    assert page.complaints == []


def test_passes_of_one_script(pair_of):
    twice = "w = paddle.to_tensor([1.0], stop_gradient=False)\n(w * w).backward()\n(w * w * w).backward()\n"
    page = pair_of(twice, twice, passes=(1, 2))
    assert [one.text.split()[-4:] for one in page.all("figcaption")] == [
        ["pass", "1", "of", "2"],
        ["pass", "2", "of", "2"],
    ]
    assert marked(page, "b", "added") == {"multiply", "multiply_grad"}


def test_a_large_run_is_drawn_near_its_differences(pair_of):
    deep = """
x = paddle.to_tensor([0.5], stop_gradient=False)
y = x
for i in range(250):
    y = paddle.tanh(y)
y.backward()
"""
    page = pair_of(deep, deep.replace("y.backward", "y = paddle.sin(y)\ny.backward"))
    assert "near differences" in page.one("figcaption").text
    assert len(page.all("#stage-b .node")) < 150
    assert marked(page, "b", "added") == {"sin", "sin_grad"}


def test_a_list_of_thousands_is_cut_and_says_so(pair_of):
    chain = """
x = paddle.to_tensor([0.5], stop_gradient=False)
y = x
for i in range(300):
    y = y * 1.01
(y * y).backward()
"""
    page = pair_of(chain, chain.replace("0.5", "0.6"))
    last = page.all("#differences li")[-1]
    total = page("data.count")
    assert total > 500 == page("data.differences.length")
    assert last.text == f"... and {total - 500} more"
    assert page.one("#said").text == f"1 of {total} differences"
    last.click()
    assert page.complaints == []


def test_without_scripts_the_list_is_there(pair_of, chromium):
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page = pair_of(A, B)
        assert page.all("#differences li")[0].text.startswith("removed: relu")
        assert not any(one.is_displayed() for one in page.all("button, select"))
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_hostile_names_are_text_and_no_network_is_asked(pair_of):
    evil = """
Evil = type("</script><img src=x onerror=window.evil=1>", (paddle.autograd.PyLayer,), {
    "forward": staticmethod(lambda ctx, x: x * 2), "backward": staticmethod(lambda ctx, dy: dy * 2)})
Evil.apply(paddle.to_tensor([1.0], stop_gradient=False)).backward()
"""
    page = pair_of(evil, A)
    assert page("window.evil === undefined")
    assert page("document.querySelectorAll('img').length") == 0
    assert page("performance.getEntriesByType('resource').length") == 0
    text = page.driver.page_source
    policy = html.unescape(re.search(r'Content-Security-Policy" content="(.*?)"', text)[1])
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert page.complaints == []


def test_the_data_is_numbered(pair):
    data = json.loads(pair("document.getElementById('data').textContent"))
    assert (data["schema"], data["version"]) == ("minipaddle-diff-page", 4)
