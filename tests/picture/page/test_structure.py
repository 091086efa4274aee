"""What a page shows of a network whose layers are closed, and how it opens and is gone through."""

import re
from pathlib import Path

import pytest

from tests.support.page import NET, RESIDUAL

LAYOUT = Path(__file__).parent.parent / "layout"


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


ENCODER = """
nn = paddle.nn
paddle.seed(1)
layers = [nn.TransformerEncoderLayer(4, nhead=2, dim_feedforward=4, dropout=0.0) for _ in range(4)]
nn.Sequential(*layers)(paddle.rand([1, 2, 4])).square().mean().backward()
"""


def test_what_a_closed_attention_gives_back_to_one_sum_is_added_once(page_of):
    page = page_of(ENCODER).open("#v=folded")
    attention = "data.frames[id].title.includes('Attention') && data.frames[id].side === 'forward'"
    page(f"Object.keys(data.frames).forEach((id) => {attention} && !sight.closed.has(id) && toggle(id))")
    listed = "sight.order.filter((id) => sight.nodes.get(id).kind === 'accumulate')"
    sums = page(listed)
    assert [page("sight.nodes.get(arguments[0]).count", one) for one in sums] == [4, 3]
    into = "sight.edges.filter(({head}) => head === arguments[0])"
    terms = page(f"{into}.map(({{tail, of}}) => [sight.nodes.get(tail).kind, of.length])", sums[1])
    assert sorted(terms) == [["grad", 3], ["layer_grad", 9]]  # q, k and v in each of three rounds
    page("showView('folded')")  # where they come from several rules
    assert len(page(listed)) == 4


def test_what_rounds_of_a_closed_layer_give_a_parameter_is_seen_to_be_added(page_of):
    """What goes from one round to the next is added inside: the chip names what the rounds take, and no more."""
    page = page_of((LAYOUT / "lstm.py").read_text(encoding="utf-8")).open("#v=small")
    gradients = "sight.edges.filter(({kind}) => kind === 'gradient')"
    ends = "[sight.nodes.get(tail).kind, sight.nodes.get(tail).title, sight.nodes.get(head).title]"
    into = page(f"{gradients}.map(({{tail, head}}) => {ends})")
    assert {tail for _, tail, head in into if head == "+"} == {"cell: LSTMCell backward"}
    stores = {head for kind, _, head in into if kind == "accumulate"}
    assert stores == {f"cell.{name}.grad" for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
    chips = page("[...drawing.layout.chips.values()].map(({side, names}) => [side, names])")
    (names,) = [names for side, names in chips if side == "backward"]
    assert sorted(set(names)) == ["c #1@GRAD", "c #2@GRAD", "h #2@GRAD", "h #3@GRAD"]


ATTENTION = """
nn = paddle.nn
class Attention(nn.Layer):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(2, 2) for _ in range(3))

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return nn.functional.softmax(q @ k.t()) @ v

paddle.seed(2)
Attention()(paddle.ones([3, 2])).sum().backward()
"""
TOWERS = """
nn = paddle.nn
user, item = nn.Sequential(nn.Linear(2, 2), nn.Tanh()), nn.Sequential(nn.Linear(3, 2), nn.Tanh())
a, b = paddle.ones([2, 2]), paddle.ones([2, 3])
(user(a) * item(b)).sum().backward()
"""
HEADS = """
nn = paddle.nn
h = paddle.tanh(nn.Linear(2, 2)(paddle.ones([1, 2])))
one, two, three = nn.Linear(2, 1), nn.Linear(2, 1), nn.Linear(2, 1)
(one(h).mean() + two(h).mean() + three(h).mean()).backward()
"""


@pytest.mark.parametrize(
    ("source", "view", "title", "which"),
    [
        (ATTENTION, "all", "^matmul$", slice(0, 3)),
        (ATTENTION, "layers", ": Linear$", slice(0, 3)),
        (TOWERS, "all", "^matmul$", slice(0, 2)),
        (TOWERS, "outer", "Sequential$", slice(0, 2)),
        (HEADS, "all", "^matmul$", slice(1, 4)),
        (HEADS, "outer", "Linear$", slice(1, 4)),
    ],
)
def test_branches_stand_side_by_side_in_the_order_of_the_run_and_mirrored(
    page_of, source, view, title, which
):
    page = page_of(source).open(f"#v={view}")
    found = page(
        "sight.order.filter((id) => RegExp(arguments[0]).test(sight.nodes.get(id).title)"
        " && sight.nodes.get(id).side === 'forward').map((id) => [id, twinOf(id)].map((one) =>"
        " [drawing.layout.boxes.get(one).row, drawing.layout.boxes.get(one).x]))",
        title,
    )[which]
    assert len({row for pair in found for row, _ in pair}) == 1
    across = [forward for (_, forward), _ in found] + [back for _, (_, back) in reversed(found)]
    assert across == sorted(set(across))


@pytest.mark.parametrize(
    "source", [ATTENTION.replace("paddle.ones([3, 2])", "x"), "(2 * x * x + 3 * x).sum().backward()"]
)
def test_a_sum_of_gradients_of_branches_stands_above_all_that_it_adds(page_of, source):
    page = page_of("x = paddle.ones([3, 2])\nx.stop_gradient = False\n" + source).open("#v=all")
    rows = page(
        "sight.edges.filter(({head}) => sight.nodes.get(head).kind === 'accumulate')"
        ".map(({tail, head}) => [tail, head].map((id) => drawing.layout.boxes.get(id).row))"
    )
    assert len(rows) == 4
    assert all(below > above for below, above in rows)


def test_branches_that_would_be_too_wide_stand_one_below_the_other(page_of):
    several = "h = paddle.to_tensor([1.0], stop_gradient=False) * 2\n"
    several += "paddle.add_n([paddle.tanh(h * i) for i in range(9)]).backward()\n"
    page = page_of(several).open("#v=all")
    assert page("drawing.layout.columns.keys.filter((key) => key === -1 || key === -3)") == [-1]


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
        "drawing.layout.lanes.ways.filter((one) => one.edge.kind === 'update')"
        ".map((one) => [one.kind, drawing.layout.columns.isSpine(one.tail.box.column)])"
    )
    assert ways
    assert {(kind, rule) for kind, rule in ways} == {("across", True)}


