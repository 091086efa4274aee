"""Which language the debugger speaks."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

__all__ = ["Lang", "Language", "speak_as_told"]


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
    from minipaddle.debug.language import language_of_the_environment, speak

    wanted = language_of_the_environment() if language is Language.auto else language.value
    speak(wanted if wanted == "en" or _has_chinese(sys.stdout.encoding) else "en")


def _has_chinese(encoding: str | None) -> bool:
    try:
        "中文".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
