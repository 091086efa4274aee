"""JupyterLite beside the pages: the lessons as notebooks that run in the browser, with our wheel and what it needs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from docs.site.lessons import TUTORIALS, blank
from docs.site.paths import BUILT, LANGUAGES, ROOT

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
    notebooks = [
        _write(folder, script) for folder in LANGUAGES for script in sorted(TUTORIALS.glob("[0-9]*.py"))
    ]
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


def _write(folder: str, script: Path) -> Path:
    target = _CONTENTS / folder / f"{script.stem}.ipynb"
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(blank(folder, script), target)
    return target


def _run(*command: object) -> None:
    """Run a tool; what it prints is shown if it fails."""
    done = subprocess.run(
        [str(word) for word in command], cwd=BUILT, check=False, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}\nsite: {command[2]} {command[3]} failed")
