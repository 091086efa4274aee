"""Where the commands write: results to standard output, notes to standard error."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, NoReturn

import typer

from minipaddle.cli.exits import ExitCode

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["fail", "note", "print_json", "results", "tolerate_every_character"]

_WIDTH_OF_A_PIPE = 120


def tolerate_every_character() -> None:
    """Write a `?` for a character that the output's encoding lacks (Chinese Windows pipes GBK); no crash."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def results() -> Console:
    """Return a console on standard output; where nobody watches it is wide, and lines are never folded."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = max(console.width, _WIDTH_OF_A_PIPE)
        console.soft_wrap = True
    return console


def note(text: str) -> None:
    """Say something about the run, on standard error."""
    typer.echo(f"minipaddle: {text}", err=True)


def print_json(value: object) -> None:
    """Write `value` as JSON to standard output, in ASCII: it survives every encoding."""
    typer.echo(json.dumps(value, indent=2))


def fail(text: str, code: ExitCode = ExitCode.USAGE) -> NoReturn:
    """Say what is wrong, and end the command."""
    note(text)
    raise typer.Exit(code)
