"""The tasks: in a folder for each lesson, a skeleton and its grader beside it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path

from minipaddle.course.lessons import NotInCourse, home
from minipaddle.words.language import entries, language, say
from minipaddle.words.prose import script_in_chinese

_SKELETON = re.compile(r"task(\d+)_\w+\.py")
_WIDTH = 110
_CELL = re.compile(r"^# %%(.*)$", re.M)


@dataclass(frozen=True)
class Task:
    """One task: a file to be completed, and how it is judged."""

    lesson: int
    number: int
    file: Traversable
    """The skeleton."""
    grader: Traversable
    translation: Traversable
    """Its texts in Chinese: ``locale/zh_CN/task1_cube.po`` in the folder of all tasks; it may be missing."""

    @property
    def name(self) -> str:
        """Its file's name, which no other task has: ``task1_cube.py``."""
        return self.file.name

    @property
    def stem(self) -> str:
        """Its name without the ending."""
        return self.name.removesuffix(".py")

    @property
    def place(self) -> str:
        """Where it is written for a student: ``03/task1_cube.py``."""
        return f"{self.lesson:02}/{self.name}"

    @cached_property
    def skeleton(self) -> str:
        """The file as a student gets it."""
        return self.file.read_text(encoding="utf-8")

    @cached_property
    def _chinese(self) -> dict[str, str]:
        """Its texts in Chinese, by what they are in English."""
        if not self.translation.is_file():
            return {}
        return entries(self.translation.read_text(encoding="utf-8"))

    def said(self, sentence: str) -> str:
        """Return a sentence of its grader in the reader's language."""
        return (self._chinese.get(sentence) or sentence) if language() == "zh" else sentence

    @property
    def script(self) -> str:
        """The skeleton with its prose in the reader's language."""
        return (
            script_in_chinese(self.skeleton, self._chinese, _WIDTH) if language() == "zh" else self.skeleton
        )

    @property
    def prose(self) -> str:
        """The first cell: its first line is the title, the rest is the statement."""
        parts = _CELL.split(self.script)
        lines = parts[2].strip("\n").splitlines() if len(parts) > 2 else []
        return "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines)

    @property
    def title(self) -> str:
        """The first line of the first cell, without its mark."""
        return self.prose.partition("\n")[0].removeprefix("# ")

    @property
    def statement(self) -> str:
        """What is to be done."""
        return self.prose.partition("\n")[2].strip("\n")

    def is_untouched(self, text: str) -> bool:
        """Return whether a student's file still says what the skeleton says, comments aside."""
        try:
            return ast.dump(ast.parse(text)) == ast.dump(ast.parse(self.skeleton))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False


def tasks(place: Traversable | None = None) -> list[Task]:
    """Return the tasks of all lessons in their order; of a teacher's own folder, if one is named.

    Raises:
        NotInCourse: there is **no task** there, or two have one name.
    """
    folder = home() / "tasks" if place is None else place
    found: list[Task] = []
    rooms = [one for one in folder.iterdir() if one.is_dir()] if folder.is_dir() else []
    for room in sorted(rooms, key=lambda one: one.name):
        if room.name.isdecimal():
            found += sorted(_in(room, folder / "locale" / "zh_CN"), key=lambda task: task.number)
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


def _in(room: Traversable, translations: Traversable) -> list[Task]:
    """Return the tasks of one lesson."""
    found = []
    for file in room.iterdir():
        matched = _SKELETON.fullmatch(file.name)
        grader = room / f"{file.name.removesuffix('.py')}.check.py"
        if matched and grader.is_file():
            translation = translations / f"{file.name.removesuffix('.py')}.po"
            found.append(Task(int(room.name), int(matched[1]), file, grader, translation))
    return found


def task_of(file: Path, among: Sequence[Task]) -> Task | None:
    """Return the task that a student's file is for: the one of its name; None: of none."""
    return next((task for task in among if task.name == file.name), None)
