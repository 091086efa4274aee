"""Scripts that are too much of something: the page, the drawing and the tree stay clear, and small."""

from pathlib import Path

import pytest

from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.options import Options
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record.checked import BadRecording
from tests.support.page import NET, Page, data_of, trace_of

LONG = "n" * 200_000
USED_OFTEN = """
w = paddle.to_tensor([1.0], stop_gradient=False)
h = paddle.to_tensor([1.0])
for t in range(2000):
    h = h * w
h.backward()
"""
MANY_INPUTS = """
xs = [paddle.to_tensor([1.0], stop_gradient=False) for _ in range(1000)]
paddle.concat(xs).sum().backward()
"""
NESTED = """
class Inner(paddle.nn.Layer):
    def __init__(self, deep):
        super().__init__()
        self.inner = Inner(deep - 1) if deep else paddle.nn.Linear(1, 1)

    def forward(self, x):
        return self.inner(x) * 1.0

Inner(200)(paddle.ones([1, 1])).sum().backward()
"""
LONG_NAMES = f"""
x = paddle.to_tensor([1.0], stop_gradient=False)
x.name = "{LONG}"
{LONG} = (x * 2).sum()
{LONG}.backward()
"""
SCRIPTS = {
    "a weight that is used 2,000 times": (USED_OFTEN, 60),
    "a node with 1,000 inputs": (MANY_INPUTS, 1010),
    "200 nested layers": (NESTED, 60),
    "a name of 200,000 characters": (LONG_NAMES, 20),
}


@pytest.fixture(params=SCRIPTS, scope="module")
def taken(request, tmp_path_factory):
    """The recording of such a script, and how many lines its tree may have."""
    script = tmp_path_factory.mktemp("large") / "script.py"
    source, lines = SCRIPTS[request.param]
    script.write_text(source, encoding="utf-8")
    return trace_of(script), lines


def test_its_page_opens_small_and_answers(chromium, taken, tmp_path):

    trace, _ = taken
    file = tmp_path / "page.html"
    Picture(mirror(trace), trace, Options()).save(file)
    text = file.read_text(encoding="utf-8")
    assert len(text) < 2_000_000
    page = Page(chromium, file).open()
    assert 0 < page("sight.order.length") < 2100
    for id_ in page("sight.order.slice(0, 5)"):
        page("choose(arguments[0])", id_)
        assert page.one("#panel h2").text
    assert page.complaints == []


def test_its_drawing_is_bounded(taken):
    trace, _ = taken
    picture = Picture(mirror(trace), trace, Options())
    assert len(picture.dot) < 1_500_000


def test_its_tree_is_read_on_a_few_screens(taken):
    trace, most = taken
    lines = Picture(mirror(trace), trace, Options()).text().splitlines()
    assert 3 < len(lines) <= most
    assert max(map(len, lines)) < 1000


def test_long_names_are_cut_on_a_page(write_script):
    trace = trace_of(write_script(LONG_NAMES))
    text = Picture(mirror(trace), trace, Options()).html()
    assert len(text) < 400_000
    data = data_of(text)
    assert max(len(value["name"]) for value in data["values"].values()) <= 201
    assert len(Picture(mirror(trace)).dot) < 100_000


def test_a_gradient_with_too_few_of_its_own_is_refused(write_script):
    """As a recording may have it that somebody has changed by hand."""
    trace = trace_of(
        write_script("x = paddle.ones([2])\nx.stop_gradient = False\nx.max(axis=0).backward()\n")
    )
    event = next(one for one in trace.events if one.kind == "grad")
    event.inputs.clear()
    with pytest.raises(BadRecording, match="damaged"):
        Picture(mirror(trace), trace, Options()).html()


def test_a_large_page_begins_folded_unless_it_is_told_not_to(page_of):
    loop = "for _ in range(90):\n    y = paddle.tanh(y)\ny.sum().backward()"
    source = f"y = x = paddle.ones([2])\nx.stop_gradient = False\n{loop}"
    page = page_of(source, fold="auto").open()
    assert page("state.view") == "start"
    assert page("view().order.length") == 7
    page.select("#views", "all")
    assert page("view().order.length") == 185
    assert page_of(source).open()("state.view") == "all"
    assert page.complaints == []


LAYOUT = Path(__file__).parents[1] / "layout"
WHOLE = "[stage.showsAll, 11 / stage.box.unit >= 10, $('minimap').hidden]"


