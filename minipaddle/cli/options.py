"""The options of the commands that look at a run, each with its help said once."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer


class WhichPasses(StrEnum):
    """How much of a run is recorded."""

    first = "first"
    all = "all"


AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
MAX_MB = 256
MaxMb = Annotated[
    float,
    typer.Option(
        "--max-mb", min=0, help="Megabytes of numbers to keep; beyond them, statistics are kept instead."
    ),
]
PassNumber = Annotated[
    int | None,
    typer.Option("--pass", min=1, help="Record the training step of this backward pass.", show_default=False),
]
Passes = Annotated[
    WhichPasses, typer.Option(help="Record the first training step, or all that the script does.")
]


class Language(StrEnum):
    """What can be asked for."""

    auto = "auto"
    en = "en"
    zh = "zh"


Lang = Annotated[
    Language,
    typer.Option(help="The language of sentences; names are never translated. auto: that of the locale."),
]


def speak_as_told(language: Language) -> None:
    """Let the debugger speak this language, or that of the environment; English where Chinese cannot be written."""
    from minipaddle.words.language import language_of_the_environment, speak

    wanted = language_of_the_environment() if language is Language.auto else language.value
    speak(wanted if wanted == "en" or _has_chinese(sys.stdout.encoding) else "en")


def _has_chinese(encoding: str | None) -> bool:
    try:
        "中文".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
