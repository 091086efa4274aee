"""Sentences in the reader's language; names are never translated.

A sentence in the code is English; ``locale/zh_CN.po`` has its translation, in GNU gettext's form for
people and their editors. One without is said in English, and ``tests/words/test_language.py`` lists it. Text
that is stored as data, and read by programs too, is a phrase: :func:`spoken` says it.
"""

import ast
import locale
import os
import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from difflib import get_close_matches
from functools import cache, reduce
from pathlib import Path

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


def language() -> str:
    """Return "zh" or "en": the language in which sentences are said."""
    return _language.get()


def say(sentence: str, **parts: object) -> str:
    """Return a sentence in the reader's language, with its parts put in.

    >>> say("{name} is a leaf", name="W")
    'W is a leaf'
    """
    if _language.get() == "zh":
        sentence = _chinese().get(sentence, sentence)
    else:
        sentence = _in_number(sentence, parts)
    return sentence.format(**{name: _spoken(part) for name, part in parts.items()}) if parts else sentence


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint with the known words that are nearest to an unknown one; "" if none is near."""
    near = get_close_matches(word, [*known])
    return say("; do you mean {names}?", names=", ".join(near)) if near else ""


_COUNTED = re.compile(
    r"\{(count|some|calls|size|met|several|kept)\} (?:of \{(\w+)\} )?(pass|\w+?)((?:(?<=pass)e)?s)\b"
    r"(?: (are|were|become|do|give)\b)?"
)
_OF_ONE = {"are": "is", "were": "was", "become": "becomes", "do": "does", "give": "gives"}


def _in_number(sentence: str, parts: Mapping[str, object]) -> str:
    """Return an English sentence with nouns and verbs in the singular where what they count is 1.

    >>> _in_number("{count} of {size} elements are zero", {"count": 1, "size": 8})
    '{count} of {size} elements is zero'
    """

    def number(found: re.Match[str]) -> str:
        first, last, noun, plural, verb = found.groups()
        said = found[0][: found.start(3) - found.start()] + noun
        said += plural * (parts.get(last or first) != 1)
        return said + (f" {_OF_ONE[verb] if parts.get(first) == 1 else verb}" if verb else "")

    return _COUNTED.sub(number, sentence) if any(type(part) is int for part in parts.values()) else sentence


class Phrase(str):
    """An English text, with its sentence and the values of the braces."""

    sentence: str
    parts: dict[str, object]


def phrase(sentence: str, **parts: object) -> Phrase:
    """Return a sentence with its parts filled in; it is English until it is printed.

    >>> phrase("pass {number} of {passes}", number=1, passes=2)
    'pass 1 of 2'
    """
    made = Phrase(_in_number(sentence, parts).format(**parts) if parts else sentence)
    made.sentence, made.parts = sentence, parts
    return made


def phrases(sentence: str, texts: Iterable[str]) -> str:
    """Return the texts that are not empty as one; the sentence joins two of them, {before} and {after}.

    >>> phrases("{before}; {after}", ["one", "", "two"]), phrases("{before}; {after}", [])
    ('one; two', '')
    """
    there = list(filter(None, texts))
    return reduce(lambda before, after: phrase(sentence, before=before, after=after), there) if there else ""


def spoken(text: str) -> str:
    """Return a phrase in the reader's language; any other text, such as a name, as it is.

    >>> spoken("mean")
    'mean'
    """
    return say(text.sentence, **text.parts) if isinstance(text, Phrase) else text


def reason(error: BaseException) -> str:
    """Return the message of an error, in the reader's language if it is a phrase."""
    said = error.args[0] if len(error.args) == 1 else None
    return spoken(said) if isinstance(said, Phrase) else str(error)


class TranslatableError(Exception):
    """An error whose message is a translatable sentence with its parts."""

    def __init__(self, sentence: str, **parts: object) -> None:
        super().__init__(sentence if isinstance(sentence, Phrase) else phrase(sentence, **parts))


def _spoken(part: object) -> object:
    if isinstance(part, BaseException):
        return reason(part)
    return spoken(part) if isinstance(part, str) else part


def say_what_it_does(sentence: str) -> str:
    """Return the first sentence of an operator's docstring, in the reader's language."""
    return _chinese().get(f"operator\x04{sentence}", sentence) if _language.get() == "zh" else sentence


@cache
def _chinese() -> dict[str, str]:
    return entries(Path(__file__).with_name("locale").joinpath("zh_CN.po").read_text(encoding="utf-8"))


_FIELD = re.compile(r'^(msg\w+) ((?:".*"\n?)+)', re.MULTILINE)
"""Matches a keyword of an entry, and its text on one line or several."""


def entries(text: str) -> dict[str, str]:
    r"""Return the translation of each sentence in the text of a ``.po`` file.

    A sentence with a context has the key ``CONTEXT\x04SENTENCE``; the file's header has the key "". A fuzzy entry
    was made for another sentence, and is left out.

    >>> entries('# a remark\nmsgid "the end"\nmsgstr "结束"\n')
    {'the end': '结束'}
    """
    found: dict[str, str] = {}
    for entry in text.split("\n\n"):
        fields = {
            keyword: "".join(map(ast.literal_eval, lines.splitlines()))
            for keyword, lines in _FIELD.findall(entry)
        }
        if "msgid" in fields and "#, fuzzy" not in entry.splitlines():
            context = f"{fields['msgctxt']}\x04" if "msgctxt" in fields else ""
            found[context + fields["msgid"]] = fields["msgstr"]
    return found
