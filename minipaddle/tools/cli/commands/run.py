"""`minipaddle run`: a script written for Paddle, run by minipaddle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import exit_code_of, note
from minipaddle.tools.cli.record import Script
from minipaddle.tools.words.language import say

if TYPE_CHECKING:
    from minipaddle.tools.run.runner import ScriptEnd


def run(
    words: common.Words = None,
    module: common.Module = None,
    seed: common.Seed = None,
    quiet: Annotated[bool, Option("--quiet", help="No line at the end.")] = False,
) -> None:
    """Run a script as `python SCRIPT ARGS` does, with minipaddle as its paddle.

    The script's output, exit code and working directory are as under python.

    Exit code 4: it needs something of Paddle that minipaddle lacks.
    """
    script = Script(words, module, seed)
    end = script.run()
    if not quiet:
        if end.printed:
            from minipaddle.tools.run.failing import told

            note(told("printed", names=", ".join(end.printed[:3])))
        note(_summary(script.name, end))
    raise Exit(exit_code_of(end))


def _summary(name: str, end: ScriptEnd) -> str:
    if end.lacks_paddle_name:
        return say(
            "{name} needs what minipaddle lacks; to see all such names: minipaddle coverage {name}", name=name
        )
    if end.exit_code:
        return say("{name} ended with exit code {code}", name=name, code=end.exit_code)
    return say("ran {name} with minipaddle as paddle", name=name)
