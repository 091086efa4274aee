"""A page of a gradient of a gradient: columns, and what opens, closes and leads on in them."""

import pytest

NET = """
paddle.seed(0)
net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.Tanh(), paddle.nn.Linear(3, 1))
x = paddle.to_tensor([[0.5, -1.0]], stop_gradient=False)
(slope,) = paddle.grad(net(x).sum(), x, create_graph=True)
(slope * slope).sum().backward()
"""


@pytest.fixture
def page(page_of):
    return page_of(NET).open()


def test_each_column_has_its_heading(page):
    headings = page(
        "[...svg().querySelectorAll('.heading')].map((one) => [one.textContent, one.getBBox().x])"
    )
    assert [words for words, _ in headings] == ["forward", "pass 1", "pass 2"]
    assert headings == sorted(headings, key=lambda one: one[1])
    page.select("#passes", "1")
    assert page("svg().querySelectorAll('.heading').length") == 0, "no pass goes through another one"


def test_a_layer_closes_in_all_columns_and_opens_again(page):
    before = page("sight.order")
    page("toggle('s2')")
    assert set(page("sight.order")) >= {"s2", "t2", "p1s2", "p1t2"}
    rows = page("['s2', 't2', 'p1s2', 'p1t2'].map((id) => drawing.layout.boxes.get(id).row)")
    assert len(set(rows)) == 1
    page("toggle('p1t2')")
    assert page("sight.order") == before
    assert page.complaints == []


def test_a_rule_closes_with_what_differentiates_it(page):
    rule = page("Object.keys(data.frames).find((id) => data.frames[id].title === 'tanh_grad')")
    page("toggle(arguments[0])", rule)
    twin, operator = page(f"[data.frames['{rule}'].twin, sight.twinOf('{rule}')]")
    assert page(f"sight.nodes.get('{operator}').title") == "tanh"
    rows = page(f"['{rule}', '{twin}', '{operator}'].map((id) => drawing.layout.boxes.get(id).row)")
    assert len(set(rows)) == 1


def test_t_leads_across_from_every_column(page):
    page.choose(page.id_of("tanh"))
    page.press("t")
    assert page("[data.facts[state.node].side, data.facts[state.node].title]") == ["backward", "tanh_grad"]
    inner = page("data.order.find((id) => data.facts[id].column && data.facts[id].title === 'subtract')")
    page.choose(inner)
    page.press("t")
    assert page("[data.facts[state.node].side, data.facts[state.node].title]") == [
        "backward",
        "subtract_grad",
    ]
    page.press("t")
    assert page("state.node") == inner


def test_replay_goes_through_the_columns_in_the_order_of_the_run(page):
    order = page("view().order")
    columns = page("view().order.map((id) => [data.facts[id].side ?? 'forward', data.facts[id].column ?? 0])")
    assert columns.index(["forward", 1]) < columns.index(["backward", 1])
    page.click("#next", times=columns.index(["backward", 1]) + 1)
    assert page.classes("now") == {order[columns.index(["backward", 1])]}
