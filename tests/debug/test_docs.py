"""docs/debugger.md is true: its transcripts are run, its tables are complete."""

import json
import re

import pytest

from minipaddle.tools.debug.cards import event_object
from minipaddle.tools.words.json import value_object
from tests.support.process import ROOT
from tests.support.transcripts import BLOCK, agrees, exchanges, lay_out, type_in

TEXT = (ROOT / "docs" / "debugger.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", range(len(BLOCK.findall(TEXT))))
def test_transcript(number, tmp_path):
    lay_out(tmp_path)
    for command, said in exchanges(BLOCK.findall(TEXT)[number]):
        printed = type_in(command, tmp_path)
        assert agrees(said, printed), "\n".join([f"$ {command}", *printed])


def keys_of(table):
    rows = re.findall(r"^\| (.*?) \|", TEXT.split(table)[1].split("\n\n")[1], re.MULTILINE)
    return {key for row in rows for key in re.findall(r"`(\w+)`", row)}


def test_the_keys_of_a_stop_and_of_a_value(session):
    assert keys_of("A stop:") == set(event_object(session))
    assert keys_of("A value:") == set(value_object(session.find("w")))


def test_the_kinds_of_stops_are_listed(session):
    (row,) = re.findall(r"^\| `kind` \| (.*) \|$", TEXT, re.MULTILINE)
    listed = set(re.findall(r"`(\w+)`", row))
    met = set()
    for position in range(len(session.stops)):
        session.position = position
        met.add(event_object(session)["kind"])
    assert met <= listed
    json.dumps(event_object(session), allow_nan=False)
