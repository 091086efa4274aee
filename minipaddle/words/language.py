"""Sentences in the reader's language; names are never translated.

A sentence is written in English where it is said; ``locale/zh_CN.po`` has its translation. One that has none is said
in English, and ``tests/words/test_language.py`` names it.
"""

from __future__ import annotations

import locale
import os
from contextvars import ContextVar

from minipaddle.words.locale import translations

LANGUAGES = ("en", "zh")
_language: ContextVar[str] = ContextVar("language", default="en")


def speak(language: str) -> None:
    """Set the language of all sentences from now on."""
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
        sentence = translations("zh_CN").gettext(sentence)
    return sentence.format(**parts) if parts else sentence


def say_what_it_does(sentence: str) -> str:
    """Return what an operator does, the first sentence of its docstring, in the reader's language."""
    return translations("zh_CN").pgettext("operator", sentence) if _language.get() == "zh" else sentence
