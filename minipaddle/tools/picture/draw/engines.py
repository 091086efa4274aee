"""Who turns DOT text into a picture: programs of Graphviz, each run in a process of its own.

Graphviz crashes on some graphs and takes for ever on others. A process can do both without harm to ours; that is why
pygraphviz, which carries Graphviz as a library, gets one too.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from subprocess import PIPE, CompletedProcess, Popen
from typing import Protocol

from minipaddle.engine.names.translatable import phrase, phrases
from minipaddle.tools.words.language import Told


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


class Absent(Told, RuntimeError):
    """The engine is not installed, or lacks a library of the system."""


class Failed(Told, RuntimeError):
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
