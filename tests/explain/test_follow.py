"""Answers with changeable numbers: each dependent part is a field, and each part that cannot follow says so."""

import numpy as np
import pytest

from minipaddle.ops.definition.lesson import Claim
from minipaddle.tools.explain.formula import FOLLOWER, Follower, numbers_of, rule_of, tell
from minipaddle.tools.explain.symbols.shape_rules import apply
from minipaddle.tools.explain.why import why
from minipaddle.tools.words.fields import parts_of
from minipaddle.tools.words.setting import setting
from tests.support.page import trace_of

SCRIPT = """
x = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
paddle.nn.functional.relu(x).sum().backward()
"""


@pytest.fixture
def trace(write_script):
    return trace_of(write_script(SCRIPT))


def test_a_condition_on_numbers_becomes_a_field_and_is_decided_where_they_stay(trace):
    x = next(value for value in trace.values if value.name == "x")

    def said():
        numbers = numbers_of(x)
        yield Claim("{count} of them", (numbers < 0).all(), count=np.sum(numbers < 0, dtype=np.int64))
        yield Claim("some are positive", (numbers > 0).any())

    assert tell(said()) == ["some are positive"]
    with setting(FOLLOWER, Follower(lambda id_: 0 if id_ == x.id else None)):
        first, second = map(parts_of, tell(said()))
    assert [first[0][0], first[1][0], first[2]] == ["when", "count", " of them"]
    assert [second[0][0], second[1]] == ["when", "some are positive"]
    with setting(FOLLOWER, Follower(lambda id_: None)):
        assert tell(said()) == ["some are positive"]


def test_a_sentence_that_asks_for_numbers_is_told_of_the_recorded_ones(trace):
    x = next(value for value in trace.values if value.name == "x")
    with setting(FOLLOWER, Follower(lambda id_: 0)):
        (line,) = tell(Claim("{n}", n=int(numbers_of(x).sum())) for _ in range(1))
    assert parts_of(line)[0][0] == "recorded"


def test_a_formula_that_no_page_can_compute_is_told_of_the_recorded_numbers(trace):
    x = next(value for value in trace.values if value.name == "x")
    follower = Follower(lambda id_: 0)
    with setting(FOLLOWER, follower):
        leaf = numbers_of(x).tree
        (line,) = rule_of(["y = spacing(x)"], apply(np.spacing, leaf), x)
        (other,) = rule_of(["y = exp(x)"], apply(np.exp, leaf), x)
    assert parts_of(line) == [["recorded", [0], "", ""], "y = spacing(x)"]
    assert parts_of(other)[0][0] == "holds"


def test_nothing_is_a_field_where_nobody_follows(trace):
    event = next(event for event in trace.events if event.kind == "grad" and event.op == "relu_grad")
    plain = why(trace, event)
    with setting(FOLLOWER, Follower(lambda id_: None)):
        assert why(trace, event) == plain
    with setting(FOLLOWER, Follower(lambda id_: id_)):
        assert why(trace, event) != plain
