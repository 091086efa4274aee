"""The transcripts of the README are true: every ```console block is typed into a shell.

A line of three dots in a block stands for any number of lines.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import ROOT, clean_environment

PAGES = ("README.md", "README_cn.md")
FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAP = "..."


class Exchange(NamedTuple):
    """One command of a transcript and the lines it is said to print."""

    command: str
    lines: list[str]


def exchanges(block: str) -> Iterator[Exchange]:
    """Split a block at its `$ ` lines.

    >>> [*exchanges("$ echo a\\na\\n$ true\\n")]
    [Exchange(command='echo a', lines=['a']), Exchange(command='true', lines=[])]
    """
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *lines = part.splitlines()
        yield Exchange(command, lines)


def pattern(lines: list[str]) -> str:
    """Return the regular expression for what `lines` say, gaps included."""
    return "".join("(?:.*\n)*" if line == GAP else re.escape(line.rstrip()) + "\n" for line in lines)


def agrees(said: list[str], printed: str) -> bool:
    """Tell whether `printed` is what the page says; blanks at the ends of lines do not count.

    >>> agrees(["a", "...", "d"], "a\\nb\\nc\\nd\\n"), agrees(["a", "..."], "b\\n"), agrees([], "x\\n")
    (True, False, False)
    """
    tidy = "".join(line.rstrip() + "\n" for line in printed.splitlines())
    return re.fullmatch(pattern(said), tidy) is not None


@pytest.fixture
def desk(tmp_path):
    """A directory as the reader has it: the scripts of the README, and `minipaddle` on the PATH."""
    for script in (ROOT / "docs" / "images").glob("*.py"):
        shutil.copy(script, tmp_path)
    door = tmp_path / ".bin" / "minipaddle"
    door.parent.mkdir()
    door.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT / "cli.py"}" "$@"\n')
    door.chmod(0o755)
    return tmp_path


def type_in(command: str, desk: Path) -> str:
    """Run `command` in a shell and return what a terminal would show."""
    env = clean_environment()
    env["PATH"] = f"{desk / '.bin'}:{env['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command], cwd=desk, env=env, stdin=subprocess.DEVNULL, stdout=-1, stderr=-2, timeout=120
    )
    return done.stdout.decode("utf-8")


def blocks() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for number, block in enumerate(FENCE.findall((ROOT / page).read_text(encoding="utf-8")), 1):
            yield f"{page}-{number}", block


BLOCKS = dict(blocks())


@pytest.mark.parametrize("name", BLOCKS)
def test_transcript(name, desk):
    for command, said in exchanges(BLOCKS[name]):
        printed = type_in(command, desk)
        assert agrees(said, printed), f"$ {command}\n{printed}"


def test_both_pages_have_a_transcript():
    assert [page for page, _ in groupby(name.rpartition("-")[0] for name in BLOCKS)] == list(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:]+)\)|src=\"([^\":]+)\"", text)
    missing = [target for pair in targets if not (ROOT / (target := "".join(pair))).exists()]
    assert missing == []


def test_verbs_named_in_the_pages_exist(desk):
    verbs = set(re.findall(r"^([a-z]+):.*?##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {verb for page in PAGES for verb in re.findall(r"make ([a-z]+)", (ROOT / page).read_text())}
    assert named <= verbs
    assert set(re.findall(r"make ([a-z]+)", type_in(f"make -C '{ROOT}' help", desk))) == verbs
