"""A page of a gradient of a gradient: the frame of an earlier pass, and what opens, closes and leads on in it."""

import pytest

from tests.support.drawn_scripts import TWO_SUMS

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


def test_a_layer_closes_in_all_passes_and_opens_again(page):
    before = page("sight.order")
    page("toggle('s2')")
    assert set(page("sight.order")) >= {"s2", "t2", "p1s2", "p1t2"}
    rows = page("['p1s2', 'p1t2'].map((id) => drawing.layout.boxes.get(id).row)")
    assert len(set(rows)) == 1
    page("toggle('p1t2')")
    assert page("sight.order") == before
    assert page.complaints == []


def test_a_pass_and_a_rule_close_with_what_differentiates_them(page):
    for title in ("pass 1", "tanh_grad"):
        frame = page("Object.keys(data.frames).find((id) => data.frames[id].title === arguments[0])", title)
        page("toggle(arguments[0])", frame)
        twin = page(f"data.frames['{frame}'].twin")
        rows = page(f"['{frame}', '{twin}'].map((id) => drawing.layout.boxes.get(id).row)")
        assert len(set(rows)) == 1
        page("toggle(arguments[0])", frame)
    assert page.complaints == []


def test_t_leads_across_from_every_pass(page):
    page.choose(page.id_of("tanh"))
    page.press("t")
    assert page("[data.facts[state.node].side, data.facts[state.node].title]") == ["backward", "tanh_grad"]
    inner = page("data.order.find((id) => data.facts[id].earlier && data.facts[id].title === 'subtract')")
    page.choose(inner)
    page.press("t")
    assert page("[data.facts[state.node].side, data.facts[state.node].title]") == [
        "backward",
        "subtract_grad",
    ]
    page.press("t")
    assert page("state.node") == inner


def test_an_arrow_for_several_gradients_names_them(page_of):
    """``4, 8; 6, 12`` would say numbers without what they are of."""
    page = page_of(TWO_SUMS).open()
    page("showView('outer')")
    bundles = (
        "sight.edges.filter(({kind, of}) => kind === 'gradient' && of.length > 1).map(({label}) => label)"
    )
    assert page(bundles) == ["b@GRAD, a@GRAD"]
