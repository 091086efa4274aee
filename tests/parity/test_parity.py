"""Replay every recorded case on minipaddle (no Paddle needed)."""

import json

import pytest

import minipaddle
from tests.support.parity import RESULTS
from tests.support.parity.alias import paddle_is

with paddle_is(minipaddle):  # the cases say `import paddle`
    from tests.support.parity.codec import encode
    from tests.support.parity.collect import all_cases, expected, families, run
    from tests.support.parity.compare import differences
    from tests.support.parity.kit import RELEASES, Same

    MODES = list(RELEASES)
    CASES = {mode: all_cases(families(mode)) for mode in MODES}

RECORDS = {mode: json.loads((RESULTS / f"{mode}.json").read_text()) for mode in MODES}


@pytest.mark.parametrize("mode", MODES)
def test_every_case_is_recorded_and_every_record_has_its_case(mode):
    assert set(CASES[mode]) == set(RECORDS[mode]["results"])


@pytest.mark.parametrize("mode", MODES)
def test_the_record_is_of_the_reference_release(mode):
    assert RECORDS[mode]["paddle"] == RELEASES[mode]


@pytest.mark.parametrize("mode", MODES)
def test_where_we_differ_on_purpose_paddle_says_something_else(mode):
    results = RECORDS[mode]["results"]
    ours = {name: encode(case.ours) for name, case in CASES[mode].items() if case.ours is not Same}
    assert [name for name, value in ours.items() if not list(differences(results[name], value))] == []


@pytest.mark.parametrize(("mode", "name"), [(mode, name) for mode in MODES for name in sorted(CASES[mode])])
def test_same_as_paddle(mode, name):
    case = CASES[mode][name]
    wanted = expected(case, RECORDS[mode]["results"][name])
    found = list(differences(wanted, run(case), case.tolerance))
    assert not found, "\n".join(found)
