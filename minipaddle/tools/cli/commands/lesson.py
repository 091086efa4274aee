"""`minipaddle lesson`: the tutorials, listed, copied to where you are, opened."""

from __future__ import annotations

import re
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from minipaddle.tools.cli.console import fail, failing_at, note, print_rows, results
from minipaddle.tools.words.language import language, say

if TYPE_CHECKING:
    from minipaddle.tools.course.lessons import Lesson

_COMMAND = re.compile(r"^# {5}(minipaddle (\w+) .*)$", re.M)


def lesson(
    name: Annotated[str | None, Argument(help="A tutorial: its number or its name.")] = None,
    notebook: Annotated[bool, Option("--notebook", help="Write a notebook (.ipynb) too.")] = False,
    show: Annotated[bool, Option("--open", help="Open it, as a notebook.")] = False,
    exercise: Annotated[
        bool, Option("--exercise", help="Write its tasks instead, to be completed and graded.")
    ] = False,
    force: Annotated[bool, Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """List the tutorials, or copy one into this directory and say what to do with it."""
    from minipaddle.tools.course.lessons import lesson_called, lessons

    there = lessons()
    if name is None:
        rows = [(f"{one.number:2}", one.title, one.shows) for one in there]
        print_rows(rows, width=1000)  # breaks no title: each keeps one line in a pipe
        note("`minipaddle lesson NUMBER` copies one into this directory")
        return
    chosen = lesson_called(name, there)
    if exercise:
        _write_tasks(chosen, notebook or show, force)
        return
    texts = {Path(chosen.file.name): chosen.text}
    if notebook or show:
        from minipaddle.tools.cli.notebook.lesson import notebook_of

        texts[Path(chosen.file.name).with_suffix(".ipynb")] = notebook_of(chosen.folded(0), language())
    written = [*texts]
    _write_all(texts, force)
    _say_what_next(chosen, written, there)
    if show and find_spec("notebook") is None and find_spec("jupyterlab") is None:
        note("there is no Jupyter here: pip install '.[notebook]' in minipaddle's folder")
    elif show and typer.launch(str(written[-1])) != 0:
        note("nothing here opens {file}", file=written[-1].name)


def _write_tasks(chosen: Lesson, notebook: bool, force: bool) -> None:
    """Write the skeletons of a lesson's tasks; exits with USAGE if it has none."""
    from minipaddle.tools.cli.notebook.lesson import task_notebook
    from minipaddle.tools.course.lessons import tasks

    chosen_tasks = [task for task in tasks() if task.lesson == chosen.number]
    if not chosen_tasks:
        fail("lesson {number} has no tasks", number=chosen.number)
    sheets = [sheet for task in chosen_tasks for sheet in (task, *task.milestones)]
    texts = {Path(sheet.place): sheet.text for sheet in sheets}
    for task in chosen_tasks if notebook else ():
        text = task_notebook(task.text, task.name, language())
        texts[Path(task.place).with_suffix(".ipynb")] = text
    _write_all(texts, force)
    for sheet in sheets:
        results().print(f"{sheet.place}: {sheet.title}", soft_wrap=True)
    results().print(f"  learn  minipaddle learn {chosen.number}", soft_wrap=True)
    results().print(f"  grade  minipaddle grade {chosen.number:02}", soft_wrap=True)


def _write_all(texts: dict[Path, str], force: bool) -> None:
    """Write files; exits with USAGE instead of overwriting a changed one."""
    from minipaddle.paddle.framework.whole_file import write_whole

    for path, text in texts.items():
        if path.exists() and not force and path.read_bytes() != text.encode():
            fail("{path} is there already, and differs; --force writes over it", path=path)
    for path, text in texts.items():
        with failing_at(path):
            write_whole(path, text.encode())


def _say_what_next(chosen: Lesson, written: list[Path], lessons: list[Lesson]) -> None:
    from minipaddle.tools.course.lessons import tasks
    from minipaddle.tools.words.terminal import padded

    show = partial(results().print, soft_wrap=True)
    show(f"{', '.join(path.name for path in written)}: {chosen.title}")
    for command, verb in _COMMAND.findall(chosen.text.partition("\n# %%\n")[0]):
        show(f"  {verb:6} {command}")
    if any(task.lesson == chosen.number for task in tasks()):
        show(f"  {padded(say('tasks'), 6)} minipaddle lesson {chosen.number} --exercise")
    for one in [one for one in lessons if one.number > chosen.number][:1]:
        show(f"  {padded(say('next'), 6)} minipaddle lesson {one.number}    ({one.title})")
