"""`minipaddle coverage`: which Paddle names a script uses, and which of them are here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import ExitCode, fail, note, print_json, print_rows, results
from minipaddle.tools.words.language import say

if TYPE_CHECKING:
    from minipaddle.tools.run.coverage.uses import Survey, Use


def coverage(
    script: Annotated[
        Path | None,
        typer.Argument(
            metavar="SCRIPT", help="The script, folder or module:function to read; it is not run."
        ),
    ] = None,
    module: common.Module = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """List the Paddle names that code uses and whether minipaddle has them, without running it.

    Of a folder: what is missing, most needed first.

    What is refused on purpose counts as missing; it is said why. Exit code 4: some are missing.
    """
    read = _file_of(script, module)
    survey = _read(read)
    if as_json:
        print_json(_as_data(read, survey))
    elif read.is_dir():
        _print_missing(read, survey)
    else:
        _print_table(read, survey)
    raise typer.Exit(ExitCode.UNSUPPORTED if survey.missing else ExitCode.OK)


def _file_of(script: Path | None, module: str | None) -> Path:
    """Return the file to read: that of the script, or of the module."""
    from minipaddle.tools.run.module_function import names_a_function, source_of_module

    if script is None and module is None:
        fail("name the script to read: SCRIPT, MODULE:FUNCTION, or -m MODULE")
    if module is None and script is not None:
        if not names_a_function(str(script)):
            return script
        module = str(script).partition(":")[0]
    return source_of_module(module or "")


def _read(script: Path) -> Survey:
    from minipaddle.tools.run.coverage.uses import survey_of

    try:
        return survey_of(script)
    except SyntaxError as error:
        sys.__excepthook__(SyntaxError, error.with_traceback(None), None)
        raise typer.Exit(ExitCode.SCRIPT_RAISED) from None


def _as_data(read: Path, survey: Survey) -> dict[str, object]:
    of_folder = read.is_dir()
    names = [_use_as_data(use, of_folder) for use in (survey.missing if of_folder else survey.uses)]
    data = {"script": str(read), "names": names, "missing": len(survey.missing)}
    if of_folder:
        unreadable = {str(path): reason for path, reason in survey.unreadable.items()}
        data |= {"files": len(survey.files), "whole": survey.whole, "unreadable": unreadable}
    return data


def _use_as_data(use: Use, of_folder: bool) -> dict[str, object]:
    lines = {str(path): list(lines) for path, lines in use.lines.items()}
    return {
        "name": use.lookup.name,
        "lines": lines if of_folder else next(iter(lines.values())),
        "present": use.lookup.present,
        "nearest": list(use.lookup.nearest),
        "refused": use.lookup.refused,
    }


def _print_table(script: Path, survey: Survey) -> None:
    missing_last = sorted(survey.uses, key=lambda use: not use.lookup.present)  # beside the sum
    print_rows((_standing(use), use.lookup.name, _lines(use), _remark(use)) for use in missing_last)
    names = say("{count} names of Paddle", count=len(survey.uses))
    results().print(f"{script}: {names}{say(', ')}{_sum_of_missing(survey)}")


def _print_missing(folder: Path, survey: Survey) -> None:
    from minipaddle.tools.words.numbers import counted

    print_rows((_standing(use), use.lookup.name, _counts(use), _remark(use)) for use in survey.missing)
    for path, reason in survey.unreadable.items():
        note("{path} is left out: {reason}", path=path, reason=reason)
    places = counted(sum(use.places for use in survey.uses), "place")
    files, whole = counted(len(survey.files), "file"), counted(survey.whole, "file")
    names = say(
        "{count} names of Paddle at {places} in {files}", count=len(survey.uses), places=places, files=files
    )
    results().print(f"{folder}: {names}{say(', ')}{_sum_of_missing(survey)}")
    results().print(say("{files} without a missing name", files=whole))


def _sum_of_missing(survey: Survey) -> str:
    refused = sum(use.lookup.refused is not None for use in survey.missing)
    said = say("{count} of them missing", count=len(survey.missing))
    return said + (say(", {count} refused on purpose", count=refused) if refused else "")


def _standing(use: Use) -> str:
    if use.lookup.refused:
        return say("refused")
    return say("here") if use.lookup.present else say("MISSING")


def _lines(use: Use) -> str:
    (lines,) = use.lines.values()
    distinct = list(dict.fromkeys(lines))
    numbers = ", ".join(map(str, distinct))
    return (
        say("lines {numbers}", numbers=numbers) if len(distinct) > 1 else say("line {number}", number=numbers)
    )


def _counts(use: Use) -> str:
    from minipaddle.tools.words.numbers import counted

    return f"{counted(len(use.lines), 'file')}, {counted(use.places, 'place')}"


def _remark(use: Use) -> str:
    if use.lookup.refused:
        return use.lookup.refused
    return say("nearest: {names}", names=", ".join(use.lookup.nearest)) if use.lookup.nearest else ""
