"""Run a script and record it: what `graph` and `step` begin with."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from minipaddle.cli.console import note
from minipaddle.cli.exits import ExitCode, exit_code_of
from minipaddle.cli.script import name_of_script, run_user_script

if TYPE_CHECKING:
    from minipaddle.trace.events import Trace

__all__ = ["MaxMb", "recorded"]

MaxMb = Annotated[
    float,
    typer.Option("--max-mb", min=0, help="Megabytes of numbers to keep; beyond them, only statistics."),
]


def recorded(
    words: list[str] | None, module: str | None, seed: int | None, max_mb: float, stdout_is_ours: bool = False
) -> Trace:
    """Run the script with a recorder watching, and return what was recorded, even if the script raised.

    Exits as the script did, if it ended before anything was recorded. With `stdout_is_ours` the script's own output
    goes to standard error.
    """
    from minipaddle.core.watching import watching
    from minipaddle.trace import Recorder

    recorder = Recorder(name_of_script(words, module), max_mb)
    elsewhere = contextlib.redirect_stdout(sys.stderr) if stdout_is_ours else contextlib.nullcontext()
    with elsewhere, watching(recorder):
        end = run_user_script(words, module, seed)
    if end.exception is not None and not isinstance(end.exception, SystemExit):
        recorder.failed(end.exception)
        note(f"the script ended with {type(end.exception).__name__}; what was recorded until then is kept")
    trace = recorder.finish()
    trace.exit_code = exit_code_of(end)
    if not any(event.kind != "error" for event in trace.events):
        if end.exit_code:
            raise typer.Exit(exit_code_of(end))
        note("the script applied no operator of paddle: there is nothing to show")
        raise typer.Exit(ExitCode.SCRIPT_RAISED)
    for text in trace.notes:
        note(text)
    return trace
