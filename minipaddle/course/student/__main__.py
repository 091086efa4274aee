"""The student's process: loads the file, and answers questions with what it computes; it judges nothing.

Started by :mod:`minipaddle.course.process`. Its standard input and output become a private channel; what the file
prints goes to standard error, and it finds nothing to read.
"""

from __future__ import annotations

import ctypes
import io
import linecache
import os
import sys
from collections.abc import Callable
from traceback import walk_tb
from types import ModuleType
from typing import IO, Any

import minipaddle
from minipaddle.compat.importer import install
from minipaddle.core.watching import watching
from minipaddle.course.plain import from_line, to_line
from minipaddle.course.student.fence import arm
from minipaddle.course.student.limits import limit
from minipaddle.trace import Recorder
from minipaddle.trace.file import pack

_NEEDED_ONCE = (ctypes, minipaddle.Tensor)
"""Loaded before the fence is up: loading ctypes opens the interpreter itself."""


def main() -> None:
    """Load the file of the first message, and answer each that follows, until none does."""
    requests, answers = _private_channel()
    job = from_line(requests.readline())
    install()
    limit(job["limits"])
    place = job["file"]
    arm(answers.fileno(), os.path.dirname(place))
    space: dict[str, Any] = {}
    answers.write(_attempt(place, lambda: space.update(_loaded(place, job))))
    while line := requests.readline():
        asked = from_line(line)
        question, arguments = space[asked["question"]], asked["arguments"]
        record = _recording if asked["record"] else _plain
        answers.write(_attempt(place, record, place, question, space["student"], arguments))


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


def _recording(place: str, question: Callable[..., Any], student: ModuleType, arguments: list[Any]) -> bytes:
    """Return a recording of the run, as the bytes of a file."""
    recorder = Recorder(place)
    with watching(recorder):
        question(student, *arguments)
    packed = io.BytesIO()
    pack(recorder.finish(), packed)
    return packed.getvalue()


def _attempt(place: str, function: Callable[..., Any], *arguments: Any) -> bytes:
    """Return the message that tells what a function gave, or how it ended."""
    try:
        return to_line({"answer": function(*arguments)})
    except SystemExit:
        return to_line({"ended": "exit"})
    except BaseException as error:
        own = _own(place, error)
        if isinstance(own, MemoryError):
            return to_line({"ended": "memory"})
        return to_line({"raised": type(own).__name__, "text": _text(own), "line": _line(place, own)})


def _own(place: str, error: BaseException) -> BaseException:
    """Return the error that began in the student's file, if `error` is what the engine made of it."""
    cause = error.__cause__ or error.__context__
    return error if cause is None or not _line(place, cause) else _own(place, cause)


def _text(error: BaseException) -> str:
    """Return the first sentence of an error, of which the student's file may have made anything."""
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        lines = [line.strip() for line in text.splitlines()]
    except Exception:
        return ""
    return next(filter(None, lines), "")[:300]


def _line(place: str, error: BaseException) -> int:
    """Return the line of the student's file that an error came from, or 0."""
    if isinstance(error, SyntaxError) and error.filename == place:
        return error.lineno or 0
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == place]
    return lines[-1] if lines else 0


if __name__ == "__main__":
    main()
