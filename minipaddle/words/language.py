"""What the debugger says, in the reader's language: sentences are translated here, names never.

A sentence is written in English where it is said; :mod:`minipaddle.words.locale.chinese` has its twin. One that has
none is said in English.
"""

from __future__ import annotations

import locale
import os
from contextvars import ContextVar

LANGUAGES = ("en", "zh")
_language: ContextVar[str] = ContextVar("language", default="en")


def speak(language: str) -> None:
    """Say everything in `language` from now on."""
    _language.set(language)


def language_of_the_environment() -> str:
    """Return "zh" in a Chinese locale, else "en"."""
    told = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if not told and os.name == "nt":
        told = locale.getlocale()[0] or ""
    return "zh" if told.lower().startswith(("zh", "chinese")) else "en"


def say(sentence: str, **parts: object) -> str:
    """Return a sentence in the reader's language, with its parts put in.

    >>> say("{name} is a leaf", name="W")
    'W is a leaf'
    """
    if _language.get() == "zh":
        from minipaddle.words.locale.chinese import CHINESE

        sentence = CHINESE.get(sentence, sentence)
    return sentence.format(**parts) if parts else sentence


def say_what_it_does(operator: str, sentence: str) -> str:
    """Return what an operator does in the reader's language: `sentence`, the first of its docstring, or its twin."""
    if _language.get() == "zh":
        from minipaddle.words.locale.chinese_operators import CHINESE_OPERATORS

        return CHINESE_OPERATORS.get(operator, sentence)
    return sentence
