"""Chips: what is used often or far away has no long arrow."""

import re
import subprocess

import pytest

from minipaddle.tools.picture.draw.chips import FAR, NEAR, OFTEN, users_of_chips, with_chips
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.render import render
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.graph import rows_of
from minipaddle.tools.picture.model.labels import label
from minipaddle.tools.words.numbers import circled

RECURRENT = """
w = paddle.to_tensor([[0.5, 0.1], [0.2, 0.5]], stop_gradient=False)
b = paddle.to_tensor([0.0, 0.1], stop_gradient=False)
first = h = paddle.to_tensor([[1.0, 1.0]], stop_gradient=False)
for _ in range({steps}):
    h = paddle.tanh(paddle.matmul(h, w) + b)
(h * first).sum().backward()
"""


@pytest.fixture
def recurrent(draw):
    """The graph of a recurrent net of so many steps."""
    return lambda steps: draw(RECURRENT.format(steps=steps))


def far(graph, layout):
    """How many rows the arrows that are drawn lead across, for each node that they come from."""
    rows = rows_of(graph, layout)
    chipped = with_chips(graph, layout)
    return {
        (edge.tail, edge.head): abs(rows[edge.head] - rows[edge.tail])
        for edge in chipped.edges
        if edge.tail in rows and edge.kind == "value"
    }


@pytest.mark.parametrize("layout", ["mirror", "tape"])
def test_no_arrow_is_long(recurrent, layout):
    graph = recurrent(20)
    assert max(far(graph, layout).values()) <= FAR
    weight = next(node.id for node in graph.nodes.values() if node.title == "w")
    assert [rows for (tail, _), rows in far(graph, layout).items() if tail == weight and rows > NEAR] == []


def test_few_short_arrows_stay(draw):
    source = (
        "x = paddle.to_tensor([1.0], stop_gradient=False)\ny = x * x\n(y + paddle.sin(x)).sum().backward()"
    )
    graph = draw(source)
    assert OFTEN == 3
    assert with_chips(graph, "mirror") is graph


def test_the_arrows_keep_their_numbers_and_heads(recurrent):
    graph = recurrent(6)
    chipped = with_chips(graph, "mirror")
    assert chipped is not graph
    assert [(edge.head, edge.kind) for edge in graph.edges] == [
        (edge.head, edge.kind) for edge in chipped.edges
    ]
    for old, new in zip(graph.edges, chipped.edges, strict=True):
        chip = chipped.nodes[new.tail]
        assert (chip.stands_for or chip).id == old.tail


def test_chips_of_one_node_and_the_node_bear_one_number(recurrent):
    chipped = with_chips(recurrent(20), "mirror")
    chips = [chipped.nodes[id_] for id_ in users_of_chips(chipped)]
    assert {chip.stands_for.title for chip in chips} == {"w", "b", "first"}
    for chip in chips:
        assert chip.chip == chipped.nodes[chip.stands_for.id].chip
        assert label(chip)[0].split()[-1] == label(chipped.nodes[chip.stands_for.id])[0].split()[-1]
    assert len({chip.chip for chip in chips}) == 3


def test_values_of_equal_numbers_have_chips_of_their_own(draw):
    equal = "".join(f"{name} = paddle.to_tensor([1.0], stop_gradient=False)\n" for name in "ab")
    graph = draw(f"{equal}h = a\nfor _ in range(9):\n    h = h * a + b\nh.sum().backward()")
    chipped = with_chips(graph, "mirror")
    for id_, user in users_of_chips(chipped).items():
        wanted = "a" if chipped.nodes[user].title == "multiply" else "b"
        assert chipped.nodes[id_].stands_for.title == wanted


def drawn(graph, format):
    """What dot answers."""
    text = to_dot(graph).encode()
    return subprocess.run(["dot", f"-T{format}"], input=text, capture_output=True, check=True).stdout.decode()


def test_dot_puts_a_chip_beside_its_user(recurrent):
    chipped = with_chips(recurrent(20), "mirror")
    done = subprocess.run(
        ["dot", "-Tplain"], input=to_dot(recurrent(20)).encode(), capture_output=True, check=True
    )
    found = re.findall(r"^node (\S+) (\S+) (\S+) ", done.stdout.decode(), re.MULTILINE)
    places = {id_: (float(x), float(y)) for id_, x, y in found}
    for id_, user in users_of_chips(chipped).items():
        assert places[id_][1] == places[user][1]
        assert places[id_][0] < places[user][0]


def test_twenty_and_three_hundred_steps_are_narrow(recurrent):
    for steps in (20, 300):
        width = re.search(rb'<svg width="(\d+)pt"', render(recurrent(steps), "svg").data)
        assert int(width[1]) <= 1800


def test_no_arrow_of_a_folded_loop_goes_back(recurrent):
    graph = fold(recurrent(20))
    chipped = with_chips(graph, "mirror")
    place = {id_: number for number, id_ in enumerate(chipped.nodes)}
    back = [edge for edge in graph.edges if edge.kind == "value" and place[edge.tail] > place[edge.head]]
    assert back
    assert not any(edge.kind == "value" and place[edge.tail] > place[edge.head] for edge in chipped.edges)


def test_a_long_name_leaves_the_number(draw):
    graph = draw(RECURRENT.format(steps=9).replace("first", "a_name_that_is_much_longer_than_a_chip"))
    chips = [node for node in with_chips(graph, "mirror").nodes.values() if node.kind == "chip"]
    long = [chip for chip in chips if chip.stands_for.title.startswith("a_name")]
    assert long
    assert all(label(chip)[0].endswith(f"… {circled(chip.chip)}") for chip in long)
