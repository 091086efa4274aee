"""Transcripts in Markdown pages: ```console blocks, typed into a shell, compared, and written anew.

A line of three dots in a block stands for any number of lines; at which line a file of minipaddle's own has something
may differ, for that is so after every change above it. `python -m tests.support.transcripts PAGE...`, which
`make docs` runs, replaces what a page says wherever the truth is another.
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from docs.site.scripts import scripts
from tests.support.commands import run_command, shown_by_command
from tests.support.process import ROOT, clean_environment

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAP = "..."
COMMAND = re.compile(r"""minipaddle ((?:[^|;&<>$`*?~#\\"']|"[^"$`\\]*"|'[^']*')*)(?:([|;])(.*))?""")
"""A command that needs no shell, and what is done in one with its output, or after it."""
OWN_LINE = re.compile(r"(?<=minipaddle/)(\S+\.py):\d+")


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


def agrees(said: list[str], printed: list[str]) -> bool:
    """Tell whether the printed lines are what the page says.

    >>> agrees(["a", "...", "d"], ["a", "b", "c", "d"]), agrees(["a", "..."], ["b"]), agrees([], ["x"])
    (True, False, False)
    >>> agrees(["minipaddle/ops/a.py:1"], ["minipaddle/ops/a.py:2"]), agrees(["a.py:1"], ["a.py:2"])
    (True, False)
    """
    lines = [OWN_LINE.sub(r"\1", line) for line in said]
    pattern = "".join("(?:.*\n)*" if line == GAP else re.escape(line) + "\n" for line in lines)
    return re.fullmatch(pattern, "".join(OWN_LINE.sub(r"\1", line) + "\n" for line in printed)) is not None


def lay_out(desk: Path) -> Path:
    """Put the scripts of the pages, and the command `minipaddle`, where a reader would have them."""
    for name, code in scripts().items():
        (desk / name).write_text(code, encoding="utf-8")
    for room in ("images", "extending"):
        for script in (ROOT / "docs" / room).glob("*.py"):
            shutil.copy(script, desk)
    door = desk / ".bin" / "minipaddle"
    door.parent.mkdir()
    door.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT / "cli.py"}" "$@"\n')
    door.chmod(0o755)
    return desk


def type_in(command: str, desk: Path) -> list[str]:
    """Run a command in a shell and return the lines a terminal would show, without blanks at their ends.

    Our own command is run in this process: it is the same, and many times quicker.
    """
    own = COMMAND.fullmatch(command)
    if own is None:
        shown = _in_a_shell(command, desk)
    elif own[2] == "|":
        done = run_command(*shlex.split(own[1]), cwd=desk)
        shown = done.stderr + _in_a_shell(own[3], desk, done.stdout)
    else:
        code, shown = shown_by_command(shlex.split(own[1]), desk)
        shown += _in_a_shell(f"(exit {code}); {own[3]}", desk) if own[2] else ""
    return [line.rstrip() for line in shown.splitlines()]


def _in_a_shell(command: str, desk: Path, piped: str = "") -> str:
    """Run a command in a shell whose input is this, and return what a terminal would show."""
    env = clean_environment()
    env["PATH"] = f"{desk / '.bin'}:{env['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=desk,
        env=env,
        input=piped.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.stdout.decode("utf-8")


def retyped(block: str) -> str:
    """Return a block as it should be: what agrees is left alone, gaps included."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        desk = lay_out(Path(folder))
        for command, said in exchanges(block):
            printed = type_in(command, desk)
            lines += [f"$ {command}", *(said if agrees(said, printed) else printed)]
    return "\n".join(lines) + "\n"


def retype(page: Path) -> None:
    """Write all transcripts of a page anew."""
    text = page.read_text(encoding="utf-8")
    page.write_text(BLOCK.sub(lambda found: f"```console\n{retyped(found[1])}```", text), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        retype(Path(name))
