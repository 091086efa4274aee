"""The pictures of a page: one graph seen in several ways, drawn beforehand, for a page has no engine to draw with."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from minipaddle.viz.draw.render import Rendered, Session, render
from minipaddle.viz.draw.theme import Style
from minipaddle.viz.model.collapse import close, close_deeper, depth_of
from minipaddle.viz.model.focus import only
from minipaddle.viz.model.fold import fold
from minipaddle.viz.model.graph import Cluster, Graph

_LARGE = 800
"""Nodes from which on only the smaller views are drawn besides the one asked for."""
_MOST_FRAMES = 12
_MOST_DRAWN = 600
"""Nodes in all views together that have one frame closed: a hundred of them are drawn in a fifth of a second."""


@dataclass(frozen=True)
class View:
    """One picture of the page."""

    key: str
    title: str
    graph: Graph
    group: str = ""
    """What several views are offered under."""
    toggles: dict[str, str] = field(default_factory=dict)
    """Id of a frame, or of the node that it is closed to -> key of the view in which it is closed, or open."""


def views_of(graph: Graph) -> list[View]:
    """Return the views that differ, the one that was asked for first."""
    views = [View("all", "all of it", graph)]
    for view in _smaller(graph):
        sizes = {len(one.graph.nodes) for one in views if one.graph.clusters == view.graph.clusters}
        if len(view.graph.nodes) > 0 and len(view.graph.nodes) not in sizes:
            views.append(view)
    frames = _frames_to_close(graph)
    if frames and len(graph.nodes) * len(frames) <= _MOST_DRAWN:
        views = _with_one_closed(views, frames)
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


# -- one frame closed --------------------------------------------------------------------------------------------------


def _frames_to_close(graph: Graph) -> list[Cluster]:
    """Return the outermost frames; if there is one around all, those within it. None if they are too many."""
    levels: dict[int, list[Cluster]] = {}
    for cluster in graph.clusters.values():
        paired = cluster.side == "backward" and cluster.twin in graph.clusters
        if not paired:
            levels.setdefault(depth_of(graph, cluster.id), []).append(cluster)
    frames = next((levels[depth] for depth in sorted(levels) if len(levels[depth]) > 1), levels.get(1, []))
    return frames if len(frames) <= _MOST_FRAMES else []


def _with_one_closed(views: list[View], frames: list[Cluster]) -> list[View]:
    """Add the views with one frame closed, and say in each which click leads to which other one."""
    whole = views[0]
    keys = {frame.id: f"without-{frame.id}" for frame in frames}
    closing = {id_: keys[frame.id] for frame in frames for id_ in _sides(frame)}
    closed = []
    for frame in frames:
        graph = close(whole.graph, partial(_is_one_of, _sides(frame)))
        toggles = {id_: key for id_, key in closing.items() if key != keys[frame.id]}
        toggles |= dict.fromkeys(_closed_to(frame, graph), "all")
        closed.append(View(keys[frame.id], frame.title, graph, "one frame closed", toggles))
    return [replace(whole, toggles=closing), *views[1:], *closed]


def _sides(frame: Cluster) -> tuple[str, str]:
    return frame.id, frame.twin


def _is_one_of(ids: tuple[str, str], cluster: Cluster) -> bool:
    return cluster.id in ids


def _closed_to(frame: Cluster, graph: Graph) -> set[str]:
    """Return the nodes that a frame and its backward twin are closed to; the inside of an operator to itself."""
    owners = {node.id for node in graph.nodes.values() if node.body == frame.id}
    return ({*_sides(frame)} & graph.nodes.keys()) | owners


@contextmanager
def drawing(views: list[View], style: Style, engine: str) -> Iterator[list[Future[Rendered]]]:
    """Draw the views while the ``with`` block runs: the engines are programs of their own, and need not be waited for.

    If it raises, as Ctrl-C does, they all end at once.
    """
    plain = replace(style, legend=False, theme_name="light", fills={}, scale="")
    session = Session()
    with ThreadPoolExecutor(max_workers=2) as pool:
        try:
            yield [pool.submit(render, view.graph, "svg", engine, plain, session) for view in views]
        except BaseException:
            session.processes.end()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