@pytest.fixture
def window(chromium):
    """A window of 1440 x 900; `window(1440, 700)` makes it smaller."""

    def make(width, height):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    make(1440, 900)
    yield make
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("attention", {"uniform", "softmax", "mean_grad"}),
        ("chinese", {"数据", "数据.grad"}),
        ("cnn", {"5.weight", "5.weight.grad"}),
        ("cube_twice", {"x", "x.grad"}),
        ("detach", {"x", "x.grad", "argmax"}),
        ("encoder", {"uniform", "relu", "mean_grad"}),
        ("gan", {"make.weight", "0.weight", "2.weight.grad"}),
        ("gradient_penalty", {"x", "x.grad"}),
        ("maml", {"start", "start.grad", "mean"}),
        ("mlp", {"0.weight", "2.bias.grad"}),
        ("several_outputs", {"x", "y.grad", "multiply"}),
        ("shared", {"w", "w.grad", "sum"}),
        ("wide", {"v0", "v0.grad"}),
    ],
)
def test_a_page_opens_whole_and_can_be_read(page_of, window, name, kept):
    page = page_of((LAYOUT / f"{name}.py").read_text(encoding="utf-8"), fold="auto").open()
    assert page(WHOLE) == [True, True, True]
    words = page(
        "[...nodes()].flatMap((one) => [...one.querySelectorAll('text')].map((text) => text.textContent))"
    )
    assert [one for one in kept if not any(text.split(" ")[0] == one for text in words)] == []
    assert not [text for text in words if text.startswith("+ ") and "…ncoder" in text]
    assert page.complaints == []


def test_a_closed_round_says_what_the_next_one_takes_from_it(page_of, window):
    page = page_of((LAYOUT / "lstm.py").read_text(encoding="utf-8"), fold="auto").open("#v=small")
    chips = page("[...drawing.layout.chips.values()].map(({of, user, names}) => [of === user, user, names])")
    (forward, names), (_, gradients) = [(user, set(names)) for loops, user, names in chips if loops]
    assert names == {"h #2", "h #3", "c #1", "c #2"}
    assert "h #3@GRAD" in gradients
    assert page("sight.nodes.get(arguments[0]).count", forward) == 3


def test_an_arrow_to_a_sum_in_a_closed_layer_bears_no_share_of_it(page_of, window):
    page = page_of((LAYOUT / "gradient_penalty.py").read_text(encoding="utf-8"), fold="auto").open()
    heads = (
        "sight.edges.filter(({label}) => /%|^[+]/.test(label)).map(({head}) => sight.nodes.get(head).kind)"
    )
    assert set(page(heads)) == {"accumulate"}


def test_frames_close_from_the_inside_out_and_towards_the_loss(page_of, window):
    page = page_of(NET, fold="auto").open()
    assert page(WHOLE) == [True, True, True]
    closed = set(page("data.start"))
    order = page("closingOrder(data)")
    deep = page("closingOrder(data).map((id) => data.frames[id]?.parent ? 1 : 0)")
    assert deep == sorted(deep, reverse=True) or page("closingOrder(data).some((id) => id in data.repeats)")
    number = [one in closed for one in order]
    assert number == sorted(number, reverse=True)
    assert page_of(NET, depth="all", fold="auto").open()("data.start") == []
    page("showView('all')")
    assert page(WHOLE)[0] is False


def test_what_does_not_fit_with_all_of_it_closed_opens_on_the_loss(page_of, window):
    page = page_of((LAYOUT / "wgan_gp.py").read_text(encoding="utf-8"), fold="auto").open()
    assert page("[stage.showsAll, stage.box.unit <= 1.1, $('minimap').hidden]") == [False, True, False]
    inside, room = page("[shape(lossOf(sight)), stage.room].map((one) => one.getBoundingClientRect())")
    assert room["top"] <= inside["top"] < inside["bottom"] <= room["bottom"]
    page.click("#fit")
    assert page("[stage.showsAll, $('minimap').hidden]") == [True, True]


def test_a_page_that_was_touched_keeps_what_is_open(page_of, window):
    page = page_of((LAYOUT / "cnn.py").read_text(encoding="utf-8"), fold="auto").open()
    before = page("state.closed.size")
    window(1440, 700)
    assert page("(reader.touched = true, openAgain(), state.closed.size)") == before
    assert page("(reader.touched = false, openAgain(), state.closed.size)") > before


LOOP = """
h = w = paddle.to_tensor([0.5], stop_gradient=False)
for _ in range(40):
    h = (h * w).tanh()
h.backward()
"""


def test_a_step_changes_only_the_nodes_that_it_is_about(page_of):
    """A large picture has thousands of nodes: nothing looks at all of them."""
    page = page_of(LOOP).open("#v=all")
    count = page("sight.order.length")
    assert count > 100
    page("svg().querySelectorAll = (all) => { throw new Error(`all of ${all}`); }")
    for step in (60, 61, 20, 100, 3):
        page("goToStep(arguments[0])", step)
        order, later, now = page(
            "[sight.order, [...document.querySelectorAll('.view .node.later')].map((one) => one.dataset.node),"
            " [...document.querySelectorAll('.view .node.now')].map((one) => one.dataset.node)]"
        )
        assert set(later) == set(order[step + 1 :])
        assert set(now) == {order[step]}
    page("goToStep(null)")
    assert not page.classes("later")
    assert not page.classes("now")
    assert page.complaints == []
