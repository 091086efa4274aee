"""Grades a student's file: runs each claim, and adds up the points.

A class is a folder with a folder for each student: all their tasks are graded side by side, as a table.
"""

import csv
import io
import linecache
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.course.claims import Ask, Claim, Grader, read_grader
from minipaddle.tools.course.json_lines import from_line, to_line
from minipaddle.tools.course.lessons import Task, task_of
from minipaddle.tools.course.process import AS_USUAL, Ended, Limits, Raised, StudentProcess, told, wrong_in
from minipaddle.tools.course.student.attempt import attempt
from minipaddle.tools.record import Recorder
from minipaddle.tools.run.importer import paddle_is_minipaddle
from minipaddle.tools.words.language import say

HAS_PROCESSES = sys.platform not in ("emscripten", "wasi")


class StudentInside:
    """A student's code, run in this very process: for notebooks, and where there are no processes (a browser).

    The code is not isolated: it can read or change the grader, or run for ever. Work that counts for
    a mark is graded by :mod:`minipaddle.tools.course.process`.
    """

    ended = ""
    """Why the student's process ended: always "", as there is none."""

    def __init__(self, names: Mapping[str, Any], file: str, source: str, questions: str) -> None:
        self.source, self._file = source, file
        self._student = ModuleType(file.removesuffix(".py"))
        vars(self._student).update(names)
        self._questions: dict[str, Any] = {}
        with paddle_is_minipaddle():
            exec(compile(questions, "<questions>", "exec"), self._questions)

    def __call__(self, question: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of a question, which gets copies of its arguments. Raises Raised."""
        copied = from_line(to_line(list(arguments)))
        return _answer_of(self._file, self._questions[question.__name__], self._student, *copied)

    def wrong_gradient(self, question: Callable[..., Any], *arguments: Any) -> str | None:
        """Return the mistake that the gradient check finds in a run of a question, or None. Raises Raised."""
        recorder = Recorder(self._file)
        with watching(recorder):
            self(question, *arguments)
        return wrong_in(recorder.finish())


def loaded(file: str, text: str) -> dict[str, Any]:
    """Return the names that a student's file has when it was run, as an import would. Raises Raised."""
    names: dict[str, Any] = {"__name__": file.removesuffix(".py")}
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    _answer_of(file, lambda: exec(compile(text, file, "exec"), names))
    return names


def _answer_of(file: str, function: Callable[..., Any], *arguments: Any) -> Any:
    with paddle_is_minipaddle():
        return told(from_line(attempt(file, function, *arguments)), file)


_LARGEST = 1 << 20
"""Most bytes of a student's file, a megabyte: a longer one is no solution, and reading it would take long."""
_judging = threading.Lock()
"""Held while grading: the code below need not be thread-safe."""


@dataclass(frozen=True)
class Outcome:
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


@dataclass(frozen=True)
class Grade:
    """The grade of one file."""

    task: Task
    file: Path
    outcomes: tuple[Outcome, ...] = ()
    why: str = ""
    """Why there are no points at all, in one line; "" if the file was graded."""
    printed: str = ""

    @property
    def points(self) -> int:
        """The sum, out of 100."""
        return 0 if self.why else sum(one.points for one in self.outcomes)

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
        text = _text_of(file)
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
    with StudentProcess(file, text, grader_of(task).questions, limits, _Turn()) as student:
        outcomes = tuple(_outcomes(task, student, seed))
    return Grade(task, file, outcomes, student.ended, student.printed)


class _Turn:
    """Releases the grading lock while an answer is awaited, so that another file is graded meanwhile."""

    def __enter__(self) -> None:
        _judging.release()

    def __exit__(self, *raised: object) -> None:
        _judging.acquire()


def grade_inside(task: Task, names: Mapping[str, Any], file: Path, text: str, seed: int) -> Grade:
    """Return the grade of a student's names, run in this very process, without isolation from the grader."""
    student = StudentInside(names, file.name, text, grader_of(task).questions)
    return Grade(task, file, tuple(_outcomes(task, student, seed)))


def _outcomes(task: Task, student: StudentProcess | StudentInside, seed: int) -> Iterator[Outcome]:
    """Yield the outcome of each claim, until the student's process has ended."""
    for number, one in enumerate(grader_of(task).claims):
        if not student.ended:
            draw = np.random.default_rng([seed, number])
            yield Outcome(one, task.said(one.says), _judged(task, one, student, draw))


def _text_of(file: Path) -> str:
    """Return the text of a student's file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is **larger** than any answer, **no text**, or a **link**, which may lead to another's file.
    """
    if file.is_symlink() or file.absolute().parent.is_symlink():
        raise ValueError(say("it is a link, and no file of its own"))
    with file.open("rb") as opened:
        raw = opened.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        raise ValueError(say("it is larger than a megabyte"))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(say("it is no text in UTF-8")) from None


def _judged(task: Task, claim: Claim, ask: Ask, draw: np.random.Generator) -> str:
    """Return the mistake that a claim finds, or ""."""
    try:
        mistake = copy_context().run(claim.judge, ask, draw)  # which may use paddle: it leaves nothing behind
        return task.said(mistake) if mistake else ""
    except (Raised, Ended) as error:
        return str(error)
    except Exception:  # the judge failed on an answer of unexpected form
        return say(
            "what it answers is of another kind than what was asked for: {says}", says=task.said(claim.says)
        )


_AS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Student:
    """One folder, and the tasks that were found in it."""

    name: str
    files: tuple[tuple[Task, Path], ...]


def students_in(place: Path, tasks: Sequence[Task]) -> list[Student]:
    """Return the students: one if `place` is a task's file or a folder of such files, else one per subfolder.

    Raises OSError: a folder cannot be read.
    """
    if not place.is_dir():
        task = task_of(place, tasks)
        return [Student(place.resolve().parent.name, ((task, place),) if task and place.is_file() else ())]
    own = tuple(_handed_in(place, tasks))
    if own:
        return [Student(place.resolve().name, own)]
    folders = sorted(one for one in place.iterdir() if one.is_dir() and not one.name.startswith("."))
    return [Student(one.name, tuple(_handed_in(one, tasks))) for one in folders]


def _handed_in(folder: Path, tasks: Sequence[Task]) -> Iterator[tuple[Task, Path]]:
    """Yield each task whose file is in a folder, or in the folder of its lesson within it."""
    for task in tasks:
        for file in (folder / task.place, folder / task.name):
            if file.is_file():
                yield task, file
                break


def grade_all(
    students: Sequence[Student], seed: int, limits: Limits = AS_USUAL, at_once: int | None = None
) -> Iterator[list[Grade]]:
    """Yield the grades of each student in order; as many files at once as there are processors."""
    for task in {task for student in students for task, _ in student.files}:
        grader_of(task)  # report an unusable grader before a long wait
    with ThreadPoolExecutor(at_once or os.cpu_count() or 1) as pool:
        waiting = [
            [pool.submit(copy_context().run, grade, task, file, seed, limits) for task, file in student.files]
            for student in students
        ]
        try:
            yield from ([one.result() for one in grades] for grades in waiting)
        finally:
            pool.shutdown(cancel_futures=True)  # after Ctrl-C the other files are not run


def as_csv(students: Sequence[Student], graded: Sequence[Sequence[Grade]]) -> str:
    """Return a table: a line for each student, a column for each task that was handed in, and the sum.

    A missing task is an empty cell. A name that a spreadsheet would read as a formula gets a quote in front.
    """
    columns = sorted({grade.task.place for grades in graded for grade in grades})
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", *columns, "points"])
    for student, grades in zip(students, graded, strict=True):
        points = {grade.task.place: grade.points for grade in grades}
        name = f"'{student.name}" if student.name.startswith(_AS_A_FORMULA) else student.name
        writer.writerow([name, *(points.get(column, "") for column in columns), sum(points.values())])
    return out.getvalue()


def as_data(student: Student, grades: Sequence[Grade]) -> dict[str, object]:
    """Return the grades of one student as JSON data."""
    return {
        "student": student.name,
        "points": sum(one.points for one in grades),
        "of": 100 * len(grades),
        "tasks": [
            {
                "task": one.task.place,
                "title": one.task.title,
                "file": str(one.file),
                "points": one.points,
                "of": 100,
                "why": one.why,
                "claims": [
                    {"says": part.says, "points": part.points, "of": part.claim.points, "hint": part.hint}
                    for part in one.outcomes
                ],
            }
            for one in grades
        ],
    }
