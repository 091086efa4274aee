"""A page whose numbers were changed is the page of the script that has these numbers: in all that it shows."""

import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains

from minipaddle import paddle
from tests.support.live import SIGN, numbers, push_all

SHOWN = (
    "(() => { const found = {}; choose(null);"
    " const words = (one) => [...one.querySelectorAll('h2, h3, p, tr')].filter((part) => !part.closest('.push'))"
    ".map((part) => part.textContent);"
    " for (const one of svg().querySelectorAll('.node, .edge')) found[one.id] ="
    " [[...one.classList].sort(), one.style.getPropertyValue('--width'),"
    " ...[...one.querySelectorAll('title, text')].map((part) => part.textContent)];"
    " found.steps = [...document.querySelectorAll('#steps li')].map((one) => one.textContent);"
    " found.legend = document.querySelector('.by-norm').hidden;"
    " for (const id of sight.order) { choose(id); found[`panel of ${id}`] = words($('panel')); }"
    " choose(null); return found; })()"
)
"""All that is said in the picture, in the legend, in the list of steps and in the panel of each node."""
PATHS, TOLD = "As a sum over paths", ": told of the recorded numbers only, reset shows it again"
DOUBLE = 'paddle.set_default_dtype("float64")\n'
ZERO = [{"x": [0.0, 0.0]}]
SCRIPTS = {
    "a gradient that turns zero": ("", "(x * x).sum().backward()", [*ZERO, {"x": [0.5, 0.5]}]),
    "what is not finite": (
        "",
        "whole = x.log().astype('int32') % 7\n"
        "((x.log() * (x < 0).astype(x.dtype)).sum() + whole.astype(x.dtype).sum() + (x / x).sum()).backward()",
        [*ZERO, {"x": [-1.0, 4.0]}, {"x": [1e39, 2.0]}],
    ),
    "tiny": ("", "(x * 1e-10).sum().backward()", [{"x": [1e-20, 1e-30]}]),
    "several are one": (
        "#v=folded",
        "h = x.reshape([1, 2])\n"
        "for _ in range(4):\n"
        "    w = paddle.ones([2, 2])\n"
        "    w.stop_gradient = False\n"
        "    h = paddle.tanh(h @ w) * x\n"
        "h.sum().backward()",
        [*ZERO, {"x": [0.1, -0.1]}],
    ),
    "a round that no number decides": (
        "#v=folded",
        "h = x\nfor _ in range(4):\n    h = h.sin() * 1.1\nh.sum().backward()",
        [*ZERO, {"x": [0.1, -4.0]}],
    ),
    "names that are too long": (
        "",
        "paddle.nn.functional.cross_entropy(x.reshape([1, 2]), paddle.to_tensor([1])).backward()",
        [{"x": [4.0, 0.5]}],
    ),
    "layers that are closed": (
        "#v=outer",
        "paddle.seed(0)\n"
        "nn = paddle.nn\n"
        "net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))\n"
        "optimizer = paddle.optimizer.Adam(0.1, parameters=net.parameters())\n"
        "((net(x) - 1.0) ** 2).mean().backward()\n"
        "optimizer.step()",
        [*ZERO, {"x": [-3.0, 1e200]}],
    ),
    "two gradients cancel": (
        "",
        "((x * 3).sum() - (x * 2.9).sum() + (x * x).sum()).backward()",
        [{"x": [-0.05, -0.05]}],
    ),
    "some of many": (
        "#v=folded",
        "h = paddle.zeros([1, 2])\n"
        "for k in (0.0, 1.0, 2.0, 3.0):\n"
        "    w = paddle.ones([2, 2])\n"
        "    w.stop_gradient = False\n"
        "    h = h + paddle.nn.functional.relu(x.reshape([1, 2]) - k) @ w\n"
        "h.sum().backward()",
        [{"x": [0.5, 0.5]}, *ZERO, {"x": [4.0, 0.0]}],
    ),
    "a branch of a Program": (
        "",
        "paddle.enable_static()\n"
        "program = paddle.static.Program()\n"
        "with paddle.static.program_guard(program, paddle.static.Program()):\n"
        "    x = paddle.static.data('x', [2], 'float64')\n"
        "    x.stop_gradient = False\n"
        "    y = paddle.static.nn.cond(paddle.full([1], 1.0) > 0, lambda: x * x, lambda: x * 2)\n"
        "    g = paddle.static.gradients([y.sum()], [x])\n"
        "paddle.static.Executor().run(program, feed={'x': x_given}, fetch_list=g)\n"
        "paddle.disable_static()",
        [*ZERO, {"x": [-1.0, 3.0]}],
    ),
    "a share of what is not finite": (
        "",
        "((x.log() * x).sum() + (x * x).sum()).backward()",
        [{"x": [number, 2.0]} for number in (-1.0, 0.0, 2.5)],
    ),
    "a rule of one's own, and truth values": (
        "",
        f"{SIGN.split('x = ')[0]}((Sign.apply(x * 3) - 0.5) ** 2).mean().backward()",
        [*ZERO, {"x": [0.125, 2.0]}],
    ),
    "in the middle of two colours": ("", "(((x + 8) * x).sum() + (x + 1).mean()).backward()", ZERO),
}


