"""The tasks: in a folder for each lesson, a skeleton and its grader beside it."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from pathlib import Path

from minipaddle.tools.course.lessons import NotInCourse, home
from minipaddle.tools.course.percent_script import Sheet
from minipaddle.tools.words.language import say

_SKELETON = re.compile(r"task(\d+)_\w+\.py")
_MILESTONE = re.compile(r"milestone_\w+\.py")


@dataclass(frozen=True)
class Task(Sheet):
    """One task: a sheet to be completed, and how it is judged. Its name is that of no other task."""

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
            found += _in(room, folder / "locale" / "zh_CN")
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
    """Return the tasks of one lesson in their order."""
    lesson = int(room.name)
    files = sorted(room.iterdir(), key=lambda file: file.name)
    milestones = tuple(
        Sheet(lesson, file, _translated(file, translations))
        for file in files
        if _MILESTONE.fullmatch(file.name)
    )
    found = []
    for file in files:
        matched = _SKELETON.fullmatch(file.name)
        grader = room / f"{file.name.removesuffix('.py')}.check.py"
        if matched and grader.is_file():
            found.append(Task(lesson, file, _translated(file, translations), int(matched[1]), grader))
    found.sort(key=lambda task: task.number)
    return [*found[:-1], *(replace(task, milestones=milestones) for task in found[-1:])]


def _translated(file: Traversable, translations: Traversable) -> Traversable:
    return translations / f"{file.name.removesuffix('.py')}.po"


def task_of(file: Path, among: Sequence[Task]) -> Task | None:
    """Return the task that a student's file is for: the one of its name; None: of none."""
    return next((task for task in among if task.name == file.name), None)
