"""What several commands take from the command line, each with its help said once: the script, and how to record it."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SCRIPT [-- ARGS]",
        help="The script (or module:function), and after `--` what it is to find in sys.argv.",
    ),
]
Module = Annotated[
    str | None,
    typer.Option("-m", metavar="MODULE", help="Run a module instead of a script, as `python -m` does."),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed", min=0, max=2**32 - 1, help="Seed paddle, numpy and random before the script starts."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
MAX_MB = 256
MaxMb = Annotated[
    float,
    typer.Option(
        "--max-mb", min=0, help="Megabytes of numbers to keep; beyond them, statistics are kept instead."
    ),
]
PassNumber = Annotated[
    int | None, typer.Option("--pass", min=1, help="Record the training step of this backward pass.")
]
HowMuch = Literal["first", "all"]
Passes = Annotated[HowMuch, typer.Option(help="Record the first training step, or all that the script does.")]
Language = Literal["auto", "en", "zh"]
Lang = Annotated[
    Language,
    typer.Option(help="The language of sentences; names are never translated. auto: that of the locale."),
]


def speak_as_told(language: Language) -> None:
    """Let the debugger speak this language, or that of the environment; English where Chinese cannot be written."""
    from minipaddle.words.language import language_of_the_environment, speak

    wanted = language_of_the_environment() if language == "auto" else language
    speak(wanted if wanted == "en" or _has_chinese(sys.stdout.encoding) else "en")


def _has_chinese(encoding: str | None) -> bool:
    try:
        "中文".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
