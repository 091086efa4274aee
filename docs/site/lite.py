"""JupyterLite beside the pages: lessons and tasks as notebooks that run in the browser, our wheel and what it needs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat

from docs.site.lessons import TUTORIALS, blank
from docs.site.paths import BUILT, LANGUAGES, ROOT
from minipaddle.tools.cli.notebook.lesson import task_notebook
from minipaddle.tools.course import tasks
from minipaddle.tools.words.language import language, speak

LITE = BUILT / "lite"
_NEEDED = (
    "graphviz",
    "rich",
    "typer",
)  # pure Python; NumPy is Pyodide's own, SciPy is loaded by whom it needs
_CONTENTS = BUILT / "contents"
_WHEELS = BUILT / "wheels"


def build() -> int:
    """Build it; return how many notebooks it has."""
    for room in (LITE, _CONTENTS, _WHEELS):
        shutil.rmtree(room, ignore_errors=True)
    notebooks = [place for folder in LANGUAGES for place in (*_lessons(folder), *_tasks(folder))]
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run(*pip, "wheel", "--no-deps", "--wheel-dir", _WHEELS, ROOT)
    _run(*pip, "download", "--only-binary", ":all:", "--dest", _WHEELS, *_NEEDED)
    wheels = sorted(_WHEELS.glob("*-none-any.whl"))
    offered = [word for wheel in wheels for word in ("--piplite-wheels", wheel)]
    place = ["--contents", _CONTENTS, "--output-dir", LITE, "--lite-dir", _CONTENTS.parent / "lite-dir"]
    (BUILT / "lite-dir").mkdir(exist_ok=True)
    apps = [word for app in ("lab", "notebooks") for word in ("--apps", app)]
    _run(sys.executable, "-m", "jupyterlite_core", "build", *place, *apps, "--no-sourcemaps", *offered)
    return len(notebooks)


def _lessons(folder: str) -> Iterator[Path]:
    """Write the notebooks of the lessons in one language; yield their places."""
    for script in sorted(TUTORIALS.glob("[0-9]*.py")):
        yield _write(folder, f"{script.stem}.ipynb", nbformat.writes(blank(folder, script)))


def _tasks(folder: str) -> Iterator[Path]:
    """Write the notebooks of the tasks; yield their places. `%grade` in the last cell counts the points there."""
    spoken = language()
    speak(folder)
    for task in tasks():
        place = Path("tasks", task.place).with_suffix(".ipynb")
        yield _write(folder, place, task_notebook(task.text, task.name, folder))
    speak(spoken)


def _write(folder: str, name: str | Path, text: str) -> Path:
    target = _CONTENTS / folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return target


def _run(*command: object) -> None:
    """Run a tool; what it prints is shown if it fails."""
    done = subprocess.run(
        [str(word) for word in command], cwd=BUILT, check=False, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}\nsite: {command[2]} {command[3]} failed")
