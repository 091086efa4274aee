"""Random Programs against the record of Paddle 2.6.2: errors, shapes, dtypes, names, values, gradients."""

import json

import pytest

from tests.support.parity.drawn.judging import KINDS, differences, of_programs, plain

PROGRAMS = KINDS["programs"]
RECORD = json.loads(PROGRAMS.record.read_text())


@pytest.mark.parametrize("seed", RECORD)
def test_a_random_program_answers_as_on_paddle(seed):
    lines, wanted = RECORD[seed]
    got = plain(PROGRAMS.ours(lines))
    found = list(differences(of_programs(wanted, got), of_programs(got, wanted)))
    assert not found, "\n".join([*lines, *found])
