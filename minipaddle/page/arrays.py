"""Which numbers a page has room for: first those where something is wrong, then those near them, then small ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import prod
from typing import Any

from minipaddle.core.meta import Array
from minipaddle.trace.events import Value
from minipaddle.viz.model.focus import near
from minipaddle.viz.model.graph import Graph
from minipaddle.viz.model.outcome import ZERO

BUDGET = 512 * 1024
"""Characters of numbers in one page."""
_STEPS = 2
_LARGE, _SMALL = 4096, 256
"""Elements of the largest array that is shown near a culprit, and elsewhere."""
_FEW = 16
_DIGITS = 4


def arrays_of(graphs: Iterable[Graph], budget: int = BUDGET) -> dict[int, Any]:
    """Return nested lists by the ids of values, all of them together within the `budget`."""
    found: dict[int, Any] = {}
    for graph in graphs:
        for value in _in_order(graph):
            array = None if value.id in found or budget < 0 else _read(value)
            if array is not None and array.dtype.kind in "biuf":
                data = shortened(array.tolist(), _DIGITS)
                budget -= len(json.dumps(data))
                if budget >= 0:
                    found[value.id] = data
    return found


def _in_order(graph: Graph) -> list[Value]:
    """Return the values of a graph that can be shown, the most telling ones first."""
    culprits = [node.id for node in graph.nodes.values() if node.state == ZERO or node.alarming]
    distance = near(graph, culprits, _STEPS)
    shown: list[tuple[int, int, Value]] = []
    for node in graph.nodes.values():
        steps = distance.get(node.id, _STEPS + 1)
        most = _SMALL if steps > _STEPS else _LARGE
        shown += [(steps, size, value) for value in node.results if (size := prod(value.shape)) <= most]
    return [value for *_, value in sorted(shown, key=lambda one: one[:2])]


def _read(value: Value) -> Array | None:
    """Return the numbers of a value; only a few are worth being computed again."""
    return value.array if prod(value.shape) <= _FEW else value.stored


def shortened(data: Any, digits: int) -> Any:
    """Return numbers, however nested, with so many digits; JSON has no NaN, so it becomes text."""
    if isinstance(data, list):
        return [shortened(part, digits) for part in data]
    if not isinstance(data, float):
        return data
    return float(f"{data:.{digits}g}") if data - data == 0 else str(data)
