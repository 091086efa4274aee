"""Answers to the tasks of the course: the solution of each is a file, and a wrong answer is an edit of it.

``wrong.txt`` beside a solution has its wrong answers, each like this::

    == factor: the hint that it is to get, in one line
    -        return dy * 3 * x * x
    +        return dy * x * x

A line with ``-`` stands in the solution and goes, one with ``+`` comes, one with a space stays and says where this is.
``@@`` begins another place of the same answer.
"""

from pathlib import Path
from typing import NamedTuple

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


def wrong_answers(task: str) -> list[Wrong]:
    """Return the wrong answers of a task, in the order of their file."""
    _, *parts = ("\n" + (ANSWERS / task / "wrong.txt").read_text(encoding="utf-8")).split("\n== ")
    return [_answer(task, *part.partition(": ")[::2]) for part in parts]


def text_of(task: str, name: str) -> str:
    """Return the text of an answer: `solution`, or the name of a wrong one."""
    if name == "solution":
        return solution(task)
    return next(answer.text for answer in wrong_answers(task) if answer.name == name)


def write_solutions(lesson: str, folder: Path) -> None:
    """Put the solutions of a lesson into a folder: a task may build on an earlier one."""
    for path in (ANSWERS / lesson).glob("*/solution.py"):
        (folder / f"{path.parent.name}.py").write_bytes(path.read_bytes())


def _answer(task: str, name: str, said: str) -> Wrong:
    hint, _, edits = said.partition("\n")
    text = solution(task)
    for edit in edits.removesuffix("\n").split("\n@@\n"):
        lines = edit.split("\n")
        old, new = ("".join(f"{line[1:]}\n" for line in lines if line[:1] != mark) for mark in "+-")
        assert text.count(old) == 1, f"{task}, {name}: stands {text.count(old)} times in the solution:\n{old}"
        text = text.replace(old, new)
    return Wrong(task, name, hint, text)
