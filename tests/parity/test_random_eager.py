"""Random eager programs give here what real Paddle gave: values, dtypes, shapes, flags, versions, gradients, errors."""

import json

import pytest

import minipaddle as paddle
from tests.support.parity import RESULTS
from tests.support.parity.random_eager import differences, run

RECORDED = dict(map(json.loads, (RESULTS / "random_eager.jsonl").read_text().splitlines()))


@pytest.mark.parametrize("number", RECORDED)
def test_a_random_program_runs_as_on_paddle(number):
    got = json.loads(json.dumps(run(paddle, number)))
    assert list(differences(RECORDED[number], got)) == []
