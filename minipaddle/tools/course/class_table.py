"""A class: a folder for each student, all their tasks graded side by side, as a table."""

import csv
import io
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path

from minipaddle.tools.course.grading import Grade, grade, grader_of
from minipaddle.tools.course.process import AS_USUAL, Limits
from minipaddle.tools.course.tasks import Task, task_of

_AS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Student:
    """One folder, and the tasks that were found in it."""

    name: str
    files: tuple[tuple[Task, Path], ...]


def students_in(place: Path, tasks: Sequence[Task]) -> list[Student]:
    """Return who handed in: one, if `place` is a task's file or a folder with some; else one for each folder in it.

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
        grader_of(task)  # a grader that cannot be used is told before anybody waits
    with ThreadPoolExecutor(at_once or os.cpu_count() or 1) as pool:
        waiting = [
            [pool.submit(copy_context().run, grade, task, file, seed, limits) for task, file in student.files]
            for student in students
        ]
        try:
            yield from ([one.result() for one in grades] for grades in waiting)
        finally:
            pool.shutdown(cancel_futures=True)  # after Ctrl-C the rest of a class does not run


def as_csv(students: Sequence[Student], graded: Sequence[Sequence[Grade]]) -> str:
    """Return a table: a line for each student, a column for each task that was handed in, and the sum.

    What was not handed in is empty. A name that a spreadsheet would take for a formula gets a quote in front.
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
        "tasks": [_grade_data(one) for one in grades],
    }


def _grade_data(one: Grade) -> dict[str, object]:
    return {
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
