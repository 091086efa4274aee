"""Why a gradient is zero is told of what makes it so, not of a zero that stands nearby."""

import pytest

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.cards import why_lines, why_name

T = paddle.to_tensor


def zeros():
    return T([0.0, 0.0])


CALM = {
    "relu, and nothing came in where it is open": lambda x: (
        F.relu(x * T([1.0, -1.0])) * T([0.0, 1.0])
    ).sum(),
    "clip, and nothing came in where it is open": lambda x: (paddle.clip(x, 1.5, 3.0) * T([1.0, 0.0])).sum(),
    "sigmoid that is saturated once": lambda x: (F.sigmoid(x * T([1e3, 1.0])) * T([1.0, 0.0])).sum(),
    "softmax adds up to one": lambda x: F.softmax(x).sum(),
    "where takes the other": lambda x: paddle.where(x > 5, x, zeros()).sum(),
    "maximum takes the other": lambda x: paddle.maximum(-x / 100, zeros()).sum(),
    "minimum takes the other": lambda x: paddle.minimum(x / 100, zeros()).sum(),
    "batch_norm adds up to zero": lambda x: paddle.nn.BatchNorm1D(1)(x.reshape([2, 1])).sum(),
    "layer_norm adds up to zero": lambda x: F.layer_norm(x, 2).sum(),
}
WORDS = ("is dead", "is saturated", "cuts off", "multiplies it by", "began with zeros")
RIGHT = {
    "is dead": lambda x: F.relu(-x).sum(),
    "is saturated": lambda x: F.sigmoid(x * 1e3).sum(),
    "cuts off": lambda x: paddle.clip(x, 5.0, 6.0).sum(),
    "multiplies it by": lambda x: (x * zeros()).sum(),
    "began with zeros": lambda x: x.sum() * 1.0,
    "which is all zero": lambda x: (x.reshape([1, 2]) @ paddle.zeros([2, 3])).sum(),
    "cancels in its rule": lambda x: F.softmax(x).sum(),
}


def told(record, function, seed=1.0):
    def script():
        x = T([1.0, 2.0], stop_gradient=False)
        function(x).backward(T(seed))
        return x

    session = Session(record(script))
    return next(iter(why_lines(session, why_name(session, "x"))))


@pytest.mark.parametrize("name", CALM)
def test_nothing_is_blamed_that_would_let_another_gradient_pass(record, name):
    said = told(record, CALM[name])
    assert said.startswith("the gradient of x is zero")
    assert not any(word in said for word in WORDS), said


@pytest.mark.parametrize("word", RIGHT)
def test_what_lets_nothing_pass_is_named(record, word):
    assert word in told(record, RIGHT[word], seed=0.0 if word == "began with zeros" else 1.0)
