"""From a graph to a drawing: which engine draws, and what happens when it cannot.

In order: the program ``dot``; pygraphviz, which carries Graphviz inside; our own drawing, which needs nothing but
knows SVG only.
"""

from __future__ import annotations

from dataclasses import dataclass

from minipaddle.viz.dot import HUGE, to_dot
from minipaddle.viz.engines import ENGINES, Absent, Failed
from minipaddle.viz.model import Graph
from minipaddle.viz.own_svg import to_svg
from minipaddle.viz.style import Style

__all__ = ["HINT", "OWN", "NoRenderer", "Rendered", "render"]

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


def render(graph: Graph, format: str, engine: str = "auto", style: Style | None = None) -> Rendered:
    """Draw `graph` as "svg", "png", "pdf" or "dot" with the first engine that can, or with the one that is named.

    Raises:
        NoRenderer: for png and pdf without Graphviz, and if the engine named cannot draw it.
    """
    source = to_dot(graph, style)
    if format == "dot":
        return Rendered(source.encode(), "none needed")
    if format == "svg" and engine == "auto" and style is not None and _is_a_long_tape(graph, style):
        return Rendered(to_svg(graph, style).encode(), OWN)
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
    return Rendered(to_svg(graph, style).encode(), OWN, (*remarks, *([HINT] if engine == "auto" else [])))


def _is_a_long_tape(graph: Graph, style: Style) -> bool:
    """One step a row is what our own drawing knows, at once; Graphviz takes minutes for its long arrows."""
    return style.layout == "tape" and len(graph.nodes) > HUGE


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
