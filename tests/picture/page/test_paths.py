"""A page writes any number of a gradient as a sum over paths, which is that number, and lights up each path."""

import numpy as np
import pytest
from selenium.webdriver.common.keys import Keys

from minipaddle.tools.explain.paths import explain_paths
from minipaddle.tools.picture.model.mirror import mirror
from tests.support.page import SQUASH, trace_of

BEGIN = "x = paddle.to_tensor({x}, stop_gradient=False)\nw = paddle.to_tensor({w}, stop_gradient=False)\n"
SCRIPTS = {
    "single numbers": (2.0, 3.0, "b = paddle.sin(x)\nL = x * x * b + w\nL.backward()"),
    "a product": ([[1.0, 2.0]], [[1.0, 0.0], [2.0, -1.0]], "paddle.tanh(x @ w).sum().backward()"),
    "broadcast, zeros, and more than 12 paths": (
        [[1.0], [0.0]],
        [[1.0, 2.0, -3.0]],
        "y = paddle.nn.functional.softmax(x * w) * w\nfor _ in range(3): y = y + y\ny.sum().backward()",
    ),
    "added to what was there": (
        [1.0, 2.0],
        [3.0, 4.0],
        "(x * w).sum().backward()\n(x * w * x).sum().backward()",
    ),
    "a hook": (
        [1.0, 2.0],
        [3.0, 4.0],
        "y = x * w\ny.register_hook(lambda g: g * 2)\n(y + x).sum().backward()",
    ),
    "no numbers at all": ([1.0, 2.0], [3.0, 4.0], "(x.log() * (x - 1).log() * w).sum().backward()"),
    "a rule of one's own": ([1.0, 2.0], [3.0, 4.0], f"{SQUASH}(Squash.apply(x) * w).sum().backward()"),
    "what does more than multiply": (
        [1.0, 2.0],
        [3.0, 4.0],
        "class Clip(paddle.autograd.PyLayer):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x): return x * 1\n"
        "    @staticmethod\n"
        "    def backward(ctx, dy): return paddle.clip(dy, -1.0, 3.5)\n"
        "(Clip.apply(x) * w).sum().backward()",
    ),
    "a second derivative": (
        [1.0, 2.0],
        [3.0, 4.0],
        "(g,) = paddle.grad((x * x * w).sum(), [x], create_graph=True)\n(g * g).sum().backward()",
    ),
}
SUM = (
    "((id, flat) => { choose(id); const [h] = [...$('formulas').querySelectorAll('h3')].slice(-1);"
    " if (h?.textContent !== 'As a sum over paths') return null;"
    " if (flat !== null) $('panel').querySelectorAll('button.number')[flat].click();"
    " const all = [...$('formulas').children]; const at = all.findLastIndex((one) => one.tagName === 'H3');"
    " return all.slice(at + 1).filter((one) => !one.classList.contains('pale')).map((one) => one.textContent); })"
    "(arguments[0], arguments[1])"
)


@pytest.mark.parametrize(("x", "w", "lines"), SCRIPTS.values(), ids=SCRIPTS.keys())
def test_every_number_of_a_gradient_is_the_sum_of_its_paths(page_of, write_script, x, w, lines):
    source = BEGIN.format(x=x, w=w) + lines
    page, trace = page_of(source, fold="none").open("#v=all"), mirror(trace_of(write_script(source))).trace
    places = 0
    for id_, kind, results in page(
        "data.order.map((id) => [id, data.facts[id].kind, data.facts[id].results])"
    ):
        made = [trace.values[one["id"]] for one in results]
        for flat, (value, spot) in enumerate((one, spot) for one in made for spot in np.ndindex(one.shape)):
            if value.kind != "gradient" or kind == "seed":
                assert page(SUM, id_, None) is None
                continue
            found = explain_paths(trace, value, spot)
            assert page(SUM, id_, flat) == [found.says[0], *found.numbers, *found.says[1:]]
            places += 1
    assert places
    assert page.complaints == []


def test_a_path_lights_up_the_arrows_from_the_loss_on(page_of):
    page = page_of(BEGIN.format(x=2.0, w=3.0) + SCRIPTS["single numbers"][2]).open()
    end = page.id_of("x.grad", "backward")
    page.choose(end)
    lit = (
        "[...svg().querySelectorAll('.edge.lit')].map(({ id, dataset: { tail, head } }) => [tail, head, id])"
    )
    seen = set()
    for row in page.all("#panel .path"):
        page("arguments[0].dispatchEvent(new Event('pointerenter'))", row)
        arrows = page(lit)
        heads, at = {tail: head for tail, head, _ in arrows}, page.id_of("L@GRAD", "backward")
        while at in heads:
            at = heads.pop(at)
        assert (at, heads, len({head for _, head, _ in arrows})) == (end, {}, len(arrows))
        assert page.classes("lit") == {one for tail, head, _ in arrows for one in (tail, head)}
        seen.add(tuple(id_ for *_, id_ in arrows))
        page("arguments[0].dispatchEvent(new Event('pointerleave'))", row)
        assert page(lit) == []
    assert len(seen) == 3


def test_numbers_are_chosen_by_key(page_of):
    page = page_of(BEGIN.format(x=[[1.0, 2.0], [3.0, 4.0]], w=1.0) + "(x * x * w).sum().backward()").open()
    page.choose(page.id_of("multiply_grad", "backward"))
    assert len(page.all(".numbers")) == len(page.all(".numbers [tabindex='0']")) == 2
    page.choose(page.id_of("x.grad", "backward"))
    said = "$('panel').querySelector('.path').textContent"
    assert "∂x[1, 1]" in page(said)
    page("$('panel').querySelector('button.number.chosen').focus()")
    for key, place in zip(("UP", "LEFT", "LEFT", "DOWN"), ("[0, 1]", "[0, 0]", "[0, 0]", "[1, 0]")):
        page.driver.switch_to.active_element.send_keys(getattr(Keys, f"ARROW_{key}"))
        assert f"∂x{place}" in page(said)


def test_where_a_gradient_is_too_large_the_page_says_so_and_names_a_command(page_of):
    script = "x = paddle.ones([40, 40])\nw = paddle.to_tensor(2.0)\n"
    script += "x.stop_gradient = w.stop_gradient = False\ny = w * w\n((x * x).sum() + y).backward()"
    page = page_of(script).open()
    page.choose(page.id_of("w.grad", "backward"))  # its paths are made after those of x, which are too many
    assert page("$('formulas').lastChild.textContent").endswith(" = 1 ⋅ w = 1 ⋅ 2 = 2")
    page.choose(page.id_of("x.grad", "backward"))
    assert page("$('formulas').lastChild.textContent").endswith('-c "why x.grad --paths"')
