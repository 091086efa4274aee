"""From a graph to a file: which engine draws, and what happens when it cannot.

In order: the program ``dot``; pygraphviz, which carries Graphviz inside; our own drawing, which needs nothing but
knows SVG only.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from minipaddle.viz.dot import to_dot
from minipaddle.viz.engines import ENGINES, Absent, Failed
from minipaddle.viz.graph import Graph
from minipaddle.viz.own_svg import to_svg

__all__ = ["FORMATS", "HINT", "OWN", "NoRenderer", "Rendered", "format_of", "render", "save"]

FORMATS = ("svg", "png", "pdf", "dot")
HINT = 'for the layered picture: pip install "minipaddle[svg]", or install Graphviz'
OWN = "tape"
"""What our own drawing is called among the engines."""


class NoRenderer(RuntimeError):
    """No engine on this machine makes the format asked for."""


@dataclass(frozen=True)
class Rendered:
    """A picture, and who drew it."""

    data: bytes
    engine: str
    remarks: tuple[str, ...] = ()


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the picture format that the suffix of a file name stands for, such as "svg".

    Raises:
        ValueError: if it stands for none.
    """
    suffix = Path(path).suffix
    if suffix.removeprefix(".").lower() not in FORMATS:
        raise ValueError(
            f"no picture format {suffix or 'without a suffix'}; there are: .{', .'.join(FORMATS)}"
        )
    return suffix.removeprefix(".").lower()


def render(graph: Graph, format: str, engine: str = "auto") -> Rendered:
    """Draw `graph` as "svg", "png", "pdf" or "dot" with the first engine that can, or with the one that is named.

    Raises:
        NoRenderer: for png and pdf without Graphviz, and if the engine named cannot draw it.
    """
    source = to_dot(graph)
    if format == "dot":
        return Rendered(source.encode(), "none needed")
    remarks: list[str] = []
    for name in ENGINES if engine == "auto" else [engine]:
        if name in ENGINES:
            try:
                data = _draw(name, source, format, remarks)
            except Absent as error:
                remarks += [str(error)] if engine == name else []
            except Failed as error:
                remarks.append(f"{name}: {error}")
            else:
                return Rendered(data, name, tuple(remarks))
    if engine in ENGINES:
        raise NoRenderer("; ".join([*remarks, "leave the engine to us (auto), and another one is tried"]))
    if format != "svg":
        raise NoRenderer("; ".join([*remarks, f"{format} needs Graphviz; {HINT}"]))
    return Rendered(to_svg(graph).encode(), OWN, (*remarks, *([HINT] if engine == "auto" else [])))


def _draw(name: str, source: str, format: str, remarks: list[str]) -> bytes:
    """Draw; if Graphviz trips over its own curves, once more with straight lines."""
    try:
        return ENGINES[name](source, format)
    except Failed as error:
        remarks.append(f"{name}: {error}; trying again with straight lines")
    return ENGINES[name](_with_straight_lines(source), format)


def _with_straight_lines(source: str) -> str:
    head = "digraph minipaddle {"
    return source.replace(head, f"{head}\n\tsplines=line", 1)


def save(graph: Graph, path: str | os.PathLike[str], engine: str = "auto") -> Rendered:
    """Draw into a file whose suffix says the format. The file appears whole or not at all.

    Raises:
        ValueError: for an unknown suffix.
        NoRenderer: as :func:`render`.
        OSError: if the place cannot be written.
    """
    target = Path(os.path.realpath(path))
    picture = render(graph, format_of(path), engine)
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".minipaddle-", delete=False) as file:
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
