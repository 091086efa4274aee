"""Functions that are told what runs."""

from minipaddle import paddle
from minipaddle.tools import picture as pictures


def test_operators_and_rules():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    x.name = "x"
    heard = []
    with pictures.on_op(heard.append), pictures.on_backward(heard.append):
        loss = paddle.tanh(x * 2).sum()
        loss.backward()
    assert [ran.name for ran in heard] == [
        "scale",
        "tanh",
        "sum",
        "sum_grad",
        "tanh_grad",
        "scale_grad",
        "x.grad",
    ]
    scale, *_, stored = heard
    assert scale.inputs[0] is x
    assert scale.outputs[0].tolist() == [2.0, 4.0]
    assert scale.seconds > 0
    assert stored.inputs[0].tolist() == x.grad.tolist()
    x * 2
    assert len(heard) == 7, "the block is over"


def test_a_pylayer_and_what_it_runs():
    class Twice(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, dy):
            return dy * 2

    names = []
    with pictures.on_op(lambda ran: names.append(ran.name)):
        Twice.apply(paddle.ones([2]))
    assert names[-2:] == ["scale", "Twice"]


def test_removed_within_another_block_it_hears_no_more():
    heard = []
    handle = pictures.on_op(heard.append)
    with paddle.no_grad():
        paddle.ones([1]) * 2
        before = len(heard)
        handle.remove()
        paddle.ones([1]) * 3
    paddle.ones([1]) * 4
    handle.remove()
    assert before == len(heard) > 0


def test_two_hear_the_same_and_end_in_any_order():
    one, two = [], []
    first, second = pictures.on_op(one.append), pictures.on_op(two.append)
    paddle.ones([1]) * 2
    first.remove()
    paddle.ones([1]) * 2
    second.remove()
    paddle.ones([1]) * 2
    assert len(two) == 2 * len(one) > 0


def test_names_of_others():
    x = paddle.to_tensor([1.0], stop_gradient=False)
    assert "tanh_grad" in pictures.make_graph(paddle.tanh(x), dpi="600").dot
