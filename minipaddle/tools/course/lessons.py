"""The lessons and their tasks: found in the installed package or in a checkout, and called by number or name.

A task lies in a folder of its lesson: a skeleton, and its grader beside it. A skeleton is a sheet: a percent script
that a reader is given, with its prose in two languages.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from minipaddle.tools.words.language import entries, language, say
from minipaddle.tools.words.prose import bare, markdown_in_chinese, script_in_chinese

_ROW = re.compile(
    r"^\| \[(?P<number>\d+)\. (?P<title>[^\]]+)\]\((?P<file>\w+\.py)\) \| (?P<shows>.+?) \| ", re.M
)
WIDTH = 100
"""Cells of a line of prose in a script; a Chinese character takes two."""
_IN_THE_TREE = re.compile(r"\btutorials/(?=\d\d_\w+\.py)")


class NotInCourse(LookupError):
    """There is no such lesson or task, or no course; the message says which."""


class Lesson(NamedTuple):
    """A tutorial, with its number, title and file."""

    number: int
    title: str
    shows: str
    file: Traversable
    chinese: Mapping[str, str]
    """Translations of its paragraphs; empty: they stay English."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names that select it: ``3``, ``03``, ``py_layer``, ``03_py_layer``, ``03_py_layer.py``."""
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
    """Return the lesson with this name, or with it as a part of its name.

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
    """Return the translation of each text of a file; empty in English, or without a translation."""
    file = folder / "locale" / "zh_CN" / f"{stem}.po"
    return _translated(file.read_text(encoding="utf-8")) if language() == "zh" and file.is_file() else {}


@cache
def _translated(po: str) -> dict[str, str]:
    return {text: said for text, said in entries(po).items() if text and said}


_WIDTH = 110  # the limit that the formatter keeps for code in the repository
_CELL = re.compile(r"^# %%(.*)\n", re.M)


def cells_of(script: str) -> Iterator[tuple[bool, str]]:
    """Yield the cells of a percent script: whether each is prose, and its text."""
    _, *parts = _CELL.split(script)
    for kind, body in zip(parts[::2], parts[1::2]):
        is_prose = "[markdown]" in kind
        lines = body.strip("\n").splitlines()
        yield is_prose, bare(lines) if is_prose else "\n".join(lines)


@dataclass(frozen=True)
class Sheet:
    """A script, and the lesson that it belongs to."""

    lesson: int
    file: Traversable
    home: Traversable
    """The folder of all tasks, which has its texts in Chinese: ``locale/zh_CN/task1_cube.po``."""

    @property
    def name(self) -> str:
        """Its file's name: ``task1_cube.py``."""
        return self.file.name

    @property
    def stem(self) -> str:
        """Its name without the ending."""
        return self.name.removesuffix(".py")

    @property
    def place(self) -> str:
        """The short path shown to readers: ``03/task1_cube.py``."""
        return f"{self.lesson:02}/{self.name}"

    @cached_property
    def original(self) -> str:
        """Its text, in English."""
        return self.file.read_text(encoding="utf-8")

    @property
    def text(self) -> str:
        """Its text, with prose in the reader's language."""
        chinese = self._chinese
        return script_in_chinese(self.original, chinese, _WIDTH) if chinese else self.original

    @property
    def title(self) -> str:
        """The first line of the first cell, without its mark."""
        return self._prose.partition("\n")[0].removeprefix("# ")

    @property
    def statement(self) -> str:
        """The text of the first cell below its title."""
        return self._prose.partition("\n")[2].strip("\n")

    def said(self, sentence: str) -> str:
        """Return a sentence of this sheet in the reader's language."""
        return self._chinese.get(sentence, sentence)

    @property
    def _prose(self) -> str:
        """The first cell as markdown in the reader's language, every paragraph on one line."""
        _, first = next(cells_of(self.original), (True, ""))
        return markdown_in_chinese(first, self._chinese)

    @property
    def _chinese(self) -> Mapping[str, str]:
        return chinese_of(self.home, self.stem)


_SKELETON = re.compile(r"task(\d+)_\w+\.py")
_MILESTONE = re.compile(r"milestone_\w+\.py")


@dataclass(frozen=True)
class Task(Sheet):
    """One task: a sheet to complete, and its grader. Its name is unique."""

    number: int
    grader: Traversable
    milestones: tuple[Sheet, ...] = ()
    """Sheets that run on the reader's own code; only the last task of a lesson has some."""

    def is_untouched(self, text: str) -> bool:
        """Return whether a student's file defines what the skeleton does; imports and trying out do not count."""
        try:
            return _defined(text) == _defined(self.original)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False


def _defined(text: str) -> list[str]:
    lines = (one for one in ast.parse(text).body if not isinstance(one, ast.Import | ast.ImportFrom | ast.If))
    return [ast.dump(one) for one in lines]


_MAGIC = re.compile(r"^(\s*)[%!].*$|^(\s*)[^\s#].*\?$", re.M)


def code_of_notebook(text: str) -> str:
    """Return the code of a notebook's cells, without its magics. Raises ValueError: it is no notebook."""
    try:
        cells = ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ValueError(say("it is no notebook")) from None
    return "\n\n".join(_MAGIC.sub(r"\1\2pass", cell) for cell in cells if not cell.startswith("%%"))


def tasks(place: Traversable | None = None) -> list[Task]:
    """Return the tasks of all lessons in order, or those of a teacher's own folder `place`.

    Raises NotInCourse: there is no task there, or two have one name.
    """
    folder = home() / "tasks" if place is None else place
    rooms = [one for one in folder.iterdir() if one.is_dir()] if folder.is_dir() else []
    numbered = sorted((one for one in rooms if one.name.isdecimal()), key=lambda one: one.name)
    found = [task for room in numbered for task in _in(room, folder)]
    if not found:
        what = say(
            "there is no task in {folder}: a task is NN/taskK_name.py and its grader beside it", folder=folder
        )
        raise NotInCourse(what)
    names = [task.name for task in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise NotInCourse(say("two tasks are called {name}: a task is known by its name", name=twice[0]))
    return found


def _in(room: Traversable, home: Traversable) -> list[Task]:
    """Return the tasks of one lesson in their order."""
    lesson = int(room.name)
    files = sorted(room.iterdir(), key=lambda file: file.name)
    milestones = tuple(Sheet(lesson, file, home) for file in files if _MILESTONE.fullmatch(file.name))
    found = []
    for file in files:
        matched = _SKELETON.fullmatch(file.name)
        grader = room / f"{file.name.removesuffix('.py')}.check.py"
        if matched and grader.is_file():
            found.append(Task(lesson, file, home, int(matched[1]), grader))
    found.sort(key=lambda task: task.number)
    return [*found[:-1], *(replace(task, milestones=milestones) for task in found[-1:])]
