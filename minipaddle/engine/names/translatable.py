"""An English text that keeps its sentence and parts: programs can read it, and tools translate it.

``minipaddle/tools/words/language.py`` prints its translation.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce


class Phrase(str):
    """An English text, with its sentence and the values of its braces."""

    sentence: str
    parts: dict[str, object]


def phrase(sentence: str, **parts: object) -> Phrase:
    """Return a sentence with its parts filled in; it stays English until printed.

    >>> phrase("pass {number} of {passes}", number=1, passes=2)
    'pass 1 of 2'
    """
    made = Phrase(sentence.format(**parts) if parts else sentence)
    made.sentence, made.parts = sentence, parts
    return made


def phrases(sentence: str, texts: Iterable[str]) -> str:
    """Return all texts that are not empty as one; the sentence joins two of them, {before} and {after}.

    >>> phrases("{before}; {after}", ["one", "", "two"]), phrases("{before}; {after}", [])
    ('one; two', '')
    """
    there = list(filter(None, texts))
    return reduce(lambda before, after: phrase(sentence, before=before, after=after), there) if there else ""
