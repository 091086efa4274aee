"""The comparison of random programs: its rules have rows; it sees differences, and accepts only explained ones."""

from pathlib import Path

import pytest

from tests.support.parity.drawn import known
from tests.support.parity.drawn.judging import KINDS, disagree, judge, plain

EAGER = KINDS["eager"]
ROWS = (Path(__file__).parents[2] / "docs" / "parity.md").read_text().splitlines()


@pytest.mark.parametrize("rule", [*known.EAGER, *known.PROGRAMS], ids=lambda rule: f"{rule.row}-{rule.line}")
def test_a_rule_has_a_row(rule):
    assert [row for row in ROWS if rule.row in row.replace("\\|", "|")]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_number_is_a_program(kind):
    assert [kind.draw(seed) for seed in range(50)] == [kind.draw(seed) for seed in range(50)]
    assert kind.draw(1) != kind.draw(2)


def paddle_that(**changes):
    """A Paddle that answers as minipaddle but for these lines."""

    def ask(lines):
        said = plain(EAGER.ours(lines))
        return said | {
            "lines": said["lines"]
            | {place: one for place, one in changes.items() if lines[int(place)] != "pass"}
        }

    return ask


PROGRAM = ["t0 = data(1, [], 'float32', True)", "t1 = t0 // 2", "t2 = t0 * 3", "end = finish(1)"]


def test_programs_that_agree():
    assert judge(EAGER, paddle_that(), PROGRAM).differences == []
    assert disagree(EAGER, paddle_that(), PROGRAM) == []


def test_an_unexplained_line_is_a_difference():
    verdict = judge(EAGER, paddle_that(**{"2": ["error", "ValueError", [], []]}), PROGRAM)
    assert verdict.differences[0].startswith(".lines.2")
    assert verdict.rows == []


def test_an_explained_line_goes_and_the_rest_is_compared():
    one = {"dtype": "float32", "shape": [1], "data": [0.0], "flags": [True, True, 0]}
    verdict = judge(EAGER, paddle_that(**{"1": [one]}), PROGRAM)
    assert (verdict.rows, verdict.differences) == (["0-D `//` a number"], [])
    assert verdict.lines == [PROGRAM[0], "pass", *PROGRAM[2:]]


def test_an_explained_line_hides_no_other():
    one = {"dtype": "float32", "shape": [1], "data": [0.0], "flags": [True, True, 0]}
    verdict = judge(EAGER, paddle_that(**{"1": [one], "2": ["error", "ValueError", [], []]}), PROGRAM)
    assert verdict.differences


def test_a_paddle_that_dies_is_a_difference():
    assert judge(EAGER, lambda lines: None, PROGRAM).differences == ["Paddle's process ends"]
