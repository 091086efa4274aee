"""An element of a gradient, chosen on the page: the terms that `why` tells, with the same numbers."""

import numpy as np
import pytest
from selenium.webdriver.common.keys import Keys

from minipaddle.tools.explain.terms import explain_element
from minipaddle.tools.page.facts import exact_numbers
from minipaddle.tools.picture.model.mirror import mirror
from tests.support.page import trace_of

STEPS = """
Wh = paddle.to_tensor([[0.3, -0.2], [0.1, 0.7]], stop_gradient=False)
x = paddle.to_tensor([[0.5, -1.0]])
h = paddle.zeros([1, 2])
for t in range(5):
    h = paddle.tanh(h @ Wh + x)
(h * h).sum().backward()
"""
TWICE = """
w = paddle.to_tensor([2.0, 3.0], stop_gradient=False)
(w * w * 3).sum().backward()
(w * 0.1).sum().backward()
"""
LONG = """
w = paddle.to_tensor([0.9], stop_gradient=False)
h = paddle.to_tensor([0.1])
for t in range(30):
    h = h * w + 0.01
h.sum().backward()
"""
ALIKE = """
w = paddle.to_tensor([[1.0, 1.0], [1.0, 1.0]], stop_gradient=False)
(w + w + w).sum().backward()
"""
SCRIPTS = {"steps": STEPS, "two passes": TWICE, "more than are written": LONG, "equal numbers": ALIKE}


def choose(page, name, at):
    page("choose(arguments[0])", page.id_of(name, "backward"))
    page.click(f'#panel .elements button[data-at="{at}"]')


def told(page):
    """What stands below the numbers: the sentence, and the lines of the terms."""
    rows = page.all("#panel .terms tr")
    return page.one("#panel .terms p").text, [" ".join(row.text.split()) for row in rows]


def gradient_of(trace):
    return next(trace.values[event.outputs[0]] for event in reversed(trace.events) if event.kind == "store")


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_each_element_has_the_terms_that_why_tells(page_of, write_script, script):
    trace = trace_of(write_script(script))
    gradient = gradient_of(trace)
    page = page_of(script).open()
    for at, spot in enumerate(np.ndindex(*gradient.shape)):
        choose(page, gradient.name, at)
        answer = explain_element(trace, gradient, spot)
        said, lines = told(page)
        assert said == answer.says[0]
        assert lines == [" ".join(line.split()) for line in answer.numbers]
    assert page.complaints == []


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_terms_add_up_to_the_gradient(page_of, script):
    page = page_of(script).open()
    stores = page("data.order.filter((id) => data.facts[id].kind === 'store')")
    assert stores
    for id_ in stores:
        total, terms = page(
            "(({results, terms}) => [[...numbersOf(results[0].id)], terms.map((one) => [...numbersOf(one.value)])])"
            "(data.facts[arguments[0]])",
            id_,
        )
        np.testing.assert_allclose(np.sum(terms, 0), total, rtol=1e-6, atol=1e-7)


def test_worked_out_by_hand(page_of):
    """3 w*w has the slope 6 w at 3: 18, in two halves from the two uses in w * w; the second pass adds 0.1."""
    page = page_of(TWICE).open()
    choose(page, "w.grad", 1)
    said, lines = told(page)
    assert said == "w.grad[1] is 18.1, the sum of 2 terms"
    assert lines == ["0.1 scale script.py:3", "18 was there before this pass"]
    page("showPass(1)")
    choose(page, "w.grad", 1)
    assert told(page)[1] == ["9 multiply script.py:2 2 of 2", "9 multiply script.py:2 1 of 2"]


def test_the_keyboard_goes_from_number_to_number(page_of):
    page = page_of(STEPS).open()
    page("choose(arguments[0])", page.id_of("Wh.grad", "backward"))
    first = page.one('#panel .elements button[data-at="0"]')
    assert [one.get_attribute("tabindex") for one in page.all("#panel .elements button")] == [
        "0",
        "-1",
        "-1",
        "-1",
    ]
    first.send_keys(Keys.ARROW_DOWN)
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert told(page)[0].startswith("Wh.grad[1, 1] is ")
    chosen = page.driver.switch_to.active_element
    assert chosen.get_attribute("aria-selected") == "true"
    assert chosen.get_attribute("aria-label").startswith("Wh.grad[1, 1] = ")
    assert page("state.step") is None  # the arrows were those of the grid


def test_a_term_leads_to_the_operator_that_used_the_value(page_of):
    page = page_of(STEPS).open()
    choose(page, "Wh.grad", 0)
    page.all("#panel .terms a")[0].click()
    matmuls = page("data.order.filter((id) => data.facts[id].title === 'matmul')")
    assert page("state.node") == matmuls[-1]


def test_the_terms_follow_numbers_that_are_pushed(page_of):
    page = page_of(STEPS).open()
    page("(push().set(push().live.inputs[0], 1, 0.9), showPushed())")
    choose(page, "Wh.grad", 2)
    pushed = told(page)
    other = page_of(STEPS.replace("[0.3, -0.2]", "[0.3, 0.9]")).open()
    choose(other, "Wh.grad", 2)
    assert pushed == told(other)
    page = page_of(STEPS).open()
    choose(page, "Wh.grad", 2)
    recorded = told(page)
    page("push().set(push().live.inputs[0], 1, 0.9)")
    page.click("#push .reset") if page.all("#push .reset") else page("resetPushed()")
    choose(page, "Wh.grad", 2)
    assert told(page) == recorded != pushed


def test_without_numbers_there_is_nothing_to_choose(page_of):
    page = page_of(STEPS, share_safe=True).open()
    page("choose(arguments[0])", page.id_of("Wh.grad", "backward"))
    assert not page.all("#panel .elements")


def test_small_gradients_come_first_and_the_room_is_kept(write_script):
    trace = trace_of(
        write_script(
            "a = paddle.ones([300]); b = paddle.ones([4]); c = paddle.ones([2000])\n"
            "for one in (a, b, c):\n    one.stop_gradient = False\n"
            "((a * a).sum() * (b * b).sum() * (c * c).sum()).backward()\n"
        )
    )
    graph = mirror(trace)

    def named(room):
        return {trace.values[id_].name for id_ in exact_numbers([graph], trace, room)}

    assert {"a.grad", "b.grad"} <= named(20_000)
    assert "c.grad" not in named(10**9)
    assert "b.grad" in named(400)
    assert "a.grad" not in named(400)
