"""The command line: parse, call, print. Nothing here computes. Read next: ``app``, one file for each command."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minipaddle.cli.environment import Environment

__all__ = ["main"]


def main(environment: Environment | None = None) -> None:
    """Run `minipaddle` in an environment; without one, in that of this process.

    Raises:
        SystemExit: always, with an :class:`ExitCode <minipaddle.cli.console.ExitCode>` or that of the user's script.
    """
    from minipaddle.cli.app import app
    from minipaddle.cli.console import answering, tolerate_every_character

    with nullcontext() if environment is None else environment.in_effect():
        tolerate_every_character()
        with answering():
            app(prog_name="minipaddle")
