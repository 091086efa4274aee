"""The Typer application: one line per command, one file per command."""

from __future__ import annotations

from typing import Annotated

import typer

from minipaddle.cli.commands.check import check
from minipaddle.cli.commands.coverage import coverage
from minipaddle.cli.commands.diff import diff
from minipaddle.cli.commands.doctor import doctor
from minipaddle.cli.commands.flow import flow
from minipaddle.cli.commands.graph import graph
from minipaddle.cli.commands.lesson import lesson
from minipaddle.cli.commands.nan import nan
from minipaddle.cli.commands.ops import ops
from minipaddle.cli.commands.program import program
from minipaddle.cli.commands.run import run
from minipaddle.cli.commands.step import step
from minipaddle.cli.commands.trace import trace
from minipaddle.cli.script import RecordingCommand, ScriptCommand

app = typer.Typer(
    name="minipaddle",
    help="See, read and step through how PaddlePaddle computes gradients.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command(cls=ScriptCommand)(run)
app.command(cls=ScriptCommand)(graph)
app.command(cls=ScriptCommand)(step)
app.command(cls=ScriptCommand)(trace)
app.command(cls=ScriptCommand)(program)
app.command(cls=ScriptCommand)(flow)
app.command(cls=ScriptCommand)(nan)
app.command(cls=ScriptCommand)(check)
app.command(cls=RecordingCommand)(diff)
app.command()(ops)
app.command()(coverage)
app.command()(doctor)
app.command()(lesson)


def _print_version(wanted: bool) -> None:
    if wanted:
        from minipaddle import __version__

        typer.echo(f"minipaddle {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """What stands before the command."""
