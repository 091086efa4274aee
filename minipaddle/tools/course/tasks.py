"""The tasks: in a folder for each lesson, a skeleton and its grader beside it.

A skeleton is a sheet: a percent script that a reader is given, with its prose in two languages.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path

from minipaddle.tools.course.lessons import NotInCourse, chinese_of, home
from minipaddle.tools.words.language import say
from minipaddle.tools.words.prose import markdown_in_chinese, script_in_chinese

_WIDTH = 110
_CELL = re.compile(r"^# %%(.*)$", re.M)


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
        """Where it is written for a reader: ``03/task1_cube.py``."""
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
        """What the first cell says below its title."""
        return self._prose.partition("\n")[2].strip("\n")

    def said(self, sentence: str) -> str:
        """Return a sentence that belongs to it in the reader's language."""
        return self._chinese.get(sentence, sentence)

    @property
    def _prose(self) -> str:
        """The first cell as markdown in the reader's language, every paragraph on one line."""
        parts = _CELL.split(self.original)
        lines = parts[2].strip("\n").splitlines() if len(parts) > 2 else []
        text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines)
        return markdown_in_chinese(text, self._chinese)

    @property
    def _chinese(self) -> Mapping[str, str]:
        return chinese_of(self.home, self.stem)


_SKELETON = re.compile(r"task(\d+)_\w+\.py")
_MILESTONE = re.compile(r"milestone_\w+\.py")


@dataclass(frozen=True)
class Task(Sheet):
    """One task: a sheet to be completed, and how it is judged. No other task has its name."""

    number: int
    grader: Traversable
    milestones: tuple[Sheet, ...] = ()
    """What runs on the reader's own code: of the last task of a lesson that has some."""

    def is_untouched(self, text: str) -> bool:
        """Return whether a student's file still says what the skeleton says, comments aside."""
        try:
            return ast.dump(ast.parse(text)) == ast.dump(ast.parse(self.original))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False


def tasks(place: Traversable | None = None) -> list[Task]:
    """Return the tasks of all lessons in their order; of a teacher's own folder, if one is named.

    Raises NotInCourse: there is no task there, or two have one name.
    """
    folder = home() / "tasks" if place is None else place
    found: list[Task] = []
    rooms = [one for one in folder.iterdir() if one.is_dir()] if folder.is_dir() else []
    for room in sorted(rooms, key=lambda one: one.name):
        if room.name.isdecimal():
            found += _in(room, folder)
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


def task_of(file: Path, among: Sequence[Task]) -> Task | None:
    """Return the task with the name of a student's file, or None."""
    return next((task for task in among if task.name == file.name), None)