USED_TWICE = """
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
(x * x + x).sum().backward()
"""


def test_gradients_of_a_leaf_are_added_between_the_last_rule_and_its_gradient(page_of):
    """On one row, from left to right: no arrow leads up to a sum and down again."""
    page = page_of(USED_TWICE).open()
    kinds = ["pylayer_grad", "grad", "accumulate", "store"]
    boxes = page(
        "[...drawing.layout.boxes.values()].map(({id, kind, row, x}) => [kind, row, x])"
        ".filter(([kind]) => arguments[0].includes(kind))",
        kinds,
    )
    (top,) = {row for kind, row, _ in boxes if kind == "store"}
    in_row = [kind for kind, row, _ in sorted(boxes, key=lambda box: box[2]) if row == top]
    assert in_row == ["grad", "accumulate", "accumulate", "store"]
    assert {row for kind, row, _ in boxes if kind == "accumulate"} == {top}
    ways = page(
        "drawing.layout.lanes.ways.filter((one) => one.edge.kind === 'gradient').map((one) => one.points)"
    )
    assert all(y >= points[-1][1] - 1 for points in ways for _, y in points)


HOOKED = """
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
x.register_hook(lambda grad: None)
(x * x).sum().backward()
"""


def test_a_gradient_that_a_hook_gets_last_stands_above_the_hook(page_of):
    page = page_of(HOOKED).open()
    (way,) = page(
        "drawing.layout.lanes.ways.filter(({edge}) => sight.nodes.get(edge.head).kind === 'store')"
        ".map(({kind, tail, head}) => [kind, tail.box.row - head.box.row])"
    )
    assert way == ["drop", 1]


def test_a_branch_that_did_not_run_stands_among_the_others(page_of):
    """It leads nowhere, and so does what would stand beside it."""
    page = page_of((LAYOUT / "cond.py").read_text(encoding="utf-8")).open()
    assert page("[...new Set(drawing.layout.strips.values())]") == [0]


def test_many_leaves_of_one_operator_have_a_line_each(page_of):
    page = page_of((LAYOUT / "wide.py").read_text(encoding="utf-8")).open()
    lines = page(
        "[...nodes()].filter((one) => /parameter|store/.test(one.className.baseVal))"
        ".map((one) => [...one.querySelectorAll('text')].map((line) => line.textContent))"
    )
    assert len(lines) == 60
    assert lines[0] == ["v0 [1] float32 0"]
    assert {len(one) for one in lines} == {1}
    assert page("drawing.layout.height") < 1100


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


