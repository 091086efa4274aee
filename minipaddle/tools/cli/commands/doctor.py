"""`minipaddle doctor`: what is installed here, and which program will draw."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version

from minipaddle.tools.cli.console import note, print_rows
from minipaddle.tools.words.language import say

Row = tuple[str, str, str]
"""State (a word: colour alone would say nothing in a file), subject, details."""


def doctor() -> None:
    """Report versions, and which drawing engines are there, in the order in which they are tried."""
    from minipaddle.tools.picture.draw.render import HINT
    from minipaddle.tools.words.terminal import word

    engines = list(_engines())
    rows = [*_versions(), *engines, _real_paddle(), _encoding()]
    print_rows((word(state), subject, details) for state, subject, details in rows)
    if not any(state == "ok" for state, *_ in engines):
        note(HINT)


def _versions() -> Iterator[Row]:
    from minipaddle import __version__

    yield "ok", "minipaddle", __version__
    yield "ok", "python", f"{platform.python_version()} ({sys.executable})"
    for package in ("numpy", "scipy", "graphviz", "rich", "typer"):
        found = _version(package)
        yield ("ok", package, found) if found else ("missing", package, f"pip install {package}")


def _engines() -> Iterator[Row]:
    from minipaddle.tools.picture.draw.engines import facts

    for fact in facts():
        yield "ok" if fact.works else "no", fact.name, fact.remark


def _real_paddle() -> Row:
    found = _version("paddlepaddle") or _version("paddlepaddle-gpu")
    if not found:
        return "note", say("real paddle"), say("not installed")
    remark = say("{version} is installed; minipaddle never touches it", version=found)
    return "note", say("real paddle"), remark


def _encoding() -> Row:
    remark = say("{encoding}; a character it lacks is shown as ?", encoding=sys.stdout.encoding)
    return "note", say("output"), remark


def _version(package: str) -> str | None:
    try:
        return installed_version(package)
    except PackageNotFoundError:
        return None
