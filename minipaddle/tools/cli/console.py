"""Output of the commands: results to standard output, notes to standard error, failures as exit codes."""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

import typer
from typer import Exit

from minipaddle.tools.words.control_characters import visible
from minipaddle.tools.words.language import say

if TYPE_CHECKING:
    from rich.console import Console

    from minipaddle.tools.run.runner import ScriptEnd


class ExitCode(IntEnum):
    """The exit codes of commands."""

    OK = 0
    SCRIPT_RAISED = 1
    USAGE = 2
    """The command line is wrong: no such option, no such script, a place that cannot be written."""
    FINDING = 3
    """It ran, and found its target: a NaN, a failed check, two graphs that differ."""
    UNSUPPORTED = 4
    """The script needs something of Paddle that minipaddle lacks."""
    NO_RENDERER = 5
    """The picture asked for needs a program or package that is not installed."""
    INTERRUPTED = 130


def exit_code_of(end: ScriptEnd) -> int:
    """Return the exit code for the end of a script: as Python's, or UNSUPPORTED."""
    return ExitCode.UNSUPPORTED if end.lacks_paddle_name else end.exit_code


_WIDTH_OF_A_PIPE = 120  # a fixed width, so that piped output is the same everywhere


def tolerate_every_character() -> None:
    """Write a `?` for a character that the output's encoding lacks (Chinese Windows pipes GBK); no crash.

    Standard output that was closed before (``>&-``) refuses what is written, standard error discards it.
    """
    sys.stdout = sys.stdout or _discarding_stream(os.O_RDONLY)  # each write fails
    sys.stderr = sys.stderr or _discarding_stream()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


@contextmanager
def answering() -> Iterator[None]:
    """End the command if standard output cannot be written: a full disk is reported in a line, a closed pipe is not."""
    try:
        try:
            yield
        finally:
            if not sys.stdout.closed:
                sys.stdout.flush()
    except OSError as error:
        if not _is_stuck(sys.stdout):
            raise
        sys.stdout = _discarding_stream()
        if isinstance(error, BrokenPipeError):
            raise SystemExit(ExitCode.SCRIPT_RAISED) from None
        note("standard output: {reason}", reason=error.strerror)
        raise SystemExit(ExitCode.USAGE) from None


def _discarding_stream(flags: int = os.O_WRONLY) -> TextIO:
    return open(os.open(os.devnull, flags), "w", encoding="utf-8")


def _is_stuck(stream: TextIO) -> bool:
    """Whether `stream` cannot take even a line break; its buffer is then dropped, or Python would retry at exit."""
    try:
        stream.write("\n")
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return True
    return False


def results() -> Console:
    """Return a console on standard output; if that is no terminal, it is wide and folds no line."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, force_jupyter=False)
    if not console.is_terminal:
        console.width = max(console.width, _WIDTH_OF_A_PIPE)
        console.soft_wrap = True
    return console


def print_rows(rows: Iterable[Sequence[str]], width: int = _WIDTH_OF_A_PIPE) -> None:
    """Write rows of words as aligned columns; `width` cells, if there is no terminal."""
    from rich.table import Table

    cells, console = list(rows), results()
    table = Table(box=None, show_header=False, pad_edge=False)
    for _ in cells[0] if cells else ():
        table.add_column(overflow="fold")  # a name is never cut
    for row in cells:
        table.add_row(*row)
    if not console.is_terminal:
        console.width = max(console.width, width)
    console.print(table)


def width_of(console: Console) -> int | None:
    """Return the width of the window in cells; None if there is no terminal: lines may have any length."""
    return console.width if console.is_terminal else None


def note(sentence: str, **parts: object) -> None:
    """Write a remark on the run to standard error, in the reader's language."""
    typer.echo(f"minipaddle: {visible(say(sentence, **parts))}", err=True)


def print_json(value: object) -> None:
    """Write `value` as JSON to standard output, in ASCII: it survives every encoding."""
    typer.echo(json.dumps(value, indent=2))


def show(lines: Sequence[str], data: object = None) -> None:
    """Write an answer: JSON data if given, else lines."""
    if data is not None:
        print_json(data)
    elif lines:
        print_line(results(), "\n".join(lines))


def fail(sentence: str, code: int = ExitCode.USAGE, **parts: object) -> NoReturn:
    """Write what is wrong to standard error, and end the command."""
    note(sentence, **parts)
    raise Exit(code)


@contextmanager
def failing_at(path: Path) -> Iterator[None]:
    """Exit with USAGE, and the reason, if the ``with`` block cannot read or write a file."""
    try:
        yield
    except OSError as error:
        fail("{path}: {reason}", path=path, reason=error.strerror or error)


def target_for(path: Path, what: str = "", suffix: str = "", script: str = "") -> Path:
    """Return the absolute path to write, as the script may change the directory.

    Exits with USAGE, before a long run of `script`, if it cannot be written, if a script stands there, or if its
    suffix is wrong for `what`, which has the suffix `suffix`.
    """
    real = os.path.realpath(path)
    if suffix and path.suffix.lower() != suffix:
        fail("{path}: the name of a {what} ends with {suffix}", path=path, what=say(what), suffix=suffix)
    if path.is_dir():
        fail("{path}: is a directory", path=path)
    if path.is_symlink() and not os.path.exists(real):
        fail("{path}: is a link to {target}, which does not exist", path=path, target=real)
    if real.endswith(".py") or real == os.path.realpath(script):
        fail("{path}: a script stands there", path=path)
    if not path.parent.is_dir():
        fail("{path}: there is no directory {parent}", path=path, parent=path.parent)
    with failing_at(path), tempfile.TemporaryFile(dir=path.parent):
        return path.absolute()


_NARROWEST = 40  # narrower windows get unfolded lines: folded ones would be a word each
_LABEL = 9  # "numbers  "


def print_line(console: Console, line: str) -> None:
    """Write a line, or several, folded if the output is a terminal."""
    rows = [visible(row) for row in line.split("\n")]  # an array keeps its rows
    if console.is_terminal:
        rows = [part for row in rows for part in fold(row, console.width)]
        console.print("\n".join(rows), soft_wrap=True)
    else:  # as they are: rich looks at each character
        typer.echo("\n".join(rows), file=console.file)


def fold(line: str, width: int) -> list[str]:
    """Break a line of more than `width` cells (a Chinese character takes two); a narrow window gets it as it is.

    >>> fold("rule     " + "a long formula " * 3, 45)
    ['rule     a long formula a long formula a long', '         formula']
    """
    from minipaddle.tools.words.prose import folded

    if width < _NARROWEST:
        return [line]
    indent = _indent(line)
    first, *rest = folded(line, width, len(indent))
    return [first, *(indent + part for part in rest)]


def _indent(line: str) -> str:
    """Return the indent of a folded line's continuation: a card's border, or as many blanks as a label takes."""
    sign = line[:1]
    if sign in "┌│└|+`":
        return ("│" if sign in "┌│└" else "|") + " " * 5
    labelled = line.startswith(("rule ", "numbers ", " " * _LABEL))
    return " " * (_LABEL if labelled else 2)
