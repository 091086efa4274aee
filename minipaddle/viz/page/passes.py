"""The other backward passes of a recording: each has its picture on the page too, as far as there is room."""

from __future__ import annotations

from collections.abc import Callable

from minipaddle.trace.events import Trace
from minipaddle.viz.mirror import mirror
from minipaddle.viz.model import Graph

__all__ = ["other_passes"]

_MOST_PASSES = 6
_MOST_RULES = 3000
"""Gradient rules in all the passes of a page together: beyond them it would be slow to make, and large."""


def other_passes(trace: Trace, shown: int, smaller: Callable[[Graph], Graph]) -> list[Graph]:
    """Return the graphs of the passes nearest to the one `shown`, in their order, each as `smaller` makes it."""
    rules = {event.pass_number: 0 for event in trace.events if event.kind == "backward"}
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
