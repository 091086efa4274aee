"""The lessons: found in the installed package or in a checkout, and called by number or name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from minipaddle.tools.words.language import entries, language, say
from minipaddle.tools.words.prose import markdown_in_chinese, script_in_chinese

_ROW = re.compile(
    r"^\| \[(?P<number>\d+)\. (?P<title>[^\]]+)\]\((?P<file>\w+\.py)\) \| (?P<shows>.+?) \| ", re.M
)
WIDTH = 100
"""Cells of a line of prose in a script: a Chinese character takes two."""
_IN_THE_TREE = re.compile(r"\btutorials/(?=\d\d_\w+\.py)")


class NotInCourse(LookupError):
    """There is no such lesson or task, or no course; the message says all."""


@dataclass(frozen=True)
class Lesson:
    """A tutorial, as the list of tutorials names it."""

    number: int
    title: str
    shows: str
    file: Traversable
    chinese: Mapping[str, str]
    """Its paragraphs in the reader's language; nothing: as they are."""

    @property
    def names(self) -> tuple[str, ...]:
        """What one may call it: ``3``, ``03``, ``py_layer``, ``03_py_layer``, ``03_py_layer.py``."""
        stem = self.file.name.removesuffix(".py")
        number, _, word = stem.partition("_")
        return str(self.number), number, word, stem, self.file.name

    @property
    def text(self) -> str:
        """Its script; commands name a file that lies where they are typed."""
        return self.folded(WIDTH)

    def folded(self, width: int) -> str:
        """Return its script, Chinese prose in lines of `width` cells; 0: a paragraph a line, as a notebook wants."""
        english = _IN_THE_TREE.sub("", self.file.read_text(encoding="utf-8"))
        return script_in_chinese(english, self.chinese, width) if self.chinese else english


@cache
def home() -> Traversable:
    """Return the folder of the lessons: inside the installed package, or beside it in a checkout.

    Raises NotInCourse where they are not installed.
    """
    package = files("minipaddle")
    places = [package / "tutorials", *([package.parent / "tutorials"] if isinstance(package, Path) else [])]
    for place in places:
        if (place / "README.md").is_file():
            return place
    raise NotInCourse(say("the tutorials are not installed here"))


def lessons() -> list[Lesson]:
    """Return the lessons in the order of their README. Raises NotInCourse: they are not installed."""
    place = home()
    english = (place / "README.md").read_text(encoding="utf-8")
    rows = _ROW.finditer(markdown_in_chinese(english, chinese_of(place, "README")))
    return [
        Lesson(
            int(row["number"]),
            row["title"],
            row["shows"].replace("`", ""),
            place / row["file"],
            chinese_of(place, row["file"].removesuffix(".py")),
        )
        for row in rows
    ]


def lesson_called(name: str, among: Sequence[Lesson]) -> Lesson:
    """Return the lesson that goes by this name, or has it as part of its own.

    Raises NotInCourse if no lesson, or more than one, is called so.
    """
    wanted = name.lower()
    found = [one for one in among if wanted in one.names]
    found = found or [one for one in among if not wanted.isdecimal() and wanted in one.file.name]
    if len(found) == 1:
        return found[0]
    words = [one.names[2] for one in among]
    close = [one.names[2] for one in found] or get_close_matches(wanted, words)
    listed = say("`minipaddle lesson` lists them")
    hint = say("do you mean {names}?", names=say(" or ").join(close)) if close else listed
    said = say("more than one tutorial is called {name}") if found else say("no tutorial is called {name}")
    raise NotInCourse(f"{said.format(name=repr(name))}; {hint}")


def chinese_of(folder: Traversable, stem: str) -> Mapping[str, str]:
    """Return the translation of each text of a file, or nothing where English is spoken, or there is no translation."""
    file = folder / "locale" / "zh_CN" / f"{stem}.po"
    return _translated(file.read_text(encoding="utf-8")) if language() == "zh" and file.is_file() else {}


@cache
def _translated(po: str) -> dict[str, str]:
    return {text: said for text, said in entries(po).items() if text and said}
