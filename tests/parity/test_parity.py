"""Replay every recorded case on minipaddle (no Paddle needed)."""

import json
from pathlib import Path

import pytest

import minipaddle
from tests.parity.alias import paddle_is

with paddle_is(minipaddle):  # the cases say `import paddle`
    from tests.parity.collect import all_cases, run
    from tests.parity.compare import differences

    CASES = all_cases()

STORED = json.loads((Path(__file__).parent / "results" / "eager.json").read_text())


def test_every_case_is_recorded_and_every_record_has_its_case():
    assert set(CASES) == set(STORED["results"])


def test_the_record_is_of_the_reference_release():
    assert STORED["paddle"] == "3.3.1"


@pytest.mark.parametrize("name", sorted(CASES))
def test_same_as_paddle(name):
    got = run(CASES[name])
    found = list(differences(STORED["results"][name], got, CASES[name].tolerance))
    assert not found, "\n".join(found)
