"""Which part of a picture is seen, and what is told of it: options, colours, states."""

import re

import pytest

from minipaddle.tools.picture.choices import BadOption
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.fitting import Room
from minipaddle.tools.picture.model.focus import near
from minipaddle.tools.picture.model.graph import bytes_kept
from minipaddle.tools.picture.model.outcome import CUT, NOT_DIFFERENTIABLE, NOT_REACHED, STOPPED, ZERO
from minipaddle.tools.picture.options import Options, shaped
from minipaddle.tools.picture.picture import Picture

# -- options -----------------------------------------------------------------------------------------------------------


def test_a_large_graph_is_folded_unless_told_otherwise(chain):
    graph = chain(300)
    assert len(shaped(graph, Options()).nodes) == 7
    assert "7 of 605 nodes, what repeats drawn once (×n)" in shaped(graph, Options()).subtitle
    assert shaped(graph, Options(fold="none")).nodes == graph.nodes


def test_what_can_not_be_folded_is_cut_at_the_loss(draw):
    graph = draw(
        "x = paddle.to_tensor([0.5], stop_gradient=False)\ny = x\n"
        "for k in range(90):\n    y = y * (k + 1.5) if k % 7 % 3 else paddle.tanh(y)\ny.sum().backward()"
    )
    small = shaped(graph, Options(), Room(few=10, most=20))
    assert len(small.nodes) <= 20
    assert "sum_grad" in {node.title for node in small.nodes.values()}


@pytest.mark.parametrize("side", ["forward", "backward"])
def test_one_side(net, side):
    seen = shaped(net, Options(view=side))
    assert {node.side for node in seen.nodes.values()} <= {side, "update"}
    assert not [edge for edge in seen.edges if edge.kind == "saved"]


@pytest.mark.parametrize("focus", ["last.weight±1", "last.weight+-1", "last.weight:1", "last.weight ± 1"])
def test_focus(net, focus):
    seen = shaped(net, Options(focus=focus))
    assert {node.title for node in seen.nodes.values()} == {
        *("last.weight", "matmul", "last.weight.grad", "sgd update")
    }


def test_near_goes_along_arrows_against_them_and_across(net):
    (loss,) = [node.id for node in net.nodes.values() if node.title == "sum"]  # it keeps nothing for backward
    (made_of,) = [edge.tail for edge in net.edges if edge.head == loss]
    found = near(net, [loss], 2)
    assert [id_ for id_, steps in found.items() if steps == 0] == [loss]
    once = {id_ for id_, steps in found.items() if steps == 1}
    assert {net.nodes[id_].title for id_ in once - {made_of}} == {"sum_grad"}
    assert made_of in once
    assert max(found.values()) == 2


def test_focus_on_what_is_not_there(net):
    with pytest.raises(BadOption, match=r"no node is called 'last\.wieght'; do you mean last\.weight"):
        shaped(net, Options(focus="last.wieght±1"))


def test_highlight(net):
    marked = re.findall(r'"► ([^\\"]*)', to_dot(net, Options(highlight=r"^tanh_grad$")))
    assert {*marked} == {"tanh_grad"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"theme": "mood"}, "there are light, dark, print, cb"),
        ({"collapse": "("}, r"collapse '\(' is no regular expression"),
        ({"highlight": "["}, r"highlight '\[' is no regular expression"),
    ],
)
def test_bad_options(options, said):
    with pytest.raises(BadOption, match=said):
        Options(**options)


def kept_words(graph, **options):
    return shaped(graph, Options(saved=True, **options)).subtitle.rpartition(", ")[2]


def test_what_several_operators_keep_is_counted_once(draw):
    graph = draw(
        """
        x = paddle.rand([250])
        x.stop_gradient = False
        (x * paddle.tanh(x)).sum().backward()
        """
    )
    assert [bytes_kept([edge]) for edge in graph.edges if edge.kind == "saved"] == [2000, 1000]
    assert kept_words(graph) == "2 kB kept for backward by 2 operators"


@pytest.mark.parametrize("depth", [None, 0])
def test_what_a_pylayer_saves_is_counted_whether_it_is_open_or_closed(draw, depth):
    graph = draw(
        """
        class Square(paddle.autograd.PyLayer):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, dy):
                (x,) = ctx.saved_tensor()
                return dy * x + x * dy

        x = paddle.rand([250])
        x.stop_gradient = False
        Square.apply(x).sum().backward()
        """
    )
    assert kept_words(graph, depth=depth) == "1 kB kept for backward by 1 operator"
    drawn = shaped(graph, Options(saved=True, depth=depth))
    assert {bytes_kept([edge]) for edge in drawn.edges if edge.kind == "saved"} == {1000}


# -- states ------------------------------------------------------------------------------------------------------------


def test_states_are_told_apart_in_words(draw):
    graph = draw(
        """
        fine = paddle.to_tensor([1.5, -2.0], stop_gradient=False)
        zero = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        rounded = paddle.to_tensor([1.5, 2.5], stop_gradient=False)
        plain = paddle.to_tensor([1.0, 2.0])
        index = paddle.argmax(rounded)
        with paddle.no_grad():
            apart = fine * 2.0
        loss = (fine * plain + zero * 0.0 + apart + index.astype("float32")).sum()
        loss.backward()
        """
    )
    states = {node.title: node.state for node in graph.nodes.values() if node.state}
    assert states["plain"] == STOPPED
    assert states["zero.grad"] == ZERO
    assert states["rounded"] == NOT_REACHED
    assert states["argmax"] == NOT_DIFFERENTIABLE
    assert f"{CUT} (no_grad)" in states.values()
    assert "fine.grad" not in states


def test_a_page_has_room_for_more(chain):
    picture = Picture(chain(300))
    assert len(picture.seen("html").nodes) == 605
    assert len(picture.seen("svg").nodes) == len(picture.graph.nodes) == 7
    assert picture.seen("svg") is picture.graph


def test_what_is_computed_again_is_not_kept_for_backward(draw):
    again = draw(
        """
        from minipaddle.paddle.distributed.fleet.utils import recompute

        x = paddle.rand([250])
        x.stop_gradient = False
        (recompute(paddle.tanh, x) * x).sum().backward()
        """
    )
    assert kept_words(again) == "2 kB kept for backward by 1 operator"


@pytest.mark.parametrize("option", ["highlight", "collapse"])
def test_a_pattern_that_is_found_nowhere_is_told(net, option):
    assert f"nothing to {option} is like 'zzz'" in shaped(net, Options(**{option: "zzz"})).subtitle
    assert "nothing to" not in shaped(net, Options(**{option: "Linear|matmul"})).subtitle
