"""A tutorial as a notebook: its cells, and a magic for each command in its prose.

The magics look at the reader's own cells, so changing a number in a cell changes the picture below it.
"""

import json
import re
from collections.abc import Iterable, Iterator
from importlib.abc import ExecutionLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from typing import Any

from minipaddle.tools.course.lessons import cells_of, code_of_notebook

_BEGIN = """\
import glob
import importlib.util
import sys

if importlib.util.find_spec("minipaddle") is None:
    wheels = ["minipaddle"] if sys.platform == "emscripten" else glob.glob("minipaddle-*.whl")
    if not wheels:
        raise ImportError("minipaddle is not installed: pip install '.[notebook]' in its folder does it")
    %pip install -q {wheels[-1]}
%load_ext minipaddle
# `import paddle` is minipaddle from here on; without this cell it is the real Paddle"""
"""The first cell. In a browser (emscripten) the site has the wheel; else it may lie beside the notebook."""

_SECTION = re.compile(r"\n+(?=## )")
_COMMAND = re.compile(r"^ {4}minipaddle (?!run )(\w+) \S+(.*)$", re.M)
_EMPTY = re.compile(r"^\s*\.\.\.\s*$", re.M)
"""Marks the place where a student writes."""
_OF_A_SCRIPT = re.compile(r" (?:-o|--passes) \S+")
"""Matches options for scripts only: a notebook shows its pictures itself, and records all passes."""

_TASK = re.compile(r"task\d+_\w+")
_LEFT = {"en": "## What is left of the first cell", "zh": "## 第一个单元里剩下的命令"}


def notebook_of(script: str, language: str = "en") -> str:
    """Return a percent script as an .ipynb whose magics speak a language: ``en`` or ``zh``.

    Magics follow the section that names their command; those of the head come last.
    """
    (_, head), *rest = cells_of(script)
    begin = _BEGIN if language == "en" else f"{_BEGIN}\n%language {language}"
    cells = [_markdown(head), _code(begin), *_with_magics(rest)]
    done = {cell["source"] for cell in cells}
    left = [typed for typed in _magics(head) if typed not in done]
    if left:
        cells += [_markdown(_LEFT[language]), *map(_code, left)]
    return notebook_text(cells)


def _with_magics(parts: Iterable[tuple[bool, str]]) -> Iterator[dict[str, Any]]:
    """Yield the cells, each section followed by its magics, or by the code that it announces and then its magics."""
    waiting: list[str] = []
    for is_prose, text in parts:
        if not is_prose:
            yield _code(text)
        yield from map(_code, waiting)
        waiting = []
        for section in _SECTION.split(text) if is_prose else ():
            yield from map(_code, waiting)
            yield _markdown(section)
            waiting = list(_magics(section))
    yield from map(_code, waiting)


def task_notebook(script: str, name: str, language: str = "en") -> str:
    """Return a task's skeleton, the file `name`, with nbgrader's metadata: cells to fill in, and one with points."""
    begin = _BEGIN if language == "en" else f"{_BEGIN}\n%language {language}"
    (_, head), *rest = cells_of(script)
    stem = name.removesuffix(".py")
    head_cells = {"statement": _markdown(head), "begin": _code(begin)}
    cells = [_graded(cell, f"{stem}-{name}", locked=True) for name, cell in head_cells.items()]
    for number, (is_prose, text) in enumerate(rest, 1):
        if is_prose:
            cells.append(_markdown(text))
        elif _EMPTY.search(text):
            cells.append(_graded(_code(text), f"{stem}-{number}", solution=True))
        else:
            cells.append(_code(text))
    cells.append(_graded(_code(f"%grade {name}"), f"{stem}-points", grade=True, locked=True, points=100))
    return notebook_text(cells)


def notebook_text(cells: Iterable[dict[str, Any]]) -> str:
    """Return the text of an .ipynb with these cells; equal cells always give the same text."""
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)]
    for cell in numbered:
        cell["source"] = cell["source"].splitlines(keepends=True)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    about = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook = {"cells": numbered, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(text: str) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text}


def _graded(cell: dict[str, Any], name: str, **about: int) -> dict[str, Any]:
    """Return a cell with nbgrader's metadata (schema version 3)."""
    plain = {"grade": False, "grade_id": name, "locked": False, "solution": False, "task": False}
    return cell | {"metadata": {"nbgrader": {**plain, **about, "schema_version": 3}}}


def _magics(prose: str) -> Iterator[str]:
    """Yield a magic for each command in a prose cell, without its script."""
    for command, words in _COMMAND.findall(prose):
        yield f"%{command}{_OF_A_SCRIPT.sub('', words)}"


class _Tasks(MetaPathFinder, ExecutionLoader):
    """Imports a task from the notebook in which it was solved: ``from task1_value import Value``."""

    def notebook_of_task(self, name: str) -> Path | None:
        """Return the notebook of a task; None if there is none, or the script next to it is newer."""
        notebook, script = Path(f"{name}.ipynb"), Path(f"{name}.py")
        if not _TASK.fullmatch(name) or not notebook.is_file():
            return None
        is_older = script.is_file() and script.stat().st_mtime > notebook.stat().st_mtime
        return None if is_older else notebook

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return None if self.notebook_of_task(fullname) is None else spec_from_loader(fullname, self)

    def get_filename(self, fullname: str) -> str:
        return f"{fullname}.ipynb"

    def get_source(self, fullname: str) -> str:
        """Return the code of a notebook's cells, without its magics."""
        return code_of_notebook(Path(self.get_filename(fullname)).read_text(encoding="utf-8"))


TASKS = _Tasks()
