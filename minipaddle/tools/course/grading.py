"""Grades a student's file: runs each claim, and adds up the points.

Read next: :mod:`minipaddle.tools.course.classes`, a class of students.
"""

import ast
import linecache
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from contextvars import copy_context
from functools import cache
from importlib.util import decode_source
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from minipaddle.importer import paddle_is_minipaddle
from minipaddle.tools.checks.gradient.unwritten import half_written, silent_backwards
from minipaddle.tools.course.claims import PASS, Ask, Claim, Ended, Grader, Raised, read_grader
from minipaddle.tools.course.lessons import Task, code_of_notebook
from minipaddle.tools.course.messages import asking, attempt, from_line, reply
from minipaddle.tools.course.process import AS_USUAL, Limits, StudentProcess, told
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import at_line

HAS_PROCESSES = sys.platform not in ("emscripten", "wasi")


class StudentInside(Ask):
    """A student's code, run in this very process: for notebooks, and where there are no processes (a browser).

    The code is not isolated: it can read or change the grader, or run for ever. Work that counts for
    a mark is graded by :mod:`minipaddle.tools.course.process`.
    """

    def __init__(self, names: Mapping[str, Any], file: str, source: str, questions: str) -> None:
        self.source, self._file = source, file
        student = ModuleType(file.removesuffix(".py"))
        vars(student).update(names)
        self._space: dict[str, Any] = {"student": student}
        with paddle_is_minipaddle():
            exec(compile(questions, "<questions>", "exec"), self._space)

    def _ask(self, question: Callable[..., Any], arguments: tuple[Any, ...], record: bool) -> Any:
        with paddle_is_minipaddle():
            answer = reply(self._file, self._space, asking(question, arguments, record))
        return told(from_line(answer), self._file)


def loaded(file: str, text: str) -> dict[str, Any]:
    """Return the names that a student's file has when it was run, as an import would. Raises Raised."""
    names: dict[str, Any] = {"__name__": file.removesuffix(".py")}
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    with paddle_is_minipaddle():
        told(from_line(attempt(file, lambda: exec(compile(text, file, "exec"), names))), file)
    return names


_LARGEST = 1 << 20
"""Most bytes of a student's file, a megabyte: a longer one is no solution, and reading it would take long."""
_judging = threading.Lock()
"""Held while grading: the code below need not be thread-safe."""


class Outcome(NamedTuple):
    """The outcome of one claim: points, or the mistake."""

    claim: Claim
    says: str
    """The text of the claim, in the reader's language."""
    hint: str
    """The mistake; "": it holds."""

    @property
    def points(self) -> int:
        """The points earned."""
        return 0 if self.hint else self.claim.points


class Grade(NamedTuple):
    """The grade of one file."""

    task: Task
    file: Path
    outcomes: tuple[Outcome, ...] = ()
    why: str = ""
    """Why there are no points at all, in one line; "" if the file was graded."""
    printed: str = ""

    @property
    def points(self) -> int:
        """The sum, out of 100; below a pass as long as something is wrong."""
        earned = 0 if self.why else sum(one.points for one in self.outcomes)
        return earned if self.is_full else min(earned, PASS - 1)

    @property
    def is_full(self) -> bool:
        """Whether all points were earned."""
        return not self.why and all(not one.hint for one in self.outcomes)

    @property
    def hint(self) -> str:
        """The first mistake; "" if there is none."""
        return self.why or next((one.hint for one in self.outcomes if one.hint), "")


@cache
def grader_of(task: Task) -> Grader:
    """Return a task's grader, read once. Raises BadGrader: it cannot be used."""
    return read_grader(task.grader)


def grade(task: Task, file: Path, seed: int, limits: Limits = AS_USUAL) -> Grade:
    """Return the points of a student's file; the inputs are drawn from `seed`."""
    try:
        text = text_of(file)
    except OSError as error:
        return Grade(task, file, why=say("it cannot be read: {reason}", reason=error.strerror or error))
    except ValueError as error:
        return Grade(task, file, why=str(error))
    with _judging:
        return _graded(task, file, text, seed, limits)


def _graded(task: Task, file: Path, text: str, seed: int, limits: Limits) -> Grade:
    if task.is_untouched(text):
        return Grade(task, file, why=say("nothing is written in it yet"))
    if not HAS_PROCESSES:
        try:
            return grade_inside(task, loaded(file.name, text), file, text, seed)
        except (Raised, Ended) as error:
            return Grade(task, file, why=str(error))
    with _TakingTurns(file, text, grader_of(task).questions, limits) as student:
        outcomes = tuple(_outcomes(task, student, seed))
    return Grade(task, file, outcomes, student.ended, student.printed)


