"""Several backward passes on one page."""

import pytest

TWICE = """
x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
y = (x * x * x).sum()
(dx,) = paddle.grad(y, x, create_graph=True)
(dx * dx).sum().backward()
"""
LOOP = """
w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
for step in range(12):
    (w * w).sum().backward()
"""


@pytest.fixture
def twice(page_of):
    return page_of(TWICE).open()


def steps(page):
    return page.texts("#steps li")


def test_the_last_pass_is_shown_and_the_first_can_be(twice):
    assert [option.text for option in twice.all("#passes option")] == ["1 · line 3", "2 · line 4"]
    assert "pass 2 of 2" in twice.one("#subtitle").text
    second = steps(twice)
    lines = {*twice.attributes(".line[data-nodes]", "data-at")}
    twice.choose(twice.id_of("x"))
    twice.select("#passes", "1")
    assert "pass 1 of 2" in twice.one("#subtitle").text
    assert len(steps(twice)) < len(second)
    assert {*twice.attributes(".line[data-nodes]", "data-at")} < lines
    assert twice.classes("chosen") == set()
    assert len(twice.all(".view")) == 1
    twice.choose(twice.id_of("multiply_grad", "backward"))
    assert "Rule" in twice.one("#panel").text
    twice.select("#passes", "2")
    assert steps(twice) == second
    assert twice.complaints == []


def test_a_link_leads_to_a_pass(twice):
    twice.select("#passes", "1")
    twice.choose(twice.id_of("multiply_grad", "backward"))
    node, fragment = twice("state.node"), twice("location.hash")
    twice.open(fragment)
    assert twice("[data.number, state.node]") == [1, node]
    assert twice.node(node).is_displayed()


def test_replay_of_another_pass(twice):
    twice.select("#passes", "1")
    for _ in range(3):
        twice.click("#next")
    assert twice.one("#sentence").text.startswith(f"3 of {len(steps(twice))}: ")
    assert twice.classes("now") == {twice("view().order[2]")}


def test_a_single_pass_is_no_choice(page_of):
    page = page_of("x = paddle.to_tensor([1.0], stop_gradient=False)\n(x * x).backward()\n").open()
    assert not page.one("#passes").is_displayed()
    assert "--pass" not in page.one(".legend").text


@pytest.mark.parametrize(
    ("asked", "shown"), [(None, [7, 8, 9, 10, 11, 12]), (1, [1, 2, 3, 4, 5, 6]), (6, [3, 4, 5, 6, 7, 8])]
)
def test_what_there_is_no_room_for_is_said(page_of, asked, shown):
    page = page_of(LOOP, pass_number=asked).open()
    assert page("book.passes.map((one) => one.number).sort((a, b) => a - b)") == shown
    assert page("data.number") == (asked or 12)
    assert "6 other passes are not in this page: --pass N draws one of 1 to 12" in page.one(".legend").text
