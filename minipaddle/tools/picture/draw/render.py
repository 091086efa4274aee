"""From a graph to a drawing in a file, by Graphviz's ``dot``; and the remedies if that fails.

It crashes on some graphs and never ends on others: it runs in a process of its own, with a time limit.
"""

import os
import shutil
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen, TimeoutExpired
from typing import get_args

from minipaddle.tools.picture.choices import Format, Options
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.places import places
from minipaddle.tools.picture.draw.tex import to_tex
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.words.language import TranslatableError, phrase, phrases

SECONDS = 30.0
"""Time for one picture, after which dot counts as hanging: large ones take up to ten."""

_SIGNS = {
    "svg": (b"<svg", b"</svg>"),
    "png": (b"\x89PNG", b"IEND"),
    "pdf": (b"%PDF", b"%%EOF"),
    "json": (b"{", b"}"),
}
"""Bytes near the beginning and at the end of a complete picture, by format."""
_NEAR = 2000  # bytes at each end: comments may come before the first tag


class NoRenderer(TranslatableError, RuntimeError):
    """Graphviz is not installed, or does not support the format."""


class Failed(TranslatableError, RuntimeError):
    """``dot`` is installed, but could not draw this picture."""


class Hung(Failed):
    """The engine exceeded its time limit."""


def dot(source: str, format: str, *more: str) -> bytes:
    """Return the picture that ``dot`` draws, with `more` of its options.

    Raises NoRenderer if it is not installed, Failed if it fails.
    """
    program = shutil.which("dot")
    if program is None:
        raise NoRenderer(HINT)
    try:
        done = _run([program, f"-T{format}", *more], source.encode())
    except TimeoutExpired as error:
        raise Hung("no picture after {count} seconds", count=f"{SECONDS:g}") from error
    except OSError as error:
        raise NoRenderer(HINT) from error
    if done.returncode or not done.stdout:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        ended = phrase("ended with exit code {code}", code=done.returncode)
        raise Failed(phrases("{before}: {after}", [ended, *said[-1:]]))
    begins, ends = _SIGNS.get(format, (b"", b""))
    if begins not in done.stdout[:_NEAR] or ends not in done.stdout[-_NEAR:]:
        raise Failed("what it wrote is no {format}", format=format)
    return done.stdout


def _run(command: Sequence[str], given: bytes) -> CompletedProcess[bytes]:
    """Run a program with `given` as its input; return its exit code and output.

    If it takes too long or is interrupted, it is killed with all that it started. Raises TimeoutExpired and OSError.
    """
    with Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, process_group=0) as process:
        try:
            written, complaints = process.communicate(given, SECONDS)
        except BaseException:
            with suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:  # Windows has no such groups
                    process.kill()
            raise
    return CompletedProcess(command, process.returncode, written, complaints)


HINT = phrase("install Graphviz (the program dot); -o x.html does not need it")
_SMALLER = phrase("Graphviz does not get it done: --depth 1 makes it smaller, and .html is drawn in any case")
FORMATS = get_args(Format)


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format for the suffix of a file name, such as "svg".

    Raises ValueError for an unknown suffix.
    """
    suffix = Path(path).suffix
    format = suffix.removeprefix(".").lower()
    if format in FORMATS:
        return format
    formats = f".{', .'.join(FORMATS)}"
    if not suffix:
        raise ValueError(phrase("no picture format without a suffix; there are: {formats}", formats=formats))
    raise ValueError(
        phrase("no picture format {suffix}; there are: {formats}", suffix=suffix, formats=formats)
    )


@dataclass(frozen=True)
class Rendered:
    """A picture, and the engine that drew it."""

    data: bytes
    engine: str = phrase("none needed")
    remarks: tuple[str, ...] = ()


def render(graph: Graph, format: str, options: Options | None = None) -> Rendered:
    """Draw `graph` as "svg", "png", "pdf", "tex" or "dot".

    Raises NoRenderer without Graphviz or the package that writes its language, and if Graphviz fails.
    """
    try:
        source = to_dot(graph, options)
    except ImportError:
        raise NoRenderer("{what} needs the Python package graphviz", what=format) from None
    if format == "dot":
        return Rendered(source.encode())
    remarks: list[str] = []
    options = options or Options()
    dpi = options.dpi
    more = [f"-Gdpi={dpi}"] if dpi and format == "png" else []
    try:
        placed = to_dot(graph, options, places(_layout(source, remarks)))
        data = dot(placed, "json0" if format == "tex" else format, "-Knop2", *more)
    except NoRenderer as error:
        raise NoRenderer("{format} needs Graphviz: {hint}", format=format, hint=error) from error
    except Failed as error:
        remarks.append(phrase("{before}: {after}", before="dot", after=error))
        raise NoRenderer(phrases("{before}; {after}", [*remarks, _SMALLER])) from error
    if format == "tex":
        data = to_tex(data, graph, options).encode()
    return Rendered(data, "dot", tuple(remarks))


def _layout(source: str, remarks: list[str]) -> bytes:
    """Return the layout; if Graphviz fails, try its old ranking of frames, then straight lines.

    The new ranking fails for some graphs ("trouble in init_rank"); only it keeps nodes of one row in their frames.
    """
    head = "digraph minipaddle {"
    other = source if "rank=same" in source else source.replace("newrank=true ", "", 1)
    for attempt in dict.fromkeys([source, other]):
        try:
            return dot(attempt, "json")
        except Failed as error:
            again = phrase("{reason}; trying again with straight lines", reason=error)
            if isinstance(error, Hung):
                break
    remarks.append(phrase("{before}: {after}", before="dot", after=again))
    return dot(source.replace(head, f"{head}\n\tsplines=line", 1), "json")
