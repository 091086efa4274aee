"""What the page knows of a node besides its picture: formulas, numbers, sentences, links."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE
from minipaddle.explain.catalogue import paddle_page
from minipaddle.explain.why import why
from minipaddle.trace.events import Trace, Value
from minipaddle.viz.draw.json import node_object
from minipaddle.viz.model.focus import near
from minipaddle.viz.model.graph import Graph, Node
from minipaddle.viz.model.outcome import ZERO
from minipaddle.words.json import value_object
from minipaddle.words.numbers import bytes_of


def facts_of(
    graph: Graph,
    trace: Trace | None,
    said: Mapping[str, str],
    arrays: Mapping[int, Any] | None,
    wanted: Iterable[str],
) -> dict[str, dict[str, Any]]:
    """Return for each of the `wanted` nodes what its panel shows; without `arrays`, no number of the user's."""
    safe = arrays is None
    return {
        node.id: {
            **node_object(node, share_safe=True),
            "results": [_result(value, arrays) for value in node.results],
            "says": said.get(node.id, ""),
            **_explained(node, trace, safe),
            "doc": _documentation(node, trace),
        }
        for node in map(graph.nodes.__getitem__, wanted)
    }


def _result(value: Value, arrays: Mapping[int, Any] | None) -> dict[str, Any]:
    """Return what is known of a value, with its numbers if there is room for them."""
    known = {**value_object(value), "bytes": bytes_of(value)}
    known.pop("data", None)
    if arrays is None:
        del known["stats"]
        return known
    known["stats"] = {key: shortened(item, 5) for key, item in known["stats"].items()}
    known["id"] = value.id
    if value.kind == "gradient":
        known["gradient"] = True
    if value.id in arrays:
        known["data"] = arrays[value.id]
    return known


def _explained(node: Node, trace: Trace | None, share_safe: bool) -> dict[str, list[str]]:
    """Return the answer of the debugger's ``why``; a closed layer has many operators, and no formula."""
    if trace is None or node.event is None or node.kind in ("layer", "layer_grad"):
        return {}
    event = trace.events[node.event]
    if event.kind in ("enter", "leave", "backward"):
        return {}
    answer = why(trace, event)
    return {
        "rule": answer.rule,
        "numbers": [] if share_safe else answer.numbers,
        "notes": [] if share_safe else [said.replace("``", "") for said in answer.says],
    }


def _documentation(node: Node, trace: Trace | None) -> str:
    """Return the page of Paddle's documentation about a node's operator; "" if there is none."""
    op = TABLE.get(node.op.removesuffix("_grad"))
    event = None if trace is None or node.event is None else trace.events[node.event]
    if event is not None and event.kind == "grad" and event.origin is not None:
        event = trace.events[event.origin] if trace is not None else None
    return "" if op is None else paddle_page(op, event.attrs if event is not None else None)


# -- numbers: first those where something is wrong, then those near them, then small ones -----------------------------

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
