"""From a graph to a drawing in a file: programs of Graphviz draw it, and here is what happens when they cannot.

The program ``dot`` is asked first, then pygraphviz, which carries Graphviz inside. Graphviz crashes on some graphs and
takes for ever on others: a process of its own does both without harm to ours.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen
from typing import Protocol

from minipaddle.engine.names.translatable import phrase, phrases
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.theme import Style
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.words.language import TranslatableError


def run(command: Sequence[str], given: bytes, seconds: float) -> CompletedProcess[bytes]:
    """Feed `given` to a program, and return how it ended and what it wrote.

    Raises OSError if it cannot be run, and TimeoutExpired if it takes longer than `seconds`.
    """
    with Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, process_group=0) as process:
        try:
            written, complaints = process.communicate(given, seconds)
        except BaseException:
            _kill(process)
            raise
    return CompletedProcess(command, process.returncode, written, complaints)


def _kill(process: Popen[bytes]) -> None:
    """End a program with its group."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # Windows has no groups of this kind
            process.kill()


SECONDS = 30.0
"""How long an engine may take for a picture before it counts as hanging."""

_DRAW_WITH_PYGRAPHVIZ = """
import sys
try:
    from pygraphviz import AGraph
except (ImportError, OSError) as error:  # it needs libraries of the system, such as libX11
    sys.stderr.write(str(error))
    sys.exit(69)
source = sys.stdin.buffer.read().decode("utf-8")
graph = AGraph(string=source)
sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog=graph.graph_attr["layout"] or "dot"))
"""

_UNAVAILABLE = 69  # EX_UNAVAILABLE of sysexits.h, as in the program above


class Engine(Protocol):
    """Turns DOT text into a picture. Raises Absent or Failed."""

    def __call__(self, source: str, format: str) -> bytes:
        """Return the picture."""


_SIGNS = {"svg": (b"<svg", b"</svg>"), "png": (b"\x89PNG", b"IEND"), "pdf": (b"%PDF", b"%%EOF")}
"""What a picture has near its beginning, and at its end."""
_NEAR = 2000


class Absent(TranslatableError, RuntimeError):
    """The engine is not installed, or lacks a library of the system."""


class Failed(TranslatableError, RuntimeError):
    """The engine is there, and did not get this picture done."""


class Hung(Failed):
    """It did not get done in time."""


def _dot(source: str, format: str) -> bytes:
    program = shutil.which("dot")
    if program is None:
        raise Absent("there is no program `dot` on PATH")
    return _run([program, f"-T{format}"], source, format)


def _pygraphviz(source: str, format: str) -> bytes:
    if find_spec("pygraphviz") is None:
        raise Absent("pygraphviz is not installed")
    return _run([sys.executable, "-c", _DRAW_WITH_PYGRAPHVIZ, format], source, format)


ENGINES: dict[str, Engine] = {"dot": _dot, "pygraphviz": _pygraphviz}
"""The engines, in the order in which they are tried."""


def _run(command: Sequence[str], source: str, format: str) -> bytes:
    """Feed `source` to a program and return the picture that it writes."""
    try:
        done = run(command, source.encode(), SECONDS)
    except subprocess.TimeoutExpired as error:
        raise Hung("no picture after {count} seconds", count=f"{SECONDS:g}") from error
    except OSError as error:
        raise Absent("{name} cannot be run: {why}", name=command[0], why=error.strerror) from error
    if done.returncode == _UNAVAILABLE:
        raise Absent(_reason(done))
    if done.returncode or not done.stdout:
        raise Failed(_reason(done))
    if not _is_whole(done.stdout, format):
        raise Failed("what it wrote is no {format}", format=format)
    return done.stdout


def _is_whole(picture: bytes, format: str) -> bool:
    begins, ends = _SIGNS.get(format, (b"", b""))
    return begins in picture[:_NEAR] and ends in picture[-_NEAR:]


def _reason(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the last line of what a program complained about, and how it ended."""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    ended = phrase("ended with exit code {code}", code=done.returncode)
    return phrases("{before}: {after}", [ended, *said[-1:]])


HINT = phrase("install Graphviz (the program dot), or pip install pygraphviz; -o x.html needs neither")
_SMALLER = phrase("Graphviz does not get it done: --depth 1 makes it smaller, and .html is drawn in any case")
_ACROSS_FRAMES = "newrank=true "
NO_ENGINE = phrase("none needed")


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


class NoRenderer(TranslatableError, RuntimeError):
    """No engine on this machine makes the format asked for."""


@dataclass(frozen=True)
class Rendered:
    """A picture, and the engine that drew it."""

    data: bytes
    engine: str = NO_ENGINE
    remarks: tuple[str, ...] = ()


def render(graph: Graph, format: str, style: Style | None = None) -> Rendered:
    """Draw `graph` as "svg", "png", "pdf" or "dot" with the first engine that can.

    Raises NoRenderer without Graphviz or the package that writes its language.
    """
    try:
        source = to_dot(graph, style)
    except ImportError:
        raise NoRenderer("{what} needs the Python package graphviz", what=format) from None
    if format == "dot":
        return Rendered(source.encode())
    remarks: list[str] = []
    absent = True
    for name in ENGINES:
        try:
            data = _draw(name, source, format, remarks)
        except Absent:
            continue
        except Failed as error:
            absent = False
            remarks.append(phrase("{before}: {after}", before=name, after=error))
        else:
            return Rendered(data, name, tuple(remarks))
    last = phrase("{format} needs Graphviz: {hint}", format=format, hint=HINT) if absent else _SMALLER
    raise NoRenderer(phrases("{before}; {after}", [*remarks, last]))


def _draw(name: str, source: str, format: str, remarks: list[str]) -> bytes:
    """Draw; if Graphviz trips over its frames, rank them one by one; if over its own curves, draw straight lines."""
    draw = ENGINES[name]
    try:
        return _with_either_rank(draw, source, format)
    except Failed as error:
        again = phrase("{reason}; trying again with straight lines", reason=error)
        remarks.append(phrase("{before}: {after}", before=name, after=again))
    return draw(_with_straight_lines(source), format)


def _with_either_rank(draw: Engine, source: str, format: str) -> bytes:
    """Draw; the new way to rank nodes across frames fails for some graphs ("trouble in init_rank"), the old does not.

    Where nodes of several frames stand on one row, only the new way keeps them in their frames.
    """
    try:
        return draw(source, format)
    except Hung:
        raise
    except Failed:
        if "rank=same" in source or _ACROSS_FRAMES not in source:
            raise
        return draw(source.replace(_ACROSS_FRAMES, "", 1), format)


def _with_straight_lines(source: str) -> str:
    head = "digraph minipaddle {"
    return source.replace(" splines=true", "", 1).replace(head, f"{head}\n\tsplines=line", 1)
