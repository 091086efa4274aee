"""`minipaddle coverage`: which Paddle names a script uses, and which of them are here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import ExitCode, fail, print_json, print_rows, results
from minipaddle.tools.words.language import say

if TYPE_CHECKING:
    from minipaddle.tools.run.coverage import Use


def coverage(
    script: Annotated[
        Path | None, Argument(metavar="SCRIPT", help="The script to read; it is not run.")
    ] = None,
    module: common.Module = None,
    as_json: Annotated[bool, Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """List the Paddle names that code uses and whether minipaddle has them, without running it.

    What is refused on purpose counts as missing; it is said why. Exit code 4: some are missing.
    """
    read = _file_of(script, module)
    uses = _read(read)
    missing = [use for use in uses if not use.lookup.present]
    if as_json:
        names = [_use_as_data(use) for use in uses]
        print_json({"script": str(read), "names": names, "missing": len(missing)})
    else:
        _print_table(read, uses, missing)
    raise Exit(ExitCode.UNSUPPORTED if missing else ExitCode.OK)


def _file_of(script: Path | None, module: str | None) -> Path:
    """Return the file to read: the script, or the file of the module."""
    from minipaddle.tools.run.source import source_of_module

    if module is not None:
        return source_of_module(module)
    return script or fail("name the script to read: SCRIPT, or -m MODULE")


def _read(script: Path) -> list[Use]:
    from minipaddle.tools.run.coverage import uses_of

    try:
        return uses_of(script)
    except SyntaxError as error:
        sys.__excepthook__(SyntaxError, error.with_traceback(None), None)
        raise Exit(ExitCode.SCRIPT_RAISED) from None


def _use_as_data(use: Use) -> dict[str, object]:
    return {
        "name": use.lookup.name,
        "lines": list(use.lines),
        "present": use.lookup.present,
        "nearest": list(use.lookup.nearest),
        "refused": use.lookup.refused,
    }


def _print_table(script: Path, uses: list[Use], missing: list[Use]) -> None:
    missing_last = sorted(uses, key=lambda use: not use.lookup.present)  # beside the total
    print_rows((_status(use), use.lookup.name, _lines(use), _remark(use)) for use in missing_last)
    names = say("{count} names of Paddle", count=len(uses))
    absent = say("{count} of them missing", count=len(missing))
    refused = sum(use.lookup.refused is not None for use in missing)
    said = say(", {count} refused on purpose", count=refused) if refused else ""
    results().print(f"{script}: {names}{say(', ')}{absent}{said}")


def _status(use: Use) -> str:
    if use.lookup.refused:
        return say("refused")
    return say("here") if use.lookup.present else say("MISSING")


def _lines(use: Use) -> str:
    distinct = list(dict.fromkeys(use.lines))
    numbers = ", ".join(map(str, distinct))
    if len(distinct) > 1:
        return say("lines {numbers}", numbers=numbers)
    return say("line {number}", number=numbers)


def _remark(use: Use) -> str:
    if use.lookup.refused:
        return use.lookup.refused
    return say("nearest: {names}", names=", ".join(use.lookup.nearest)) if use.lookup.nearest else ""
