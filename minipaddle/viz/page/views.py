"""The pictures of a page: one graph seen in several ways, drawn beforehand, for a page has no engine to draw with."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace

from minipaddle.viz.collapse import close_deeper
from minipaddle.viz.fold import fold
from minipaddle.viz.model import Graph
from minipaddle.viz.render import Rendered, render
from minipaddle.viz.style import Style
from minipaddle.viz.subgraph import only

__all__ = ["View", "drawing", "views_of"]

_LARGE = 800
"""Nodes from which on only the smaller views are drawn besides the one asked for."""


@dataclass(frozen=True)
class View:
    """One picture of the page."""

    key: str
    title: str
    graph: Graph


def views_of(graph: Graph) -> list[View]:
    """Return the views that differ, the one that was asked for first."""
    views = [View("all", "all of it", graph)]
    for view in _smaller(graph):
        sizes = {len(one.graph.nodes) for one in views if one.graph.clusters == view.graph.clusters}
        if len(view.graph.nodes) > 0 and len(view.graph.nodes) not in sizes:
            views.append(view)
    return views


def _smaller(graph: Graph) -> Iterator[View]:
    if graph.clusters:
        yield View("outer", "layers closed", close_deeper(graph, 0))
        yield View("layers", "first level open", close_deeper(graph, 1))
    yield View("folded", "repeats folded", fold(graph))
    if len(graph.nodes) <= _LARGE:
        for side in ("forward", "backward"):
            ids = {node.id for node in graph.nodes.values() if node.side == side}
            yield View(side, f"{side} only", only(graph, ids))


def drawing(views: list[View], style: Style, engine: str, pool: Executor) -> list[Future[Rendered]]:
    """Begin to draw the views: the engines are programs of their own, and need not be waited for."""
    plain = replace(style, legend=False, theme_name="light", fills={}, scale="")
    return [pool.submit(render, view.graph, "svg", engine, plain) for view in views]
