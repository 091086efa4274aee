"""What the optimizer did with the gradients of a pass: one node for each parameter that it changed."""

from __future__ import annotations

from minipaddle.trace.events import Event, Trace
from minipaddle.viz.model.graph import Graph, Node


def add_updates(graph: Graph, trace: Trace, pass_number: int) -> None:
    """Add the updates that followed a backward pass, each on the row of its parameter."""
    stored = [node for node in graph.nodes.values() if node.kind == "store" and node.results]
    stores = {node.results[0].of: node for node in stored}
    for event in trace.events:
        if event.kind == "update" and event.pass_number == pass_number and event.inputs:
            store = stores.get(event.about)
            if store is not None:
                _add(graph, trace, event, store)


def _add(graph: Graph, trace: Trace, event: Event, store: Node) -> None:
    made = tuple(trace.known(event.outputs[:1]))
    more = {"results": made, "takes": (), "side": "update", "twin": store.twin}
    graph.add_event(trace, event, "u", "update", f"{event.title} update", **more)
    graph.join(store.id, f"u{event.index}", "update")
