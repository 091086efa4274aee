"""Random Programs against the record of Paddle 2.6.2: errors, shapes, dtypes, names, values, gradients."""

import json
from typing import Any

import pytest

import minipaddle
from tests.support.parity import RESULTS
from tests.support.parity.alias import paddle_is

with paddle_is(minipaddle):
    from tests.support.parity.codec import encode
    from tests.support.parity.compare import differences
    from tests.support.parity.random_programs import answer

RECORD = json.loads((RESULTS / "random_2.6.2.json").read_text())["programs"]


def comparable(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """What must agree: names where the same operators stand, flags of what can have a gradient."""
    same = found["types"] == wanted["types"]
    variables = {
        name: [told[0] if same else "", *told[1:3], told[3] if told[2].startswith("float") else None]
        for name, told in found["variables"].items()
    }
    gradients = {place: one if same or one is None else "there" for place, one in found["gradients"].items()}
    return {"errors": found["errors"], "variables": variables, "gradients": gradients}


@pytest.mark.parametrize("seed", RECORD)
def test_a_random_program_answers_as_on_paddle(seed):
    wanted = RECORD[seed]["answer"]
    lines = RECORD[seed]["lines"]
    found = encode(answer(lines))
    ours, theirs = comparable(found, wanted), comparable(wanted, found)
    listed = list(differences(theirs, ours))
    if not wanted["errors"]:  # what Paddle refused may have left an operator behind
        listed += differences(wanted["values"], found["values"], 1e-4)
    assert not listed, "\n".join([*lines, *listed])
