"""From a graph to a drawing in a file: Graphviz draws it, and here is what happens when it cannot.

The program ``dot`` is asked first, then pygraphviz, which carries Graphviz inside.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from minipaddle.engine.names.translatable import phrase, phrases
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.engines import ENGINES, Absent, Engine, Failed, Hung
from minipaddle.tools.picture.draw.theme import Style
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.words.language import Told, reason

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


class NoRenderer(Told, RuntimeError):
    """No engine on this machine makes the format asked for."""


@dataclass(frozen=True)
class Rendered:
    """A picture, and who drew it."""

    data: bytes
    engine: str = NO_ENGINE
    remarks: tuple[str, ...] = ()


def render(graph: Graph, format: str, engine: str = "auto", style: Style | None = None) -> Rendered:
    """Draw `graph` as "svg", "png", "pdf" or "dot" with the first engine that can, or with the one that is named.

    Raises NoRenderer without Graphviz or the package that writes its language; if the engine named cannot draw it.
    """
    try:
        source = to_dot(graph, style)
    except ImportError:
        raise NoRenderer("{what} needs the Python package graphviz", what=format) from None
    if format == "dot":
        return Rendered(source.encode())
    remarks: list[str] = []
    absent = True
    for name in ENGINES if engine == "auto" else [engine]:
        try:
            data = _draw(name, source, format, remarks)
        except Absent as error:
            remarks += [reason(error)] if engine == name else []
        except Failed as error:
            absent = False
            remarks.append(phrase("{before}: {after}", before=name, after=error))
        else:
            return Rendered(data, name, tuple(remarks))
    if engine != "auto":
        last = phrase("leave the engine to us (auto), and another one is tried")
    elif absent:
        last = phrase("{format} needs Graphviz: {hint}", format=format, hint=HINT)
    else:
        last = _SMALLER
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
