"""What the page knows of a node besides its picture: formulas, numbers, sentences, links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from minipaddle.core.operator import TABLE
from minipaddle.explain.catalogue import paddle_page
from minipaddle.explain.why import why
from minipaddle.page.arrays import shortened
from minipaddle.trace.events import Trace, Value
from minipaddle.viz.draw.json import node_object
from minipaddle.viz.model.graph import Graph, Node
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
