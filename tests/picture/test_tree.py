"""The tree in the terminal: words for every state, and lines that fit."""

import pytest
from rich.cells import cell_len

from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.terminal.lines import tree_lines
from minipaddle.tools.picture.terminal.tree import tree_rows
from minipaddle.tools.words.terminal import ASCII, UNICODE, symbols_for

EVERY_STATE = """
fine = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
zero = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
cut = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
plain = paddle.to_tensor([1.0, 2.0])
layer = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(2.0))
doubled = cut * 2
loss = (fine * plain * layer + zero * 0.0 + doubled.detach()).sum()
loss.backward()
"""


@pytest.fixture
def lines(record):
    """`lines(source)` returns the tree of a script, line by line."""

    def show(source, symbols=UNICODE, width=None, fold=False, sizes=False):
        trace = record(source)
        rows = tree_rows(mirror(trace), symbols, fold=fold, sizes=sizes)
        return [line.plain for line in tree_lines(rows, symbols, width)]

    return show


@pytest.mark.parametrize("width", [200, 80, 60, 40, 25])
@pytest.mark.parametrize("symbols", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_no_line_is_wider_than_the_terminal(record, scripts, symbols, width):
    for source in (*scripts.values(), EVERY_STATE, scripts["chain"].replace("y", "梯度的名字很长很长")):
        trace = record(source)
        for line in tree_lines(tree_rows(mirror(trace), symbols), symbols, width):
            assert cell_len(line.plain) <= width


def test_ascii_only_where_nothing_else_fits(lines):
    shown = "".join(lines(EVERY_STATE, symbols=symbols_for("ascii")))
    assert shown.isascii()
    assert "`- " in shown
    assert symbols_for("utf-8") is UNICODE
    assert symbols_for("no such encoding") is ASCII


def test_gbk_keeps_lines(lines):
    shown = "".join(lines(EVERY_STATE, symbols=symbols_for("gbk")))
    assert shown.encode("gbk")
    assert "└ " in shown


def test_a_long_chain_does_not_walk_off_to_the_right(lines, scripts):
    shown = lines(scripts["chain"].replace("range(30)", "range(2000)"))
    assert max(map(len, shown)) < 120
    assert max(line.find("y  tanh") for line in shown) < 40
    places = [line.partition("(goes on at ")[2].partition(")")[0] for line in shown if "(goes on at " in line]
    assert len(set(places)) == len(places) > 100
    assert [line.partition("  ")[0] for line in shown if line.startswith(("y #", "tanh_"))] == places


def test_a_shape_is_seen_before_a_whole_name(lines):
    name = "a_name_that_is_longer_than_most_names_are_in_scripts"
    source = (
        f"x = paddle.ones([3, 5])\nx.stop_gradient = False\n{name} = x * 2\n({name} * 2).sum().backward()"
    )
    shown = lines(source, width=50)
    assert "…  scale  [3, 5]  script.py:3" in shown[-2]


def test_names_cannot_steer_the_terminal(lines):
    shown = lines(
        """
        Evil = type("a\\x1b[31m\\nb\\u202e", (paddle.autograd.PyLayer,), {
            "forward": staticmethod(lambda ctx, x: x * 2), "backward": staticmethod(lambda ctx, dy: dy * 2)})
        x = paddle.to_tensor([1.0], stop_gradient=False)
        y = Evil.apply(x)
        y.backward()
        """
    )
    assert len(shown) == 4
    assert all(line.isprintable() for line in shown)


@pytest.mark.parametrize(("blocks", "folded"), [(3, False), (12, True)])
def test_a_few_lines_that_repeat_are_written_out(lines, blocks, folded):
    """Of three residual blocks it is seen which block adds what."""
    told = lines(
        f"x = paddle.ones([2])\nx.stop_gradient = False\nfor _ in range({blocks}):\n"
        "    h = paddle.tanh(x * 2).erf().exp().atan().abs().sqrt().square().sin().cos().tan()\n"
        "    x = x + paddle.nn.functional.relu(h - 1)\n"
        "x.sum().backward()",
        fold=True,
    )
    assert any(f"×{blocks}: the line above" in line for line in told) is folded