def test_a_cut_label_counts_all_names_that_it_leaves_out(page_of):
    """A label with `and 16 more` in it was cut to `+1`."""
    page = page_of((LAYOUT / "encoder.py").read_text(encoding="utf-8")).open()
    edges = page(
        "sight.edges.filter(({kind}) => kind === 'saved')"
        ".map((edge) => [new Set(edge.names).size, drawing.layout.labelOf(edge)])"
    )
    cut = [(count, label) for count, label in edges if re.search(r", \+\d+$", label)]
    assert cut
    for count, label in cut:
        *shown, left_out = label.split(", ")
        assert len(shown) + int(left_out) == count, label


def test_a_bundle_spreads_under_the_mouse(page_of):
    page = page_of(
        "x = paddle.to_tensor([0.5], stop_gradient=False)\n"
        "parts = [op(x) for op in (paddle.tanh, paddle.exp, paddle.sin, paddle.cos, paddle.abs, paddle.sqrt)]\n"
        "parts += [op(x) for op in (paddle.square, paddle.log, paddle.erf, paddle.rsqrt)]\n"
        "paddle.add_n(parts).backward()"
    ).open()
    ways = """[...document.querySelectorAll(".edge[data-bundle]")].map((one) => one.lastChild.getAttribute("d"))"""
    together = page(ways)
    assert len(together) > 2
    over = "document.querySelector({!r}).dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }}))"
    page(over.format(".edge[data-bundle] path"))
    apart = page(ways)
    assert apart != together
    assert len(set(apart)) == len(apart)
    page(over.format("#stage svg"))
    assert page(ways) == together


def test_a_constant_stands_beside_the_operator_that_takes_it(page_of):
    """As a leaf does; what has an input or a gradient has a row of its own."""
    source = (
        "x = paddle.to_tensor([1.0], stop_gradient=False)\n(x.tanh() + paddle.ones([1])).exp().backward()"
    )
    page = page_of(source).open()
    beside = page("[...drawing.layout.beside].map((pair) => pair.map((id) => sight.nodes.get(id).title))")
    assert beside == [["x", "tanh"], ["full", "add"], ["x.grad", "tanh"]]


def test_the_iterations_of_a_loop_are_told_apart_before_one_is_opened(page_of):
    page = page_of((LAYOUT / "while_loop.py").read_text(encoding="utf-8"), fold="auto").open()
    *_, rounds, loop = page("closingOrder(data)")
    assert [rounds] == page("Object.keys(data.repeats)")
    assert page("data.frames[arguments[0]].title", loop) == "while block 1, 3 iterations"


def test_the_panel_of_a_closed_loop(page_of):
    """It is not within itself, and what is true or false has no mean."""
    page = page_of((LAYOUT / "while_loop.py").read_text(encoding="utf-8"), fold="auto").open()
    loop = "Object.keys(data.frames).find((id) => data.frames[id].title.startsWith('while block'))"
    page(f"(toggle({loop}), choose(data.frames[{loop}].owner))")
    assert "Within" not in page.texts("#panel h3")
    box = page("drawing.written(data.frames[arguments[0]].owner)[0]", page(loop))
    assert box == "+ while block 1, 3 iterations"
    *_, condition = page.texts("#panel table.value")
    assert " ".join(condition.split()) == "name tmp_1 #4 shape [1] bool, 1 bytes numbers [False]"


def test_a_sum_leads_to_the_next_one_on_its_right_if_its_label_is_short(page_of):
    source = "x = paddle.to_tensor({numbers}, stop_gradient=False)\n(x * x + x).sum().backward()"
    between = "({tail, head}) => [tail, head].every(({box}) => box.kind === 'accumulate')"
    sides = "({tail, head, wide}) => [tail.side, head.side, wide > BESIDE_SUM]"
    found = f"drawing.layout.lanes.ways.filter({between}).map({sides})"
    for numbers, side in ("[1.0, 2.0]", "right"), ("[1.234, 2.345, 3.456]", "left"):
        assert page_of(source.format(numbers=numbers)).open()(found) == [[side, side, side == "left"]]


def test_an_arrow_from_another_strip_has_its_label_at_the_sum_that_it_leads_to(page_of):
    page = page_of((LAYOUT / "detach.py").read_text(encoding="utf-8")).open()
    turned = "drawing.layout.lanes.ways.filter(({kind, label}) => kind === 'late' && label)"
    found = page(
        f"{turned}.map(({{at, points, label}}) => [label, at.x - points.at(-1)[0], points[0][0] - at.x])"
    )
    assert [label for label, *_ in found] == ["+1, +2", "+1, +2"]
    assert all(0 < from_head < 10 < from_tail for _, from_head, from_tail in found)
