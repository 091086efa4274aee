"""`why`: the formula, the formula with numbers, and its sentences."""

import re

import pytest

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from minipaddle.tools.debug import Session
from minipaddle.tools.explain.why import why
from tests.support.recordings import asked, computes, leaf


def linear():
    w, b = leaf([0.5, -0.3], [0.2, 0.8]), leaf(0.1, -0.1)
    x = paddle.to_tensor([[1.0, 2.0], [3.0, -4.0], [0.5, 0.25]])
    h = F.relu(x @ w + b)
    loss = (h * h).mean()
    loss.backward()


@pytest.mark.parametrize(
    "target", ["w@GRAD", "b@GRAD", "h@GRAD", "loss", "matmul_0", "h", "add_1", "add_1@GRAD"]
)
def test_the_numbers_put_in_give_the_number_shown(record, target):
    numbers = asked(record, linear, target).numbers
    assert numbers
    assert all(computes(line) for line in numbers)


def test_a_product_is_written_as_row_times_column(record):
    answer = asked(record, linear, "w@GRAD")
    assert re.fullmatch(r"w@GRAD\[\d, \d\] = \S+ \* \S+ \+ \S+ \* \S+ \+ \S+ \* \S+ = \S+", answer.numbers[0])


@pytest.mark.parametrize("max_mb", [256, 0])
def test_without_numbers_the_formula_is_the_same(record, max_mb):
    def rules():
        session = Session(record(linear, max_mb=max_mb))
        return [why(session.trace, session.trace.events[index]).rule for index in session.stops]

    assert rules() == [why_.rule for why_ in whys(record)]


def whys(record):
    session = Session(record(linear))
    return [why(session.trace, session.trace.events[index]) for index in session.stops]


def many_operators():
    paddle.seed(1)
    net = paddle.nn.Sequential(
        paddle.nn.Conv2D(1, 2, 3), paddle.nn.BatchNorm2D(2), paddle.nn.GELU(), paddle.nn.MaxPool2D(2, 2),
        paddle.nn.Flatten(), paddle.nn.Linear(8, 4), paddle.nn.LayerNorm(4), paddle.nn.Dropout(0.5),
    )  # fmt: skip
    optimizer = paddle.optimizer.Adam(parameters=net.parameters())
    x = paddle.randn([2, 1, 6, 6])
    a, b = paddle.split(net(x), 2, axis=1)
    joined = paddle.concat([a.transpose([1, 0]), paddle.stack([b[0], b[1]])], axis=0)
    loss = (
        F.cross_entropy(joined, paddle.to_tensor([0, 1, 1, 0])) + a.max() + paddle.where(b > 0, a, b).norm()
    )
    loss.backward()
    optimizer.step()


@pytest.mark.parametrize("max_mb", [256, 0])
def test_every_event_of_a_network_has_an_answer_and_all_its_numbers_are_true(record, max_mb):
    session = Session(record(many_operators, max_mb=max_mb))
    for index in session.stops:
        answer = why(session.trace, session.trace.events[index])
        assert answer.rule
        assert answer.says
        text = "\n".join(answer.rule + answer.numbers)
        assert "False =" not in text
        assert "None =" not in text
        plain = [
            line
            for line in answer.numbers
            if line.count(" = ") == 2 and "..." not in line and "erf" not in line
        ]
        assert all(computes(line) for line in plain)
