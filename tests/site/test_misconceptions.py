"""The catalogue of misconceptions: every script runs, the page says what they print, the pictures are today's."""

import re
import shlex

import pytest

from docs.site import misconceptions
from docs.site.misconceptions import ROOM, catalogue, entry, read

ALL = catalogue()
PAGE = (ROOM / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.path.stem)
def test_the_page_says_what_the_script_prints(run_cli, one):
    done = run_cli("run", one.path.name, cwd=ROOM)
    assert done.returncode == 0, done.stderr
    assert entry(one, done.stdout) in PAGE
    assert one.code.count("assert ") >= 1


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.path.stem)
def test_the_picture_is_the_one_that_is_drawn_today(run_cli, tmp_path, one):
    *arguments, name = shlex.split(one.command)[1:]
    done = run_cli(*arguments, tmp_path / "drawn.dot", cwd=ROOM)
    assert done.returncode == 0, done.stderr
    ids = set(re.findall(r'\bid="?(\w+)', (tmp_path / "drawn.dot").read_text(encoding="utf-8")))
    stored = (ROOM / name).read_text(encoding="utf-8")
    assert ids
    assert ids - set(re.findall(r'id="(\w+)"', stored)) == set()
    assert set(re.findall(r'<g id="([fgvbu]\d+)" class="node"', stored)) <= ids


def test_there_are_a_dozen_and_more_in_their_order():
    titles = re.findall(r"^## (\d+)\. ", PAGE, re.MULTILINE)
    assert len(ALL) >= 12
    assert titles == [str(number) for number in range(1, len(ALL) + 1)]
    assert {path.name for path in ROOM.glob("*.svg")} == {one.picture for one in ALL}


def test_a_script_that_asks_nothing_is_refused(tmp_path):
    (tmp_path / "15_mute.py").write_text('"""Belief: a.\nTruth: b.\n"""\n\nx = 1\n')
    with pytest.raises(ValueError, match="Belief, Guess and Truth"):
        read(tmp_path / "15_mute.py")


def test_the_page_is_made_of_its_parts(monkeypatch):
    monkeypatch.setattr(misconceptions, "printed", lambda one: "PRINTED\n")
    assert misconceptions.page().count("PRINTED") == len(ALL)


def test_check_finds_what_nobody_notices(run_cli):
    """The answer of number 13 promises it, of an input that is a single number."""
    done = run_cli("check", "13_checked.py", cwd=ROOM)
    assert done.returncode == 3, done.stdout
    assert "missing factor 2" in done.stdout
