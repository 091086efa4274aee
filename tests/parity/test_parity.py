"""Replay every recorded case on minipaddle (no Paddle needed)."""

import json

import pytest

from minipaddle.importer import paddle_is_minipaddle
from tests.support.cases import check_each
from tests.support.parity import RESULTS, answers

with paddle_is_minipaddle():  # the cases say `import paddle`
    from tests.support.parity.codec import encode
    from tests.support.parity.collect import all_cases, expected, families, run
    from tests.support.parity.compare import differences
    from tests.support.parity.kit import RELEASES, Same

    MODES = list(RELEASES)
    CASES = {mode: all_cases(families(mode)) for mode in MODES}

RECORDS = {name: json.loads(answers(name).read_text()) for mode in MODES for name in families(mode)}
ANSWERS = {name: answer for record in RECORDS.values() for name, answer in record["results"].items()}


def test_every_case_is_recorded_and_every_record_has_its_case():
    assert {name for cases in CASES.values() for name in cases} == set(ANSWERS)


def test_every_record_has_its_family():
    assert {path.stem for path in (RESULTS / "cases").iterdir()} == set(RECORDS)


@pytest.mark.parametrize("mode", MODES)
def test_the_records_are_of_the_reference_release(mode):
    assert {RECORDS[family]["paddle"] for family in families(mode)} == {RELEASES[mode]}


@pytest.mark.parametrize("mode", MODES)
def test_where_we_differ_on_purpose_paddle_says_something_else(mode):
    ours = {name: encode(case.ours) for name, case in CASES[mode].items() if case.ours is not Same}
    assert [name for name, value in ours.items() if not list(differences(ANSWERS[name], value))] == []


@pytest.mark.parametrize(("mode", "family"), [(mode, family) for mode in MODES for family in families(mode)])
def test_same_as_paddle(mode, family):
    check_each({name: (name, CASES[mode][name]) for name in RECORDS[family]["results"]}, same_as_paddle)


def same_as_paddle(named):
    name, case = named
    wanted = expected(case, ANSWERS[name])
    found = list(differences(wanted, run(case), case.tolerance))
    assert not found, "\n".join(found)
