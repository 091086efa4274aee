"""Commands that run a script: what they say of a wrong command line, and the run itself."""

from __future__ import annotations

import contextlib
import random
import sys
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

from minipaddle.cli.console import fail

if TYPE_CHECKING:
    from minipaddle.compat.runner import ScriptEnd


class RecordingCommand(TyperCommand):
    """A command that takes recordings: a damaged one ends it with one line, whenever that is found out."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command (the error is known by name: importing it takes NumPy, which `--help` does without)."""
        try:
            return super().invoke(ctx)
        except ValueError as error:
            if type(error).__name__ != "BadRecording":
                raise
            fail(str(error))


class ScriptCommand(RecordingCommand):
    """A command that takes a script: an option it does not know is probably meant for the script."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse; say where an unknown option goes (its error is known by name: Typer hides its click)."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            option = getattr(error, "option_name", None)
            if type(error).__name__ != "NoSuchOption":
                raise
            fail(
                f"`{ctx.info_name}` has no option {option}. One for the script goes after `--`:\n"
                f"    minipaddle {ctx.info_name} SCRIPT -- {option}\n"
                f"The options there are: minipaddle {ctx.info_name} --help"
            )


def run_user_script(
    words: list[str] | None, module: str | None, seed: int | None, stdout_is_ours: bool = False
) -> ScriptEnd:
    """Run the script, function or module, show what ended it as Python would, and return how it ended.

    With `stdout_is_ours` the script's own output goes to standard error. Exits with USAGE if there is no such script.
    """
    from minipaddle.compat.source import UnusableScript

    if not words and module is None:
        fail(
            "name the script to run: SCRIPT [-- ARGS], a function: MODULE:FUNCTION, or a module: -m MODULE [-- ARGS]"
        )
    try:
        end = start_script(words, module, seed, stdout_is_ours)
    except UnusableScript as error:
        fail(str(error))
    end.show()
    return end


def start_script(
    words: list[str] | None, module: str | None, seed: int | None, stdout_is_ours: bool
) -> ScriptEnd:
    """Run the script, function or module, and return how it ended.

    Raises:
        UnusableScript: if there is none.
    """
    if seed is not None:
        _sow(seed)
    with contextlib.redirect_stdout(sys.stderr) if stdout_is_ours else contextlib.nullcontext():
        return _run(words or [], module)


def _run(words: list[str], module: str | None) -> ScriptEnd:
    from minipaddle.compat.entry import names_a_function
    from minipaddle.compat.runner import run_function, run_module, run_script

    if module is not None:
        return run_module(module, words)
    run = run_function if names_a_function(words[0]) else run_script
    return run(words[0], words[1:])


def name_of_script(words: list[str] | None, module: str | None = None) -> str:
    """Return the script or module as the user wrote it."""
    return f"-m {module}" if module else (words or [""])[0]


def _sow(seed: int) -> None:
    import numpy as np

    import minipaddle

    random.seed(seed)
    np.random.seed(seed)
    minipaddle.seed(seed)
