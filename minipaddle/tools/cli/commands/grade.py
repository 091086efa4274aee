"""`minipaddle grade`: points for a task's file, for a folder of them, or for a class."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import ExitCode, fail, failing_at, note, print_json, print_line, results
from minipaddle.tools.words.language import say

if TYPE_CHECKING:
    from minipaddle.tools.course.grading import Grade

Seconds = Annotated[int, Option(min=1, help="How long one file may run.")]
Megabytes = Annotated[int, Option(min=256, help="How much memory one file may take.")]
Tasks = Annotated[
    Path | None, Option("--tasks", metavar="FOLDER", help="Tasks of your own: NN/taskK_name.py in it.")
]


def grade(
    place: Annotated[
        Path, Argument(metavar="FILE_OR_FOLDER", help="A task's file, a student's folder, or a class.")
    ],
    as_json: common.AsJson = False,
    as_csv: Annotated[bool, Option("--csv", help="A table: a line for each student.")] = False,
    seconds: Seconds = 10,
    megabytes: Megabytes = 2048,
    tasks: Tasks = None,
    seed: Annotated[
        int | None, Option(min=0, help="Draw the inputs from this number, as a grading before did.")
    ] = None,
) -> None:
    """Grade a task's file, a folder of them, or a class: a folder with a folder for each student.

    Each file runs in a process of its own, with limits. Exit code 3: points are missing.
    """
    from minipaddle.tools.course.classes import as_csv as table_of
    from minipaddle.tools.course.classes import as_data, grade_all, students_in
    from minipaddle.tools.course.lessons import tasks as tasks_in
    from minipaddle.tools.course.process import Limits
    from minipaddle.tools.course.student.kernel import missing

    if as_json and as_csv:
        fail("--json or --csv: one of them")
    with failing_at(place):
        place.stat()
        students = students_in(place, tasks_in(tasks))
    if not any(student.files for student in students):
        fail("{place}: there is no task's file; a task is known by its name, as task1_cube.py", place=place)
    drawn = secrets.randbelow(1 << 32) if seed is None else seed
    graded = list(_shown(grade_all(students, drawn, Limits(seconds, megabytes)), len(students)))
    if as_csv:
        typer.echo(table_of(students, graded).encode(), nl=False)  # in UTF-8, whatever the terminal speaks
        for student in students:
            for file, why in student.left:
                note("{student}/{file}: {why}", student=student.name, file=file, why=why)
    elif as_json:
        found = [as_data(student, grades) for student, grades in zip(students, graded, strict=True)]
        print_json({"seed": drawn, "students": found})
    else:
        for student, grades in zip(students, graded, strict=True):
            if len(students) > 1:
                print_line(results(), student.name)
            for one in grades:
                show_grade(one)
            for file, why in student.left:
                print_line(results(), f"      -  {file}: {why}")
    if not as_json and seed is None:
        note("the inputs were drawn: --seed {seed} draws them again", seed=drawn)
    if missing():
        note("only Python's audit hooks watch the files: this system has no Landlock or no seccomp")
    full = all(one.is_full for grades in graded for one in grades)
    raise Exit(ExitCode.OK if full else ExitCode.FINDING)


def _shown(grades: Iterator[list[Grade]], count: int) -> Iterator[list[Grade]]:
    """Yield the grades; if there are several students, a terminal shows progress meanwhile."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    hidden = count < 2 or not console.is_terminal
    yield from track(grades, description="", total=count, console=console, transient=True, disable=hidden)


def show_grade(one: Grade) -> None:
    """Write the points of one file, and a line for each claim."""
    console = results()
    print_line(console, f"{one.points:3}/100  {one.task.place}  {one.task.title}")
    if one.why:
        print_line(console, f"           {one.why}")
        return
    for part in one.outcomes:
        line = f"  {part.points:3}/{part.claim.points:<3}  {part.says}"
        print_line(console, f"{line}: {part.hint}" if part.hint else line)
    if one.points < sum(part.points for part in one.outcomes):
        print_line(
            console, f"           {say('as long as something is wrong, at most {points}', points=one.points)}"
        )
