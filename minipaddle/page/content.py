"""What the script of a page reads: for each backward pass its views, what is known of its nodes, its measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from minipaddle.explain.symbols.program.recording import Fixed, Live
from minipaddle.page.facts import arrays_of, facts_of
from minipaddle.page.push import live_object, words
from minipaddle.page.story import sentences
from minipaddle.page.views import View
from minipaddle.trace.events import Trace
from minipaddle.viz.choices import Detail
from minipaddle.viz.draw.json import edge_object
from minipaddle.viz.model.graph import Graph
from minipaddle.viz.model.measures import MEASURES, measure, places, scale_words
from minipaddle.viz.model.mirror import mirror
from minipaddle.words.events import place

_MOST_EXPLAINED = 2500
"""Nodes with formulas and numbers put in: about a millisecond for each."""


@dataclass(frozen=True)
class Sheet:
    """One backward pass on the page."""

    views: list[View]
    number: int
    prefix: str = ""
    """What ids of this pass begin with in the page: the first one's are short."""
    with_numbers: bool = True
    live: Live | Fixed | None = None
    """The pass as a program, or why it is none; None: nobody is to change its numbers."""
    values: Detail = "stats"

    @property
    def graph(self) -> Graph:
        """All of it."""
        return self.views[0].graph

    @cached_property
    def said(self) -> dict[str, dict[str, str]]:
        """For each view the sentences of its nodes."""
        return {view.key: sentences(view.graph, self.with_numbers) for view in self.views}


def content_of(sheets: Sequence[Sheet], trace: Trace | None, by: str, share_safe: bool) -> dict[str, Any]:
    """Return the data of the page, which is coloured `by` a measure at first."""
    arrays = None if share_safe else arrays_of(sheet.graph for sheet in sheets)
    return {
        "schema": "minipaddle-page",
        "version": 2,
        "colour": by,
        "words": words(),
        "passes": [_sheet(sheet, trace, arrays, by) for sheet in sheets],
    }


def _sheet(sheet: Sheet, trace: Trace | None, arrays: Mapping[int, Any] | None, by: str) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    frames: dict[str, Any] = {}
    explained = trace if len(sheet.graph.nodes) <= _MOST_EXPLAINED else None
    for view in sheet.views:  # the first view knows most of a node; closed layers are in later ones only
        new = [id_ for id_ in view.graph.nodes if id_ not in nodes]
        nodes.update(facts_of(view.graph, explained, sheet.said[view.key], arrays, new))
        for id_, frame in view.graph.clusters.items():
            frames.setdefault(id_, {"title": frame.title, "parent": frame.parent})
    return {
        "number": sheet.number,
        "prefix": sheet.prefix,
        "where": place(began) if trace is not None and (began := trace.began(sheet.number)) else "",
        "subtitle": sheet.graph.subtitle,
        "views": [_view(view) for view in sheet.views],
        "nodes": nodes,
        "frames": frames,
        "measures": {} if arrays is None else _measures(sheet.views, by),
        "live": live_object(sheet.live, ((view.key, view.graph) for view in sheet.views), sheet.values),
    }


def _view(view: View) -> dict[str, Any]:
    return {
        "key": view.key,
        "title": view.title,
        "group": view.group,
        "toggles": view.toggles,
        "order": list(view.graph.nodes),
        "edges": [edge_object(number, edge) for number, edge in view.graph.drawn_edges()],
    }


def _measures(views: Sequence[View], colour_by: str) -> dict[str, Any]:
    """Return for each measure where every node lies on its scale."""
    asked = colour_by.startswith("py:") or colour_by == "time"  # which no two runs share: pages would differ
    wanted = [*(name for name in MEASURES if name != "time"), *([colour_by] if asked else [])]
    found: dict[str, Any] = {}
    for name in wanted:
        numbers: dict[str, float] = {}
        for view in reversed(views):
            numbers.update(measure(view.graph, name))
        if numbers:
            rounded = {id_: round(spot, 3) for id_, spot in places(numbers).items()}
            found[name] = {"words": scale_words(name, numbers), "places": rounded}
    return found


_MOST_PASSES = 6
_MOST_RULES = 3000
"""Gradient rules in all the passes of a page together: beyond them it would be slow to make, and large."""


def other_passes(trace: Trace, shown: int, smaller: Callable[[Graph], Graph]) -> list[Graph]:
    """Return the graphs of the passes nearest to the one `shown`, in their order, each as `smaller` makes it."""
    rules = dict.fromkeys(trace.pass_numbers, 0)
    for event in trace.events:
        if event.kind == "grad" and event.pass_number in rules:
            rules[event.pass_number] += 1
    room = _MOST_RULES - rules.pop(shown, 0)
    chosen: list[int] = []
    for number in sorted(rules, key=lambda number: abs(number - shown)):
        room -= rules[number]
        if room < 0 or len(chosen) == _MOST_PASSES - 1:
            break
        chosen.append(number)
    graphs = (mirror(trace, number) for number in sorted(chosen))
    return [smaller(graph) for graph in graphs if graph.nodes]
