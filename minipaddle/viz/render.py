"""From a graph to a file: which engine draws, and what happens when it cannot.

In order: the program ``dot``; pygraphviz, which carries Graphviz inside; our own drawing, which needs nothing but
knows SVG only.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from minipaddle.viz.dot import to_dot
from minipaddle.viz.graph import Graph
from minipaddle.viz.own_svg import to_svg

__all__ = ["FORMATS", "HINT", "Engine", "NoRenderer", "Rendered", "render", "save"]

FORMATS = ("svg", "png", "pdf", "dot")
HINT = 'for the layered picture: pip install "minipaddle[svg]", or install Graphviz'
_SECONDS = 120


class NoRenderer(RuntimeError):
    """No engine on this machine makes the format asked for."""


@dataclass(frozen=True)
class Rendered:
    """A picture, and who drew it."""

    data: bytes
    engine: str
    remarks: tuple[str, ...] = ()


Engine = Callable[[str, str], bytes]
"""(DOT text, format) -> picture. Raises OSError, ImportError or RuntimeError where it cannot."""


def _dot_program(source: str, format: str) -> bytes:
    import graphviz

    try:
        picture: bytes = graphviz.Source(source).pipe(format=format, quiet=True)
    except graphviz.ExecutableNotFound as error:
        raise OSError("there is no program `dot` on PATH") from error
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"dot failed: {error}") from error
    return picture


def _pygraphviz(source: str, format: str) -> bytes:
    from pygraphviz import AGraph

    picture: bytes = AGraph(string=source).draw(format=format, prog="dot")
    return picture


ENGINES: dict[str, Engine] = {"dot": _dot_program, "pygraphviz": _pygraphviz}


def render(graph: Graph, format: str) -> Rendered:
    """Draw `graph` as "svg", "png", "pdf" or "dot" with the first engine that can.

    Raises:
        NoRenderer: for png and pdf without Graphviz.
        ValueError: for another format.
    """
    if format not in FORMATS:
        raise ValueError(f"no picture format {format!r}; there are {', '.join(FORMATS)}")
    source = to_dot(graph)
    if format == "dot":
        return Rendered(source.encode(), "text")
    remarks: list[str] = []
    for name, engine in ENGINES.items():
        for spline in ("", "line"):
            try:
                return Rendered(engine(_with_splines(source, spline), format), name, tuple(remarks))
            except (OSError, ImportError) as error:
                break  # not installed: no second try
            except RuntimeError as error:
                remarks.append(f"{name}: {error}")
    if format != "svg":
        raise NoRenderer(f"{format} needs Graphviz; " + HINT)
    return Rendered(to_svg(graph).encode(), "own drawing", (*remarks, HINT))


def _with_splines(source: str, kind: str) -> str:
    """Ask for simpler curves: `dot` is known to fail on some graphs with the usual ones."""
    return source.replace("digraph minipaddle {", f"digraph minipaddle {{\n\tsplines={kind}", 1) if kind else source


def save(graph: Graph, path: str | os.PathLike[str]) -> Rendered:
    """Draw into a file whose suffix says the format. The file appears whole or not at all.

    Raises:
        ValueError: for an unknown suffix.
        NoRenderer: as :func:`render`.
        OSError: if the place cannot be written.
    """
    target = Path(path)
    picture = render(graph, target.suffix.removeprefix(".").lower())
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        try:
            file.write(picture.data)
            file.close()
            os.chmod(file.name, 0o666 & ~_umask())
            os.replace(file.name, target)
        except BaseException:
            os.unlink(file.name)
            raise
    return picture


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
