"""`minipaddle doctor`: what is installed here, and which program will draw."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version

from minipaddle.cli.console import results

__all__ = ["doctor"]

Row = tuple[str, str, str]
"""State (a word: colour alone would say nothing in a file), subject, details."""


def doctor() -> None:
    """Report versions, and which drawing engines are there, in the order in which they are tried."""
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    for row in [*_versions(), *_engines(), _real_paddle(), _encoding()]:
        table.add_row(*row)
    results().print(table)


def _versions() -> Iterator[Row]:
    from minipaddle import __version__

    yield "ok", "minipaddle", __version__
    yield "ok", "python", f"{platform.python_version()} ({sys.executable})"
    for package in ("numpy", "scipy", "graphviz", "rich", "typer"):
        found = _version(package)
        yield ("ok", package, found) if found else ("missing", package, f"pip install {package}")


def _engines() -> Iterator[Row]:
    yield _dot()
    yield _pygraphviz()
    yield "ok", "own drawing", "svg and terminal; always there"


def _dot() -> Row:
    program = shutil.which("dot")
    if program is None:
        return "absent", "dot", "no such program on PATH; the next engine is used"
    try:
        answer = subprocess.run([program, "-V"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        return "broken", "dot", f"{program} does not start: {error}"
    return "ok", "dot", f"{answer.stderr.strip() or answer.stdout.strip()} ({program})"


def _pygraphviz() -> Row:
    found = _version("pygraphviz")
    if found is None:
        return "absent", "pygraphviz", 'for layered pictures without dot: pip install "minipaddle[svg]"'
    try:
        import pygraphviz  # may lack a system library: that is the question
    except (ImportError, OSError) as error:
        return "broken", "pygraphviz", f"{found} is installed and cannot be loaded: {error}"
    return "ok", "pygraphviz", f"{found} ({pygraphviz.__file__})"


def _real_paddle() -> Row:
    found = _version("paddlepaddle") or _version("paddlepaddle-gpu")
    return (
        "note",
        "real paddle",
        f"{found} is installed; minipaddle never touches it" if found else "not installed",
    )


def _encoding() -> Row:
    return "note", "output", f"{sys.stdout.encoding}; a character it lacks is shown as ?"


def _version(package: str) -> str | None:
    try:
        return installed_version(package)
    except PackageNotFoundError:
        return None
