"""Numbers that are changed in the page: what follows is what Python gives for them."""

from pathlib import Path

import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from minipaddle import paddle
from minipaddle.tools.words.language import speak
from tests.support.live import MOST, SCRIPTS, SIGN, numbers, push, push_all, recorded
from tests.support.page import NET, Page, trace_of


def rerun(script, given):
    """Run a script of ours with these numbers, and return what its variables hold."""
    found = {"paddle": paddle, "given": lambda name, otherwise: given.get(name, otherwise)}
    exec(compile(script, "rerun.py", "exec"), found)
    return found


def edits(script, seed):
    """Eight random edits, one after the other: of numbers large and small, in every leaf."""
    rng = np.random.default_rng(seed)
    now = {name: np.array(rerun(script, {})[name].numpy()) for name in ("x", "w")}
    for _ in range(8):
        name = ("x", "w")[rng.integers(2)]
        spot = tuple(int(rng.integers(size)) for size in now[name].shape)
        now[name][spot] = round(float(rng.normal(scale=1.5)), 3)
        yield name, spot, float(str(now[name][spot])), {key: array.copy() for key, array in now.items()}


@pytest.mark.parametrize("script", [SIGN, MOST], ids=["sign", "many"])
def test_what_follows_from_an_edit_is_what_python_gives(page_of, script):
    page = page_of(recorded(script)).open()
    for name, spot, number, given in edits(script, 1):
        push(page, name, spot, number)
        wanted = rerun(script, given)
        np.testing.assert_allclose(numbers(page, "loss"), wanted["loss"].numpy(), rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(numbers(page, "w.grad"), wanted["w"].grad.numpy(), rtol=1e-5, atol=1e-5)
    assert page.complaints == []


def test_dragging_arrow_keys_and_reset(painted_page_of):
    page = painted_page_of(recorded(SIGN)).open()
    page("choose(arguments[0])", page.id_of("w"))
    before = {name: numbers(page, name).tolist() for name in ("z", "w.grad")}
    texts = page("[...svg().querySelectorAll('text')].map((one) => one.textContent)")
    steps = page.one("#steps").text
    box = page.one('#panel .push input[aria-label="w[1, 0]"]')
    ActionChains(page.driver).drag_and_drop_by_offset(box, 60, 0).perform()
    dragged = numbers(page, "w")[1, 0]
    assert dragged > 1
    box.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert numbers(page, "w")[1, 0] == pytest.approx(dragged - 0.2)
    assert box.get_attribute("role") == "spinbutton"
    assert float(box.get_attribute("aria-valuenow")) == pytest.approx(dragged - 0.2, 1e-5)
    assert numbers(page, "z").tolist() != before["z"]
    assert page.one("#steps").text != steps
    page.click("#push .reset")
    assert {name: numbers(page, name).tolist() for name in before} == before
    assert page("[...svg().querySelectorAll('text')].map((one) => one.textContent)") == texts
    assert page.one("#steps").text == steps
    assert not page.all("#push .reset")


@pytest.mark.parametrize("options", [{"values": "full"}, {"values": "none"}], ids=["full", "none"])
def test_what_is_written_follows_however_much_that_is(page_of, options):
    script = (
        "x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\ny = x * x\n"
        "many = paddle.nn.functional.relu(paddle.ones([5, 4]) * x[0])\n"
        "loss = (y * 3).sum() - (y * y).sum() + many.mean()\nloss.backward()\n"
    )
    page = page_of(script, **options).open()
    push(page, "x", (0,), -1.5)
    texts = "[...svg().querySelectorAll('text, title')].map((one) => one.textContent)"
    said = page(texts)
    other = page_of(script.replace("[1.0,", "[-1.5,"), **options).open()
    assert said == other(texts)
    if options == {"values": "full"}:
        assert "min 0, mean 0, max 0" in said
        assert "rms 0, norm 0, 20 of 20 zero" in said


def test_a_nan_is_an_alarm_and_an_empty_gradient_is_told(page_of):
    page = page_of(
        "x = paddle.to_tensor([4.0, 9.0], stop_gradient=False)\nx.sqrt().sum().backward()\n"
    ).open()
    push(page, "x", (0,), -1.0)
    push(page, "x", (1,), float("-4"))
    root = page.id_of("sqrt_grad", "backward")
    assert "role-alarm" in page.node(root).get_attribute("class") or "NaN" in page.node(root).text
    page.click("#push .reset")
    assert "role-alarm" not in page.node(root).get_attribute("class")


LEAF = "x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)\n"


def test_a_word_is_no_number(page_of):
    page = page_of(LEAF + "(x * x).sum().backward()\n").open()
    page.choose(page.id_of("x"))
    box = "$('panel').querySelector('.push input')"
    said = page(f"({box}.value = 'two', {box}.dispatchEvent(new Event('change')), $('said').textContent)")
    assert said == '"two" is no finite number: x[0, 0] stays 1'
    assert page(f"[{box}.value, push().changed]") == ["1", False]


REFUSED = {
    "argsort (program.py": LEAF + "paddle.sort(x).sum().backward()\n",
    "svd (program.py": LEAF + "paddle.linalg.svd(x)[1].sum().backward()\n",
    "complex (program.py": LEAF + "paddle.complex(x, x).abs().sum().backward()\n",
    "writes over memory that v #2 shares": LEAF
    + "y = x * 2\nv = y.view([2])\ny[0, 0] = 3.0\n(v.sum() * y).sum().backward()\n",
    "too many for a page": "x = paddle.ones([201]); x.stop_gradient = False\nx.sum().backward()\n",
    "outside of paddle's operators": """
class Twice(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return paddle.to_tensor(x.numpy() * 2)

    @staticmethod
    def backward(ctx, dy):
        return dy * 2

x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
Twice.apply(x).sum().backward()
""",
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_a_page_cannot_compute_is_named(page_of, why):
    page = page_of(REFUSED[why]).open()
    assert "The numbers here cannot be changed" in page.one(".legend").text
    assert why.replace("program.py", "") in page.one(".legend").text
    page.choose(page.id_of("x"))
    assert not page.all("#panel .push")
    assert page.complaints == []


def test_what_stays_as_it_was_recorded_is_told(page_of):
    page = page_of(
        "paddle.seed(1)\nx = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\n"
        "y = paddle.nn.functional.dropout(x, 0.5) * 2\nif y.sum() > 0:\n    y = y * 3\n"
        "(y + paddle.bernoulli(x / 4)).sum().backward()\n"
    ).open()
    told = page.one("#push").text
    assert "As recorded" in told
    assert "bernoulli" in told
    assert "what it made of that stays" in told
    mask = numbers(page, "dropout_0_out") != 0
    push(page, "x", (0,), 7.0)
    assert ((numbers(page, "dropout_0_out") != 0) == mask).all()


def test_a_page_without_it_has_nothing_of_it(page_of):
    page = page_of(NET, live=False).open()
    assert page("book.passes[0].live") is None
    assert page("$('push').textContent") == ""
    assert "class Program" not in page.driver.page_source


def test_in_chinese(page_of):
    speak("zh")
    try:
        page = page_of(recorded(SIGN) + "# zh\n").open()
    finally:
        speak("en")
    assert "修改一个数值" in page.one("#push").text


@pytest.mark.parametrize(
    ("was", "becomes"),
    [('["matmul",', '["evil",'), ('"values":{', '"values":7,"x":{'), ('["take",', '["take",[9999999],')],
)
def test_a_damaged_program_leaves_the_page_alone(page_of, tmp_path, was, becomes):
    page = page_of(recorded(MOST))
    text = Path(page.url.removeprefix("file://")).read_text(encoding="utf-8")
    assert was in text
    broken = tmp_path / "broken.html"
    broken.write_text(text.replace(was, becomes), encoding="utf-8")
    page = Page(page.driver, broken).open()
    page.choose(page.id_of("w"))
    assert page.one("#panel h2").text == "w"
    assert not page.all("#panel .push")
    assert page.one("#push").text == "The numbers here cannot be changed: the page is damaged"
    assert page.complaints == []


SUM = """
x = paddle.to_tensor(given("x", [3.0, -2.0]), stop_gradient=False)
y = x * x
((y * 2).sum() + (x * given("w", -5.75)).sum() + y.exp().log().sum()).backward()
"""


def test_the_shares_of_a_sum_follow(page_of):
    page = page_of(recorded(SUM)).open()
    push(page, "x", (0,), 1.0)
    push(page, "x", (1,), 0.9)
    texts = "[...svg().querySelectorAll('.edge text')].map((one) => one.textContent.trim())"
    said, steps = page(texts), page.one("#steps").text
    other = page_of(recorded(SUM.replace("[3.0, -2.0]", "[1.0, 0.9]"))).open()
    assert [label for label in said if label] == page(texts)
    assert "the terms cancel" in steps
    assert steps == other.one("#steps").text


NEAR = 2**-10
"""Of 16 bits: what one rounding may do to a float16, where sums were added in another order."""


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_every_value_of_a_page_is_that_of_a_rerun(page_of, write_script, script):
    page = page_of(recorded(script)).open()
    rng = np.random.default_rng(2)
    for _ in range(3):
        given = {
            "x": rng.normal(size=(2, 3)).round(3).tolist(),
            "w": rng.normal(size=(3, 2)).round(3).tolist(),
        }
        page("push().reset()")
        push_all(page, [given])
        again = script.replace('given("x", [[0.5, -2.0, 1.0], [1.5, 0.25, -0.3]])', repr(given["x"]))
        again = again.replace('given("w", [[0.3, -0.2], [0.1, 0.7], [-0.6, 0.4]])', repr(given["w"]))
        values = trace_of(write_script(again)).values
        found = page("Object.keys(push().live.values).map((id) => [Number(id), [...push().numbers(id)]])")
        assert len(found) > 5
        for id_, numbers_ in found:
            wanted = np.asarray(values[id_].array).ravel()
            scale = max(0.1, float(np.abs(wanted).max(initial=0)))
            near = NEAR if "float16" in script else 1e-5
            np.testing.assert_allclose(
                numbers_, wanted, rtol=near, atol=near * scale, err_msg=values[id_].name
            )
