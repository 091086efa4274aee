"""What a page shows of a network whose layers are closed, and how it opens and is gone through."""

import pytest

from tests.support.page import NET, RESIDUAL


def test_a_residual_connection_runs_around_its_closed_block(page_of):
    page = page_of(RESIDUAL).open("#v=layers")
    skips = page("sight.edges.filter((one) => one.skips).map((one) => sight.nodes.get(one.head).title)")
    assert skips == [f"{number}: Block" for number in range(4)]
    ends = page(
        "drawing.layout.lanes.ways.filter((one) => one.edge.skips).map(({points, head: {box}}) =>"
        " [points.at(-1), box.x, box.y, box.height, Math.min(...points.map((point) => point[0]))])"
    )
    for (x, y), left, top, height, outermost in ends:
        assert outermost < left - 10
        assert x == pytest.approx(left, abs=1)
        assert top + height / 2 < y < top + height
    page("showView('outer')")  # the sum of the first block is not the last thing in the network
    assert page("sight.edges.filter((one) => one.skips).length") == 0
    assert page("showView('all'), sight.edges.filter((one) => one.skips).length") == 0


def test_a_closed_layer_lists_its_parameters(page_of):
    page = page_of(NET).open("#v=layers")
    page("choose(sight.order.find((id) => sight.nodes.get(id).title === '1: Block'))")
    assert "Parameters\n1.fc.weight [2, 2]\n1.fc.bias [2]" in page.one("#panel").text
    page("showView('all'), choose(sight.order.find((id) => sight.nodes.get(id).title === 'sum'))")
    assert "Parameters" not in page.one("#panel").text


def test_arrows_that_were_travelled_stay_lit(page_of):
    page = page_of(NET).open()
    for step in (3, 9, 4):
        page("goToStep(arguments[0])", step)
        lit = page(
            "[...document.querySelectorAll('.edge:not(.later)')].map((one) => state.at.get(one.dataset.head))"
        )
        assert set(lit) == {
            at for at in page("sight.edges.map((one) => state.at.get(one.head))") if at <= step
        }
    page("goToStep(null)")
    assert page.all(".edge.later") == []


def test_updates_of_closed_layers_have_lanes_where_no_gradient_is_stored(page_of):
    page = page_of(NET).open("#v=outer")
    ways = page(
        "drawing.layout.lanes.ways.filter((one) => one.head.box.column === 4)"
        ".map((one) => [one.kind, one.tail.box.column])"
    )
    assert ways
    assert {(kind, column) for kind, column in ways} == {("across", 2)}


CHAIN = "y = x = paddle.to_tensor([1.0], stop_gradient=False)\nfor _ in range(40):\n    y = y.tanh()\ny.backward()\n"


@pytest.mark.parametrize("source", [NET, CHAIN, RESIDUAL])
def test_no_text_is_small_when_it_opens_and_at_any_step(page_of, source):
    page = page_of(source, fold="none").open()
    assert page("stage.box.unit") <= 1.1
    page.click("#fit")
    for step in (0, 20, 5):
        page("goToStep(arguments[0])", step)
        assert page("stage.box.unit") <= 1.1
        inside = "(({top, bottom}, room) => room.top <= top && bottom <= room.bottom)"
        shape = "drawing.group(state.node).getBoundingClientRect()"
        assert page(f"{inside}({shape}, stage.room.getBoundingClientRect())")


def test_tab_goes_in_the_order_of_reading(page_of):
    page = page_of(NET).open("#v=all")
    order = page.attributes(".view [tabindex]", "id")
    frame, weight, product = (
        page(f"'n.' + {one}")
        for one in (
            "Object.entries(data.frames).find(([, one]) => one.title === '1: Block')[0]",
            "data.order.find((id) => data.facts[id].title === '1.fc.weight')",
            "data.order.filter((id) => data.facts[id].title === 'matmul')[1]",
        )
    )
    assert order.index(frame) < order.index(weight) < order.index(product)
    assert [one for one in order if one[2:] in page("sight.order")] == [
        f"n.{id_}" for id_ in page("sight.order")
    ]
