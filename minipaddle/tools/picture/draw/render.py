"""From a graph to a drawing in a file: Graphviz's ``dot`` draws it, and here is what happens when it cannot.

It crashes on some graphs and takes for ever on others: a process of its own does both without harm to ours.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen

from minipaddle.engine.names.translatable import phrase, phrases
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.theme import Style
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.words.language import TranslatableError


def run(command: Sequence[str], given: bytes, seconds: float) -> CompletedProcess[bytes]:
    """Feed `given` to a program, and return how it ended and what it wrote; it is ended with its group.

    Raises OSError if it cannot be run, and TimeoutExpired if it takes longer than `seconds`.
    """
    with Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, process_group=0) as process:
        try:
            written, complaints = process.communicate(given, seconds)
        except BaseException:
            with suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:  # Windows has no groups of this kind
                    process.kill()
            raise
    return CompletedProcess(command, process.returncode, written, complaints)


SECONDS = 30.0
"""How long dot may take for a picture before it counts as hanging."""

_SIGNS = {"svg": (b"<svg", b"</svg>"), "png": (b"\x89PNG", b"IEND"), "pdf": (b"%PDF", b"%%EOF")}
"""Bytes near the beginning and at the end of a complete picture, by format."""
_NEAR = 2000


class NoRenderer(TranslatableError, RuntimeError):
    """Graphviz does not make the format asked for: it is not here, or cannot."""


class Failed(TranslatableError, RuntimeError):
    """``dot`` is there, and did not get this picture done."""


class Hung(Failed):
    """The engine exceeded its time limit."""


def dot(source: str, format: str) -> bytes:
    """Return the picture that ``dot`` draws. Raises NoRenderer if it is not here, Failed if it cannot."""
    program = shutil.which("dot")
    if program is None:
        raise NoRenderer("{format} needs Graphviz: {hint}", format=format, hint=HINT)
    try:
        done = run([program, f"-T{format}"], source.encode(), SECONDS)
    except subprocess.TimeoutExpired as error:
        raise Hung("no picture after {count} seconds", count=f"{SECONDS:g}") from error
    except OSError as error:
        raise NoRenderer("{format} needs Graphviz: {hint}", format=format, hint=HINT) from error
    if done.returncode or not done.stdout:
        raise Failed(_reason(done))
    if not _is_whole(done.stdout, format):
        raise Failed("what it wrote is no {format}", format=format)
    return done.stdout


def _is_whole(picture: bytes, format: str) -> bool:
    begins, ends = _SIGNS.get(format, (b"", b""))
    return begins in picture[:_NEAR] and ends in picture[-_NEAR:]


def _reason(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return a program's exit code and the last line of its error output."""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    ended = phrase("ended with exit code {code}", code=done.returncode)
    return phrases("{before}: {after}", [ended, *said[-1:]])


HINT = phrase("install Graphviz (the program dot); -o x.html does not need it")
_SMALLER = phrase("Graphviz does not get it done: --depth 1 makes it smaller, and .html is drawn in any case")
_ACROSS_FRAMES = "newrank=true "
FORMATS = ("svg", "png", "pdf", "dot", "json", "html")


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format that the suffix of a file name stands for, such as "svg".

    Raises ValueError if it stands for none.
    """
    suffix = Path(path).suffix
    if suffix.removeprefix(".").lower() not in FORMATS:
        formats = f".{', .'.join(FORMATS)}"
        if not suffix:
            raise ValueError(
                phrase("no picture format without a suffix; there are: {formats}", formats=formats)
            )
        raise ValueError(
            phrase("no picture format {suffix}; there are: {formats}", suffix=suffix, formats=formats)
        )
    return suffix.removeprefix(".").lower()


@dataclass(frozen=True)
class Rendered:
    """A picture, and the engine that drew it."""

    data: bytes
    engine: str = phrase("none needed")
    remarks: tuple[str, ...] = ()


def render(graph: Graph, format: str, style: Style | None = None) -> Rendered:
    """Draw `graph` as "svg", "png", "pdf" or "dot".

    Raises NoRenderer without Graphviz or the package that writes its language, and if it does not get it done.
    """
    try:
        source = to_dot(graph, style)
    except ImportError:
        raise NoRenderer("{what} needs the Python package graphviz", what=format) from None
    if format == "dot":
        return Rendered(source.encode())
    remarks: list[str] = []
    try:
        data = _draw(source, format, remarks)
    except Failed as error:
        remarks.append(phrase("{before}: {after}", before="dot", after=error))
        raise NoRenderer(phrases("{before}; {after}", [*remarks, _SMALLER])) from error
    return Rendered(data, "dot", tuple(remarks))


def _draw(source: str, format: str, remarks: list[str]) -> bytes:
    """Return the drawing; if Graphviz fails, try its old ranking of frames, then straight lines."""
    try:
        return _with_either_rank(source, format)
    except Failed as error:
        again = phrase("{reason}; trying again with straight lines", reason=error)
        remarks.append(phrase("{before}: {after}", before="dot", after=again))
    return dot(_with_straight_lines(source), format)


def _with_either_rank(source: str, format: str) -> bytes:
    """Return the drawing; Graphviz's new ranking fails for some graphs ("trouble in init_rank"): then use the old.

    Where nodes of several frames stand on one row, only the new way keeps them in their frames.
    """
    try:
        return dot(source, format)
    except Hung:
        raise
    except Failed:
        if "rank=same" in source or _ACROSS_FRAMES not in source:
            raise
        return dot(source.replace(_ACROSS_FRAMES, "", 1), format)


def _with_straight_lines(source: str) -> str:
    head = "digraph minipaddle {"
    return source.replace(" splines=true", "", 1).replace(head, f"{head}\n\tsplines=line", 1)
