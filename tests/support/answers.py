"""Answers to the tasks of the course: the solution of each is a file, and a wrong answer is an edit of it.

``wrong.txt`` beside a solution has its wrong answers, each like this::

    == factor: the hint that it is to get, in one line
    -        return dy * 3 * x * x
    +        return dy * x * x

The form of edits is that of :mod:`tests.support.edits`. ``right.txt`` has other right answers, each
whole below its ``== name``: written from the statement, by other ways.
"""

from pathlib import Path
from typing import NamedTuple

from tests.support.edits import edited, sections
from tests.support.process import ROOT

ANSWERS = ROOT / "tests" / "tutorials" / "answers"


class Wrong(NamedTuple):
    """A wrong answer: its task (``03/task1_cube``), its name, the hint that it is to get, the student's file."""

    task: str
    name: str
    hint: str
    text: str


def solution(task: str) -> str:
    return (ANSWERS / task / "solution.py").read_text(encoding="utf-8")


def right_answers(task: str) -> dict[str, str]:
    """Return the right answers of a task that are not its solution, by name."""
    return dict(sections((ANSWERS / task / "right.txt").read_text(encoding="utf-8")))


def wrong_answers(task: str) -> list[Wrong]:
    """Return the wrong answers of a task, in the order of their file."""
    right = solution(task)
    return [
        Wrong(task, *head.split(": ", 1), edited(right, edits))
        for head, edits in sections((ANSWERS / task / "wrong.txt").read_text(encoding="utf-8"))
    ]


def text_of(task: str, name: str) -> str:
    """Return the text of an answer: `solution`, or the name of a wrong one."""
    if name == "solution":
        return solution(task)
    return next(answer.text for answer in wrong_answers(task) if answer.name == name)


def write_solutions(lesson: str, folder: Path) -> None:
    """Put the solutions of a lesson into a folder: a task may build on an earlier one."""
    for path in (ANSWERS / lesson).glob("*/solution.py"):
        (folder / f"{path.parent.name}.py").write_bytes(path.read_bytes())
