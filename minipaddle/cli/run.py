"""`minipaddle run`: a script written for Paddle, run by minipaddle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from minipaddle.cli.console import note
from minipaddle.cli.exits import exit_code_of
from minipaddle.cli.script import Module, Seed, Words, name_of_script, run_user_script

if TYPE_CHECKING:
    from minipaddle.compat.runner import ScriptEnd

__all__ = ["run"]


def run(
    words: Words = None,
    module: Module = None,
    seed: Seed = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No line at the end.")] = False,
) -> None:
    """Run a script as `python SCRIPT ARGS` does, with minipaddle as its paddle.

    The script's output, exit code and working directory are as under python.

    Exit code 4: it needs something of Paddle that minipaddle lacks.
    """
    end = run_user_script(words, module, seed)
    if not quiet:
        note(_summary(name_of_script(words, module), end))
    raise typer.Exit(exit_code_of(end))


def _summary(name: str, end: ScriptEnd) -> str:
    if end.lacks_paddle_name:
        return f"{name} needs what minipaddle lacks; to see all such names: minipaddle coverage {name}"
    if end.exit_code:
        return f"{name} ended with exit code {end.exit_code}"
    return f"ran {name} with minipaddle as paddle"
