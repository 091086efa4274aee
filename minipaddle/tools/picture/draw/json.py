"""JSON: the graph as data for other programs (schema: docs/graph.md)."""

import json
from math import inf, isnan, nan
from typing import Any

from minipaddle.tools.picture.model.graph import Cluster, Edge, Graph, Node, bytes_kept
from minipaddle.tools.words.json import json_number, value_object
from minipaddle.tools.words.numbers import bytes_of

_NODE_FIELDS = ("id", "kind", "title", "op", "side", "twin", "cluster", "count", "state")
SCHEMA = "minipaddle-graph"
VERSION = 1
"""Increases when a reader of the previous version could be misled; new keys alone do not change it."""


def to_json(graph: Graph) -> str:
    """Return the graph as JSON text."""
    return json.dumps(graph_object(graph), indent=1) + "\n"


def graph_object(graph: Graph) -> dict[str, Any]:
    """Return the graph as JSON data."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "title": graph.title,
        "subtitle": graph.subtitle,
        **({"closed": graph.closed} if graph.closed else {}),
        "pass": graph.pass_number,
        "nodes": [node_object(node) for node in graph.nodes.values()],
        "edges": [edge_object(number, edge) for number, edge in graph.drawn_edges()],
        "clusters": [
            {name: getattr(cluster, name) for name in ("id", "title", "kind", "side", "parent")}
            | _earlier(cluster)
            for cluster in graph.clusters.values()
        ],
    }


def edge_object(number: int, edge: Edge) -> dict[str, Any]:
    """Return one edge as JSON data, without its saved values."""
    share = {} if edge.share is None else {"share": edge.share}
    known = {"id": f"e{number}", "tail": edge.tail, "head": edge.head, "kind": edge.kind, "label": edge.label}
    return known | share | {"bytes": bytes_kept([edge])}


def node_object(node: Node) -> dict[str, Any]:
    """Return one node as JSON data."""
    file, _, line = node.where.rpartition(":")
    rounds = [{"id": one.id, "norm": _norm(one)} for one in node.rounds]
    return {
        **{name: getattr(node, name) for name in _NODE_FIELDS},
        "file": file if line.isdecimal() else None,
        "line": int(line) if line.isdecimal() else None,
        "results": [{**value_object(value), "bytes": bytes_of(value)} for value in node.results],
        **_earlier(node),
        **({"rounds": rounds} if rounds else {}),
    }


def _earlier(one: Node | Cluster) -> dict[str, int]:
    return {"earlier": one.earlier} if one.earlier else {}


def _norm(node: Node) -> Any:
    """Return the largest norm of a node's results: Inf if one has a NaN or Inf, None if unknown."""
    backward = node.side != "forward"
    made = [value.stats for value in node.results if (value.kind == "gradient") is backward]
    norms = [inf if stats.bad else stats.norm for stats in made]
    norm = max((norm for norm in norms if not isnan(norm)), default=nan)
    return None if isnan(norm) else json_number(norm)
