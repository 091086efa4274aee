"""What the page knows of a node besides its picture: formulas, numbers, sentences, links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from minipaddle.core.operator import TABLE
from minipaddle.debug.session import Session
from minipaddle.debug.why import why
from minipaddle.trace.events import Trace
from minipaddle.viz.json_out import node_object
from minipaddle.viz.model import Graph, Node

__all__ = ["documentation", "facts_of"]

_DOCS = "https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle"
_URL = re.compile(r"https://www\.paddlepaddle\.org\.cn/\S+?_en\.html")
_MOST_EXPLAINED = 2500
"""Nodes with formulas and numbers put in: about a millisecond for each."""


def facts_of(
    graph: Graph, trace: Trace | None, said: dict[str, str], share_safe: bool, wanted: Iterable[str]
) -> dict[str, dict[str, Any]]:
    """Return for each of the `wanted` nodes what its panel shows."""
    session = Session(trace) if trace is not None and len(graph.nodes) <= _MOST_EXPLAINED else None
    return {
        node.id: {
            **node_object(node, share_safe),
            "says": said.get(node.id, ""),
            **_explained(node, session, share_safe),
            "doc": documentation(node.op.removesuffix("_grad")),
        }
        for node in map(graph.nodes.__getitem__, wanted)
    }


def _explained(node: Node, session: Session | None, share_safe: bool) -> dict[str, list[str]]:
    """Return the answer of the debugger's ``why``."""
    if session is None or node.event is None:
        return {}
    event = session.trace.events[node.event]
    if event.kind in ("enter", "leave", "backward"):
        return {}
    answer = why(session, event)
    return {
        "rule": answer.rule,
        "numbers": [] if share_safe else answer.numbers,
        "notes": [] if share_safe else answer.says,
    }


@lru_cache(maxsize=512)
def documentation(op_type: str) -> str:
    """Return the page of Paddle's documentation about an operator; "" if it has none of its own.

    >>> documentation("matmul_v2")
    'https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/matmul_en.html'
    """
    import minipaddle

    op = TABLE.get(op_type)
    if op is None:
        return ""
    written = _URL.search(op.__doc__ or "")
    if written:
        return written[0]
    for path, room in (("", minipaddle), ("nn/functional/", minipaddle.nn.functional)):
        if op.name in getattr(room, "__all__", ()) or callable(vars(room).get(op.name)):
            return f"{_DOCS}/{path}{op.name}_en.html"
    return ""
