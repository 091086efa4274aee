"""The Typer application: one line per command, one file per command; and how an error ends a command."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer import Exit, Option
from typer.core import TyperCommand

from minipaddle.tools.cli.console import ExitCode, fail
from minipaddle.tools.cli.translated_help import Lang, Spoken, SpokenGroup, speaking
from minipaddle.tools.words.language import reason

_EXIT_CODES = {
    **dict.fromkeys(
        ("BadGrader", "BadOption", "BadRecording", "NoBackward", "NotInCourse", "UnusableScript"),
        ExitCode.USAGE,
    ),
    "NoMove": ExitCode.SCRIPT_RAISED,
    "NoRenderer": ExitCode.NO_RENDERER,
}
"""Errors whose message is complete, with their exit codes. They are known by name: importing them
would import NumPy, which `--help` does without."""


class _Command(Spoken, TyperCommand):
    """A command whose errors, if they have an exit code above, end it with one line."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if type(error).__name__ not in _EXIT_CODES:
                raise
            fail(reason(error), _EXIT_CODES[type(error).__name__])


class _ScriptCommand(_Command):
    """A command that takes a script: an option that the command does not know is probably the script's."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse; tell the user where to put an unknown option (the error is known by name: Typer hides its click)."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            option = getattr(error, "option_name", None)
            if type(error).__name__ != "NoSuchOption":
                raise
            fail(
                "`{command}` has no option {option}. One for the script goes after `--`:\n"
                "    minipaddle {command} SCRIPT -- {option}\n"
                "The options there are: minipaddle {command} --help",
                command=ctx.info_name,
                option=option,
            )


app = typer.Typer(
    name="minipaddle",
    cls=SpokenGroup,
    help="See, read and step through how PaddlePaddle computes gradients.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_TAKING_A_SCRIPT = ("run", "graph", "step", "trace", "program", "flow", "nan", "check")
_WITHOUT_A_SCRIPT = ("diff", "dap", "ops", "coverage", "lesson", "learn", "grade")
for name in (*_TAKING_A_SCRIPT, *_WITHOUT_A_SCRIPT):
    command = getattr(import_module(f"minipaddle.tools.cli.commands.{name}"), name)
    kind = _ScriptCommand if name in _TAKING_A_SCRIPT else _Command
    app.command(cls=kind)(speaking(command))


def _print_version(wanted: bool) -> None:
    if wanted:
        from minipaddle import __version__

        typer.echo(f"minipaddle {__version__}")
        raise Exit


@app.callback()
def _options(
    version: Annotated[
        bool, Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
    lang: Lang = "auto",
) -> None:
    """Options before the command."""
