"""A class: the files of each student, the task that each of them answers, and the table of grades.

What lies in a student's folder is graded or named; read :mod:`minipaddle.tools.course.grading` first.
"""

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from typing import NamedTuple

from minipaddle.tools.course.claims import FULL
from minipaddle.tools.course.grading import Grade, grade, grader_of, text_of
from minipaddle.tools.course.learner import Progress
from minipaddle.tools.course.lessons import Task
from minipaddle.tools.course.process import AS_USUAL, Limits
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import say

_AS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


_MOST = 20
"""Files of a student that are named without a grade: of a whole environment that was handed in, the first ones do."""


class Student(NamedTuple):
    """One folder, and the tasks that were found in it."""

    name: str
    files: tuple[tuple[Task, Path], ...]
    left: tuple[tuple[str, str], ...] = ()
    """Each other file in the folder, and why it was not graded."""
    hints: Mapping[str, int] | None = None
    """How many hints of each task were read, as the folder's progress file has it; None: there is none."""


def students_in(place: Path, tasks: Sequence[Task]) -> list[Student]:
    """Return the students: one if `place` is a task's file or a folder of such files, else one per subfolder.

    Raises OSError: a folder cannot be read.
    """
    if not place.is_dir():
        task = task_of(place, tasks)
        return [Student(place.resolve().parent.name, ((task, place),) if task and place.is_file() else ())]
    folders = sorted(one for one in place.iterdir() if one.is_dir() and not one.name.startswith("."))
    inside = [_student(one, tasks) for one in folders]
    named = [one for one in inside if one.files and not one.name.isdecimal()]
    own = any((place / name).is_file() for task in tasks for name in (task.place, task.name))
    beside = _student(place, tasks, [one for one in place.iterdir() if one.is_file()])
    if (own and len(named) < 2) or not any(one.files for one in inside):
        return [_student(place, tasks)]
    return [*([beside] if beside.files or beside.left else []), *inside]


def task_of(file: Path, among: Sequence[Task]) -> Task | None:
    """Return the task that a student's file answers: its name may have a name or a number more, or be a notebook's."""
    known = file.suffix.lower() in (".py", ".ipynb") and not file.stem.endswith(".check")
    found = [one for one in among if known and one.stem.lower() in file.name.lower()]
    return max(found, key=lambda task: len(task.stem), default=None)


def _student(folder: Path, tasks: Sequence[Task], among: Sequence[Path] | None = None) -> Student:
    """Return the student of a folder: of several files for a task the likeliest is graded, the others are named."""
    progress, graded = Progress(folder), []
    files = _files(folder) if among is None else sorted(among)
    found = grouped((task_of(file, tasks), file) for file in files)
    others = (file for file in found.get(None, ()) if file != progress.file)
    left = [(str(file.relative_to(folder)), say("it is no task's file")) for file in others]
    for task in tasks:
        if answers := sorted(found.get(task, ()), key=lambda file: _rank(task, file, folder)):
            graded.append((task, answers[0]))
            why = say("{file} was graded", file=answers[0].relative_to(folder))
            left += [(str(file.relative_to(folder)), why) for file in answers[1:]]
    more = [(f"+{len(left) - _MOST}", say("more files"))] if len(left) > _MOST else []
    hints = progress.hints if progress.file.is_file() else None
    return Student(folder.resolve().name, tuple(graded), (*left[:_MOST], *more), hints)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, without hidden ones and what Python and the command wrote."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one[0] not in "._")
        for name in sorted(names):
            if name[0] != "." and not name.endswith((".pyc", ".py.old")):
                yield Path(place, name)


def _rank(task: Task, file: Path, folder: Path) -> tuple[bool, bool, bool, int, str]:
    """Return the order among files for one task: something is written in it, named rightly, a script, near, by name."""
    untouched = True
    with suppress(OSError, ValueError):
        untouched = task.is_untouched(text_of(file))
    depth = 0 if file in (folder / task.place, folder / task.name) else len(file.relative_to(folder).parts)
    return untouched, file.stem != task.stem, file.suffix != ".py", depth, str(file)


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
    """Return a table: a line for each student, a column for each task that was handed in, hints read, and the sum.

    A missing task is an empty cell. A name that a spreadsheet would read as a formula gets a quote in front; a table
    with other letters than English ones begins with a BOM, without which Excel misreads them.
    """
    columns = sorted({grade.task.place for grades in graded for grade in grades})
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([say("student"), *columns, say("hints"), say("points")])
    for student, grades in zip(students, graded, strict=True):
        points = {grade.task.place: grade.points for grade in grades}
        name = f"'{student.name}" if student.name.startswith(_AS_A_FORMULA) else student.name
        hints = "" if student.hints is None else sum(student.hints.values())
        cells = (points.get(column, "") for column in columns)
        writer.writerow([name, *cells, hints, sum(points.values())])
    table = out.getvalue()
    return table if table.isascii() else f"\ufeff{table}"


def as_data(student: Student, grades: Sequence[Grade]) -> dict[str, object]:
    """Return the grades of one student as JSON data."""
    return {
        "student": student.name,
        "points": sum(one.points for one in grades),
        "of": 100 * len(grades),
        "not graded": [{"file": file, "why": why} for file, why in student.left],
        "tasks": [
            {
                "task": one.task.place,
                "title": one.task.title,
                "file": str(one.file),
                "points": one.points,
                "of": FULL,
                "why": one.why,
                "hints": None if student.hints is None else student.hints.get(one.task.name, 0),
                "claims": [
                    {"says": part.says, "points": part.points, "of": part.claim.points, "hint": part.hint}
                    for part in one.outcomes
                ],
            }
            for one in grades
        ],
    }
