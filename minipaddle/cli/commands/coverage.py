"""`minipaddle coverage`: which Paddle names a script uses, and which of them are here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minipaddle.cli import options as common
from minipaddle.cli.console import ExitCode, fail, print_json, print_rows, results

if TYPE_CHECKING:
    from minipaddle.compat.coverage import Use


def coverage(
    script: Annotated[
        Path | None,
        typer.Argument(metavar="SCRIPT", help="The script (or module:function) to read; it is not run."),
    ] = None,
    module: common.Module = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """List the Paddle names that a script uses and whether minipaddle has them, without running it.

    Methods of tensors are left out: what x is in x.mean() only a run tells.

    Exit code 4: some are missing.
    """
    read = _file_of(script, module)
    uses = _read(read)
    if as_json:
        print_json(_as_data(read, uses))
    else:
        _print_table(read, uses)
    raise typer.Exit(ExitCode.OK if all(use.lookup.present for use in uses) else ExitCode.UNSUPPORTED)


def _file_of(script: Path | None, module: str | None) -> Path:
    """Return the file to read: that of the script, or of the module."""
    from minipaddle.compat.entry import names_a_function, source_of_module
    from minipaddle.compat.source import UnusableScript

    if script is None and module is None:
        fail("name the script to read: SCRIPT, MODULE:FUNCTION, or -m MODULE")
    if module is None and script is not None:
        if not names_a_function(str(script)):
            return script
        module = str(script).partition(":")[0]
    try:
        return source_of_module(module or "")
    except UnusableScript as error:
        fail(str(error))


def _read(script: Path) -> list[Use]:
    from minipaddle.compat.coverage import uses_of_paddle
    from minipaddle.compat.source import UnusableScript

    try:
        return uses_of_paddle(script)
    except UnusableScript as error:
        fail(str(error))
    except SyntaxError as error:
        sys.__excepthook__(SyntaxError, error.with_traceback(None), None)
        raise typer.Exit(ExitCode.SCRIPT_RAISED) from None


def _as_data(script: Path, uses: list[Use]) -> dict[str, object]:
    names = [
        {
            "name": use.lookup.name,
            "lines": list(use.lines),
            "present": use.lookup.present,
            "nearest": list(use.lookup.nearest),
        }
        for use in uses
    ]
    return {"script": str(script), "names": names, "missing": _missing(uses)}


def _print_table(script: Path, uses: list[Use]) -> None:
    missing_last = sorted(uses, key=lambda use: not use.lookup.present)  # beside the sum
    print_rows(map(_row, missing_last))
    results().print(f"{script}: {len(uses)} names of Paddle, {_missing(uses)} of them missing")


def _row(use: Use) -> tuple[str, ...]:
    """Return what stands in the table of a name: whether it is here, where it is used, what to use instead."""
    lines = f"line{'s' * (len(use.lines) > 1)} {', '.join(map(str, use.lines))}"
    nearest = f"nearest: {', '.join(use.lookup.nearest)}" if use.lookup.nearest else ""
    return "here" if use.lookup.present else "MISSING", use.lookup.name, lines, nearest


def _missing(uses: list[Use]) -> int:
    return sum(not use.lookup.present for use in uses)
