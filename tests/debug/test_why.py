"""`why`: the formula, the numbers put in, and what it says in words."""

import re

import numpy as np
import pytest

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from minipaddle.tools.debug import Session
from minipaddle.tools.explain.why import why
from tests.support.recordings import asked, computes, leaf
from tests.support.runs import Squash


def linear():
    w, b = leaf([0.5, -0.3], [0.2, 0.8]), leaf(0.1, -0.1)
    x = paddle.to_tensor([[1.0, 2.0], [3.0, -4.0], [0.5, 0.25]])
    h = F.relu(x @ w + b)
    loss = (h * h).mean()
    loss.backward()


@pytest.mark.parametrize(
    ("target", "rule"),
    [
        ("w@GRAD", r"w@GRAD = x\.T @ matmul_0@GRAD"),
        ("b@GRAD", r"b@GRAD = sum\(\w+@GRAD, 0\)"),
        ("h@GRAD", r"h@GRAD = multiply_\d+@GRAD \* h"),
        ("loss", r"loss = mean\(multiply_\d+\)"),
        ("h", r"h = maximum\(add_1, 0\)"),
        ("w.grad", r"w\.grad \+= w@GRAD"),
    ],
)
def test_the_rule_is_said_in_the_users_names(record, target, rule):
    assert any(re.fullmatch(rule, line) for line in asked(record, linear, target).rule)


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


def test_long_sums_are_cut_and_counted(record):
    def script():
        x = leaf(*np.linspace(0, 1, 50).tolist())
        total = x.sum()
        total.backward()

    (line,) = asked(record, script, "total").numbers
    assert line.startswith("total = 0 + 0.02041 + 0.04082 + ... (50 terms) = 25")


def said(record, function, target):
    return " | ".join(asked(record, function, target).says)


def test_broadcast_pass_through_zeros_and_seed_are_explained(record):
    assert "b [2] was broadcast to [3, 2], so its gradient is summed over axis 0" in said(
        record, linear, "b@GRAD"
    )
    assert "add passes the gradient on to matmul_0 as it is" in said(record, linear, "b@GRAD")

    def cut():
        h = leaf(1.0, -1.0, 0.0)
        F.relu(h).sum().backward()

    assert "2 of 3 elements become zero: there h was not positive, and relu is flat" in said(
        record, cut, "h@GRAD"
    )
    assert "x gets none: stop_gradient" in said(record, linear, "w@GRAD")

    def short():
        x = leaf(2.0)
        y = x.sum()
        y.backward()

    assert "backward starts here, with y@GRAD = 1" in said(record, short, "x@GRAD")

    def seeded():
        x = leaf(2.0)
        y = x * 3
        y.backward(paddle.to_tensor([5.0]))

    assert "backward starts here, with the y@GRAD that it was given" in said(record, seeded, "x@GRAD")


def test_accumulation_names_both_users(record):
    def script():
        x = leaf(2.0)
        y = x * 3 + paddle.exp(x)
        y.backward()

    session = Session(record(script))
    while session.event.kind != "accumulate":
        session.step()
    answer = why(session.trace, session.event)
    assert re.search(r"x was used more than once \(\w+ test_why.py:\d+, \w+ test_why.py:", answer.says[0])
    assert computes(answer.numbers[0])


def test_a_pylayer_shows_the_users_own_lines_and_what_it_saved(record):
    def script():
        h = leaf(0.3, 0.2)
        z = Squash.apply(h)
        z.sum().backward()

    answer = asked(record, script, "h@GRAD")
    assert answer.rule == [
        "slope = 1 - paddle.square(y)",
        "grad = dy * slope",
        "h@GRAD = z@GRAD * (1 - z * z)",
    ]
    assert [line.split("  ")[0] for line in answer.numbers[:4]] == ["z", "z@GRAD", "slope", "grad"]
    assert computes(answer.numbers[4].partition("[")[0] + answer.numbers[4].partition("]")[2])
    assert "ctx.saved_tensor() gave back z, kept by forward" in answer.says
    forward = asked(record, script, "z")
    assert forward.rule == ["y = paddle.tanh(x)"]
    assert "kept for backward: z" in forward.says


@pytest.mark.parametrize("make", [paddle.optimizer.SGD, paddle.optimizer.Momentum])
def test_an_update_says_how_the_parameter_moved(record, make):
    def script():
        w = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(3.0))
        optimizer = make(0.5, parameters=[w])
        for _ in range(2):
            (w * w).sum().backward()
            optimizer.step()
            optimizer.clear_grad()

    session = Session(record(script))
    session.resume()
    answer = why(session.trace, session.event)
    assert answer.rule[-1].startswith("w = w - 0.5 * ")
    assert computes(answer.numbers[0])


def test_matmul_says_the_formula_of_this_call(record):
    def script():
        x, y = leaf([1.0, 2.0], [3.0, 4.0]), leaf([1.0, 0.0], [0.0, 1.0])
        z = paddle.matmul(x, y, transpose_y=True)
        z.sum().backward()

    answer = asked(record, script, "x@GRAD")
    assert answer.rule == ["x@GRAD = z@GRAD @ y", "y@GRAD = z@GRAD.T @ x"]


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
