"""Random eager programs give the same as in Paddle 3.3.1: values, types, shapes, flags, versions, gradients, errors."""

import json

import pytest

from tests.support.parity.drawn.judging import KINDS, differences, plain

EAGER = KINDS["eager"]
RECORD = json.loads(EAGER.record.read_text())


@pytest.mark.parametrize("seed", RECORD)
def test_a_random_program_runs_as_on_paddle(seed):
    lines, wanted = RECORD[seed]
    found = list(differences(wanted, plain(EAGER.ours(lines))))
    assert not found, "\n".join([*lines, *found])


def test_no_integer_is_raised_to_a_negative_power():
    """Paddle 3.3.1 never ends then."""
    lines = [line for seed in range(500) for line in EAGER.draw(seed)]
    powers = [line for line in lines if "**" in line or "pow(" in line]
    assert powers
    assert not [line for line in powers if "** -" in line or ", -" in line]