class _TakingTurns(StudentProcess):
    """Releases the grading lock while an answer is awaited, so that another file is graded meanwhile."""

    def _received(self) -> bytes:
        _judging.release()
        try:
            return super()._received()
        finally:
            _judging.acquire()


def grade_inside(task: Task, names: Mapping[str, Any], file: Path, text: str, seed: int) -> Grade:
    """Return the grade of a student's names, run in this very process, without isolation from the grader."""
    student = StudentInside(names, file.name, text, grader_of(task).questions)
    return Grade(task, file, tuple(_outcomes(task, student, seed)))


def _outcomes(task: Task, student: Ask, seed: int) -> Iterator[Outcome]:
    """Yield the outcome of each claim, until the student's process has ended."""
    for number, one in enumerate(grader_of(task).claims):
        if not student.ended:
            draw = np.random.default_rng([seed, number])
            yield Outcome(one, task.said(one.says), _judged(task, one, student, draw))


def text_of(file: Path) -> str:
    """Return the text of a student's file. Raises OSError if it cannot be read.

    Raises ValueError if it is larger than any answer, no text, or a link, which may lead to another's file.
    """
    if file.is_symlink() or file.absolute().parent.is_symlink():
        raise ValueError(say("it is a link, and no file of its own"))
    with file.open("rb") as opened:
        raw = opened.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        raise ValueError(say("it is larger than a megabyte"))
    try:
        text = decode_source(raw)
        return code_of_notebook(text) if file.suffix == ".ipynb" else text
    except (SyntaxError, UnicodeDecodeError, LookupError):
        with suppress(UnicodeDecodeError):
            raw.decode("gbk")
            raise ValueError(say("it is no text in UTF-8, but may be one in GBK: save it as UTF-8")) from None
        raise ValueError(say("it is no text in UTF-8: save it as UTF-8")) from None


def _judged(task: Task, claim: Claim, ask: Ask, draw: np.random.Generator) -> str:
    """Return the mistake that a claim finds, or ""."""
    try:
        mistake = copy_context().run(claim.judge, ask, draw)  # which may use paddle: it leaves nothing behind
        if not mistake:
            return ""
        half = _half_written(task, ask.source) if ask.last is None else _replaced(task, ask.source)
        return half or task.said(mistake)
    except Ended as error:
        return str(error)
    except Exception as error:  # also the judge's, which failed on an answer of unexpected form
        if isinstance(error, Raised) and error.is_the_students:
            return str(error)
        engines = str(error) if isinstance(error, Raised) and error.is_the_engines else ""
        return _half_written(task, ask.source) or engines or _of_another_kind(task, claim, ask.source)


def _of_another_kind(task: Task, claim: Claim, source: str) -> str:
    """Return the sentence about a result in which a claim finds no numbers, with the line that returns it."""
    asked = [one.name for one in half_written(task.original) if one.is_empty]
    asked = [name for name in asked if name in claim.says] or asked
    functions = (one for one in ast.walk(ast.parse(source)) if getattr(one, "name", "") in asked)
    lines = [one.lineno for made in functions for one in ast.walk(made) if isinstance(one, ast.Return)]
    told = say("what `{name}` returns is of another kind than what was asked for", name=asked[-1])
    return at_line(told, task.name, max(lines)) if lines else told


def _half_written(task: Task, source: str) -> str:
    """Return the sentence about a part of Paddle that is replaced, or a function that is half written, or ""."""
    asked = {one.name for one in half_written(task.original) if one.is_empty}
    found = (one for one in half_written(source) if one.name in asked)
    said = (at_line(one.says, task.name, one.line) for one in (*silent_backwards(source), *found))
    return _replaced(task, source) or next(said, "")


_REPLACES = re.compile(r"(?:^|= )(paddle(?:\.\w+)+) = |^setattr\((paddle[\w.]*), '(\w+)',")


def _replaced(task: Task, source: str) -> str:
    """Return the sentence about a part of Paddle that is replaced, or ""."""
    for one in ast.walk(ast.parse(source)):
        if isinstance(one, ast.Assign | ast.Expr) and (found := _REPLACES.search(ast.unparse(one))):
            name = ".".join(filter(None, found.groups()))
            what = say("it replaces {name}, which the grader asks with", name=name)
            return at_line(what, task.name, one.lineno)
    return ""
