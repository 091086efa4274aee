"""Two runs on one page: their pictures side by side, what differs marked in words, the list of it between them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from minipaddle.engine.names.translatable import phrase, phrases
from minipaddle.tools.checks.diff import Comparison, Difference
from minipaddle.tools.page.content import MEASURES_OF_DRAWING, Sheet, sheet_object
from minipaddle.tools.page.facts import BUDGET, STATS, Tables, arrays_of
from minipaddle.tools.page.page import filled, legend, room_for
from minipaddle.tools.page.safety import as_script
from minipaddle.tools.picture.draw.render import Rendered
from minipaddle.tools.picture.draw.theme import Style
from minipaddle.tools.picture.model.focus import near, only
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.picture.model.mirror import forward_only, mirror
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.words.events import title
from minipaddle.tools.words.language import say, spoken

_MOST = 400
"""Nodes of one side that are all drawn; of a larger one, what is near the differences is."""
_NEAR = 2
_MOST_LISTED = 500
_WORDS = {
    "removed": phrase("removed"),
    "added": phrase("added"),
    "rewired": phrase("rewired"),
    "shape": phrase("changed shape"),
    "value": phrase("changed value"),
    "gradient": phrase("changed gradient"),
}


@dataclass(frozen=True)
class _Side:
    """One of the two runs."""

    key: str
    trace: Trace
    graph: Graph
    node_of: dict[int, str]
    """Event -> the node that it is drawn as."""

    def node(self, event: Event | None) -> str | None:
        """Return the node of an event, if it is in the picture."""
        return None if event is None else self.node_of.get(event.index)


def to_pair_html(
    a: Trace, b: Trace, comparison: Comparison, passes: tuple[int | None, int | None] = (None, None)
) -> Rendered:
    """Return the page of two recordings that were compared, or of one backward pass of each."""
    sides = [_side("a", a, passes[0], comparison), _side("b", b, passes[1], comparison)]
    parts = {}
    for side in sides:
        parts[f"title_{side.key}"] = escape(f"{side.key.upper()}: {side.graph.title}")
        parts[f"subtitle_{side.key}"] = escape(spoken(side.graph.subtitle))
        parts[f"picture_{side.key}"] = (
            f'<div class="view" data-view="{side.key}">{room_for(side.graph)}</div>'
        )
    data = _data(sides, comparison)
    text = filled(
        "pair",
        ("viewport.js", "values.js", "state.js", "layout.js", "drawing.js", "pair.js"),
        theme="auto",
        legend=legend([side.graph for side in sides]),
        differences=_listed(data),
        data=as_script(data),
        **parts,
    )
    return Rendered(text.encode())


def _listed(data: dict[str, Any]) -> str:
    """Return the differences as items of a list, and how many there are besides."""
    words = [one["words"] for one in data["differences"]]
    if more := data["count"] - len(words):
        words.append(say("... and {count} more", count=more))
    return "".join(f"<li>{escape(text)}</li>" for text in words)


def _side(key: str, trace: Trace, number: int | None, comparison: Comparison) -> _Side:
    """Draw up the graph of one run, its differences written into their nodes."""
    graph = mirror(trace, number) if trace.passes else forward_only(trace)
    node_of = {node.event: node.id for node in graph.nodes.values() if node.event is not None}
    marks: dict[str, list[str]] = {}
    for one in comparison.found:
        event = _event_of(one, key)
        if event is not None and event.index in node_of:
            marks.setdefault(node_of[event.index], []).append(_WORDS[one.kind])
    graph.nodes.update((id_, _marked(graph.nodes[id_], words)) for id_, words in marks.items())
    if len(graph.nodes) > _MOST:
        seen = _around(graph, marks)
        near_them = phrase("{count} of {all} nodes: near differences", count=len(seen), all=len(graph.nodes))
        words = phrases("{before}, {after}", (graph.subtitle, near_them))
        graph = replace(only(graph, seen), subtitle=words)
    return _Side(key, trace, graph, {event: id_ for event, id_ in node_of.items() if id_ in graph.nodes})


def _event_of(one: Difference, key: str) -> Event | None:
    """Return the event of one side that a difference is about."""
    if one.kind == "added":
        return one.event if key == "b" else None
    return one.event if key == "a" else one.other


def _marked(node: Node, words: list[str]) -> Node:
    """Write the words into a node; the arrow that an update is drawn as has no room for a third line."""
    said = phrases("{before}, {after}", dict.fromkeys(words))
    if node.kind == "update":
        return replace(node, title=phrase("{before}: {after}", before=node.title, after=said))
    return replace(node, state=phrases("{before}, {after}", (said, node.state)))


def _around(graph: Graph, marks: Collection[str]) -> Collection[str]:
    """Return the nodes around the first differences, or where the run ends if there are none."""
    return near(graph, list(marks)[: _MOST // 8] or list(graph.nodes)[-_MOST:], _NEAR)


def _data(sides: list[_Side], comparison: Comparison) -> dict[str, Any]:
    """Return what the script reads."""
    a, b = sides
    both = [(a.node(one), b.node(two)) for one, two in comparison.pairs]
    return {
        "schema": "minipaddle-diff-page",
        "version": 4,
        "budget": BUDGET // 2,
        "stats": STATS,
        **MEASURES_OF_DRAWING,
        "sides": {side.key: _facts(side) for side in sides},
        "pairs": [*_leaves(sides, comparison), *([one, two] for one, two in both if one and two)],
        "differences": [
            {
                "kind": one.kind,
                "words": f"{spoken(_WORDS[one.kind])}: {title(one.event)}, {one.said}  {one.where}".strip(),
                "a": a.node(_event_of(one, "a")),
                "b": b.node(_event_of(one, "b")),
            }
            for one in comparison.found[:_MOST_LISTED]
        ],
        "count": len(comparison.found),
    }


def _leaves(sides: list[_Side], comparison: Comparison) -> list[list[str]]:
    """Return the pairs of nodes for what went into operators that belong together, and for its gradients."""
    a, b = sides
    found: dict[tuple[str, str], None] = {}
    for one, two in comparison.pairs:
        for x, y in zip(one.inputs, two.inputs):
            pair = (f"v{x}", f"v{y}")
            if pair[0] in a.graph.nodes and pair[1] in b.graph.nodes:
                found[pair] = None
    stores = [_stores(side.graph) for side in sides]
    for left, right in list(found):
        if left in stores[0] and right in stores[1]:
            found[stores[0][left], stores[1][right]] = None
    return [list(pair) for pair in found]


def _stores(graph: Graph) -> dict[str, str]:
    """Return for each leaf the node of its ``.grad``."""
    return {node.twin: node.id for node in graph.nodes.values() if node.kind == "store" and node.twin}


def _facts(side: _Side) -> dict[str, Any]:
    tables = Tables(arrays_of([side.graph], BUDGET // 2))
    known = sheet_object(Sheet(side.graph, Style(legend=False)), None, tables, "role", False)
    shared = {"values": tables.values, "texts": list(tables.texts), "sizes": tables.sizes}
    return known | shared | {"title": side.graph.title, "measures": {}}
