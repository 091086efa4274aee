"""`minipaddle coverage`: which Paddle names a script uses, and which of them are here."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option

from minipaddle.tools.cli.console import ExitCode, print_json, print_rows, results
from minipaddle.tools.words.language import say

if TYPE_CHECKING:
    from minipaddle.paddle.lookup import Lookup


def coverage(
    script: Annotated[Path, Argument(metavar="SCRIPT", help="The script to read; it is not run.")],
    as_json: Annotated[bool, Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """List the Paddle names that code uses and whether minipaddle has them, without running it.

    What is refused on purpose counts as missing; it is said why. Exit code 4: some are missing.
    """
    from minipaddle.tools.run.coverage import uses_of

    try:
        uses = uses_of(script)
    except SyntaxError as error:
        sys.__excepthook__(SyntaxError, error.with_traceback(None), None)
        raise Exit(ExitCode.SCRIPT_RAISED) from None
    missing = [use for use in uses if not use.present]
    if as_json:
        print_json({"script": str(script), "names": list(map(asdict, uses)), "missing": len(missing)})
    else:
        _print_table(script, uses, missing)
    raise Exit(ExitCode.UNSUPPORTED if missing else ExitCode.OK)


def _print_table(script: Path, uses: list[Lookup], missing: list[Lookup]) -> None:
    print_rows(map(_row, sorted(uses, key=lambda use: not use.present)))  # what is missing beside the total
    names = say("{count} names of Paddle", count=len(uses))
    absent = say("{count} of them missing", count=len(missing))
    refused = sum(use.refused is not None for use in missing)
    said = say(", {count} refused on purpose", count=refused) if refused else ""
    results().print(f"{script}: {names}{say(', ')}{absent}{said}")


def _row(use: Lookup) -> tuple[str, str, str, str]:
    """Return the cells of a name: whether it is here, the name, its lines, a remark."""
    lines = dict.fromkeys(use.lines)
    there = say("refused" if use.refused else "here" if use.present else "MISSING")
    where = say("lines {numbers}" if len(lines) > 1 else "line {numbers}", numbers=", ".join(map(str, lines)))
    nearest = say("nearest: {names}", names=", ".join(use.nearest)) if use.nearest else ""
    return there, use.name, where, use.refused or nearest
