"""The student's process: loads the file, and answers questions with what it computes; it judges nothing.

Started by :mod:`minipaddle.tools.course.process`. Its standard input and output become a private channel; what the file
prints goes to standard error, and it finds nothing to read.
"""

from __future__ import annotations

import ctypes
import linecache
import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import IO, Any

import minipaddle
from minipaddle.tools.course.json_lines import from_line, to_line
from minipaddle.tools.course.student.attempt import attempt, recording
from minipaddle.tools.course.student.fence import arm
from minipaddle.tools.course.student.limits import limit
from minipaddle.tools.run.importer import install

_NEEDED_ONCE = (ctypes, minipaddle.paddle.Tensor)
"""Loaded before the fence is up: loading ctypes opens the interpreter itself."""


def main() -> None:
    """Say that all is ready, load the file of the first message, and answer each that follows, until none does."""
    requests, answers = _private_channel()
    job = from_line(requests.readline())
    install()
    limit(job["limits"])
    place = job["file"]
    os.chdir(os.path.dirname(place))
    arm(answers.fileno(), os.path.dirname(place))
    answers.write(to_line({"answer": "ready"}))
    space: dict[str, Any] = {}
    answers.write(attempt(place, lambda: space.update(_loaded(place, job))))
    while line := requests.readline():
        asked = from_line(line)
        question, arguments = space[asked["question"]], asked["arguments"]
        record = recording if asked["record"] else _plain
        answers.write(attempt(place, record, place, question, space["student"], arguments))


def _private_channel() -> tuple[IO[bytes], IO[bytes]]:
    """Return what standard input and output were; they are now empty, and standard error."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb", buffering=0)


def _loaded(place: str, job: dict[str, Any]) -> dict[str, Any]:
    """Return the grader's questions, and the student's file as the module ``student``."""
    name = os.path.basename(place).removesuffix(".py")
    sys.path.insert(0, os.path.dirname(place))
    space: dict[str, Any] = {}
    exec(compile(job["questions"], "<questions>", "exec"), space)
    text = job["text"]
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place
    student = ModuleType(name)
    student.__file__ = place
    sys.modules[name] = student
    exec(compile(text, place, "exec"), vars(student))
    return space | {"student": student}


def _plain(place: str, question: Callable[..., Any], student: ModuleType, arguments: list[Any]) -> Any:
    return question(student, *arguments)


if __name__ == "__main__":
    main()
