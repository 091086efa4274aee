"""The command line in the reader's language: `--help`, and Typer's errors about words that it does not understand."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, signature
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Option
from typer.core import TyperCommand, TyperGroup

from minipaddle.tools.words.control_characters import can_be_written
from minipaddle.tools.words.language import language, language_of_the_environment, say, speak

if TYPE_CHECKING:  # the classes that `Spoken` is mixed into
    _Base = TyperCommand
else:
    _Base = object

Lang = Annotated[
    Literal["auto", "en", "zh"],
    Option(help="The language of sentences; names are never translated. auto: that of the locale."),
]


def speak_as_told(words: Sequence[str]) -> None:
    """Set the language that a command line or the locale asks for; English where Chinese cannot be encoded.

    This comes before parsing: the help, and errors in the line, use it.
    """
    ours = words[: words.index("--")] if "--" in words else words
    told = [word.removeprefix("--lang=") for word in ours if word.startswith("--lang=")]
    told += [word for option, word in pairwise(ours) if option == "--lang"]
    wanted = told[-1] if told and told[-1] in ("en", "zh") else language_of_the_environment()
    speak(wanted if wanted == "en" or can_be_written("中文", sys.stdout.encoding or "ascii") else "en")


def speaking(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the option ``--lang``, which has taken effect before the command is called."""

    @wraps(command)
    def spoken(*, lang: str, **words: Any) -> None:
        command(**words)

    own = signature(command, eval_str=True)
    last = Parameter("lang", Parameter.KEYWORD_ONLY, default="auto", annotation=Lang)
    vars(spoken)["__signature__"] = own.replace(parameters=[*own.parameters.values(), last])
    return spoken


# -- help -------------------------------------------------------------------------------------------------------------

TITLES = {
    "ARGUMENTS_PANEL_TITLE": "Arguments",
    "OPTIONS_PANEL_TITLE": "Options",
    "COMMANDS_PANEL_TITLE": "Commands",
    "ERRORS_PANEL_TITLE": "Error",
    "DEFAULT_STRING": "[default: {}]",
    "REQUIRED_LONG_STRING": "[required]",
    "RICH_HELP": "Try [blue]'{command_path} {help_option}'[/] for help.",
}
"""Titles that Typer prints around the help of a command, by Typer's names for them."""
USAGE = "Usage: "


def paragraphs(help: str | None) -> list[str]:
    """Return the paragraphs of a help text, each on one line; each is translated separately."""
    return [" ".join(part.split()) for part in inspect.cleandoc(help or "").split("\n\n")]


def _help_told(help: str | None) -> str:
    return "\n\n".join(map(say, paragraphs(help)))


def _title_panels() -> None:
    from typer import rich_utils

    from minipaddle.tools.cli.wrap_chinese_help import Folding

    for name, words in TITLES.items():
        setattr(rich_utils, name, say(words))
    rich_utils.highlighter = Folding() if language() == "zh" else rich_utils.OptionHighlighter()


class Spoken(_Base):
    """Help and errors in the reader's language; Typer makes a new command object for every command line."""

    def __init__(self, *words: Any, help: str | None = None, **others: Any) -> None:
        super().__init__(*words, help=_help_told(help), **others)

    def get_params(self, ctx: Any) -> Any:
        """Return the options and arguments, Typer's own too."""
        params: Any = super().get_params(ctx)
        for one in params:
            if getattr(one, "help", None):
                vars(one)["help"] = _help_told(one.help)
        return params

    def get_usage(self, ctx: Any) -> str:
        """Return the line that shows how the command is typed."""
        usage: str = super().get_usage(ctx)
        return usage.replace(USAGE, say(USAGE), 1)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        _title_panels()
        super().format_help(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of the command line."""
        with _errors_told(ctx):
            return super().parse_args(ctx, args)


class SpokenGroup(Spoken, TyperGroup):
    """The command group `minipaddle`, with help in the reader's language."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is named."""
        with _errors_told(ctx):
            return super().invoke(ctx)


# -- errors -----------------------------------------------------------------------------------------------------------


@contextmanager
def _errors_told(ctx: Any) -> Iterator[None]:
    """A ``with`` block that translates Typer's errors (they are known by name: Typer hides its click)."""
    try:
        yield
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        if "UsageError" not in kinds or kinds[0] == "NoArgsIsHelpError" or language() == "en":
            raise
        _title_panels()
        reason = _reason(error, kinds[0], ctx)
        vars(error)["format_message"] = lambda: reason
        raise


def _reason(error: Any, kind: str, ctx: Any) -> str:
    """Return the reason of an error, in words built from its attributes; for some kinds, its own text."""
    text = error.message
    if kind == "NoSuchOption":
        return say("there is no option {name}", name=error.option_name)
    if kind == "BadOptionUsage" and "requires" in text:
        return say("the option {name} needs a value", name=error.option_name)
    if kind == "BadOptionUsage":
        return say("the option {name} takes no value", name=error.option_name)
    if kind == "MissingParameter":
        return say("{name} is missing", name=error.param.get_error_hint())
    if kind == "BadParameter" and error.param is not None:
        limits = error.param._get_number_range_help_str()
        takes = error.param.display_type_rich(ctx) + (f" [{limits}]" if limits else "")
        return say("{name} takes {takes}", name=error.param.get_error_hint(), takes=takes)
    if text.startswith("No such command"):
        name, *close = re.findall(r"'([^']*)'", text)
        return say("there is no command {name}", name=name) + (
            say("; do you mean {names}?", names=", ".join(close)) if close else ""
        )
    if text.startswith("Got unexpected extra"):
        return say("too many words: {words}", words=text.rpartition(" (")[2].removesuffix(")"))
    return say("a command is missing") if text == "Missing command." else str(text)