def script(lines, given=(1.0, 2.0)):
    begin = f"x = paddle.to_tensor({list(given)}, stop_gradient=False)\nx_given = x.numpy()\n"
    return f"{DOUBLE}{begin}{lines}\n"


@pytest.fixture(autouse=True)
def types():
    """What types a script chooses ends with the test."""
    dtype = paddle.get_default_dtype()
    yield
    paddle.set_default_dtype(dtype)


def without_paths(pushed, anew):
    """Take out of both the sums over paths that the pushed page says to be those of the recorded numbers."""
    for name, panel in pushed.items():
        at = panel.index(PATHS) + 1 if isinstance(panel, list) and PATHS in panel else 0
        if at and panel[at].splitlines()[0].endswith(TOLD):
            del panel[at], anew[name][anew[name].index(PATHS) + 1]
    return pushed, anew


def pushed_and_drawn_anew(page_of, lines, given, view=""):
    with paddle.utils.unique_name.guard():
        page = page_of(script(lines)).open(view)
    push_all(page, [given])
    page("showPushed()")
    pushed = page(SHOWN)
    assert page.complaints == []
    with paddle.utils.unique_name.guard():
        anew = page_of(script(lines, given["x"]))
    return without_paths(pushed, anew.open(view)(SHOWN))


@pytest.mark.parametrize(("view", "lines", "edits"), SCRIPTS.values(), ids=SCRIPTS.keys())
def test_a_pushed_page_is_that_of_the_changed_script(page_of, view, lines, edits):
    for given in edits:
        pushed, anew = pushed_and_drawn_anew(page_of, lines, given, view)
        assert pushed == anew


def test_a_line_that_has_nothing_to_say_any_more_goes_and_comes_back(page_of):
    page = page_of(script("(x * x).sum().backward()", [0.0, 0.0])).open()
    began = page(SHOWN)
    page("choose(nodeOf(push().live.inputs[0]))")
    push_all(page, [{"x": [1.0, 2.0]}])
    page("showPushed()")
    assert page("nodes().length") == len(page.all("#steps li"))
    assert page.all(".view .node.chosen")
    assert "gradient is zero" not in page("svg().textContent")
    page.click("#push .reset")
    assert "gradient is zero" in page("svg().textContent")
    page("choose(null)")
    assert page(SHOWN) == began


def test_boxes_stay_where_they_are_while_a_number_is_dragged(painted_page_of):
    page = painted_page_of(script("(x * x).sum().backward()", [0.1, 0.0])).open()
    places = "Object.fromEntries([...nodes()].map((one) => [one.id, one.getAttribute('transform')]))"
    stored = page.id_of("x.grad", "backward")
    began = page(places), page("data.facts[arguments[0]].lines", stored)
    page("choose(nodeOf(push().live.inputs[0]))")
    box = page.one('#panel .push input[aria-label="x[0]"]')
    moves = ActionChains(page.driver).click_and_hold(box)
    moves.move_by_offset(-20, 0).perform()
    lines = page("data.facts[arguments[0]].lines", stored)
    assert page("push().numbers(push().live.inputs[0])")[0] == pytest.approx(0)
    assert len(lines) == len(began[1]) + 1
    assert page(places) == began[0]
    written = "[...shape(arguments[0]).querySelectorAll('text')].map((one) => one.textContent)"
    assert page(written, stored) == [*lines[:-2], " ".join(lines[-2:])]
    ActionChains(page.driver).release().perform()
    assert page(written, stored) == lines


def test_zeros_are_told_of_the_recorded_numbers_where_zero_is_multiplied_with_infinity(page_of):
    page = page_of(script("y = x.log() * 0.0\ny.sum().backward()")).open()
    panel = "(choose(arguments[0]), $('formulas').textContent)"
    of = page.id_of("scale")
    assert page(panel, of).startswith("Formulay = zeros([2])Gradient formula")
    push_all(page, [{"x": [0.0, 1.0]}])
    assert np.isnan(numbers(page, "y").astype(float)).tolist() == [True, False]
    assert "zeros([2]): told of the recorded numbers only, reset shows it again" in page(panel, of)
