"""What the optimizer did with the gradients of a pass: one node for each parameter that it changed."""

from __future__ import annotations

from minipaddle.trace.events import Event, Trace
from minipaddle.viz.model.graph import Graph, Node
from minipaddle.words.events import place
from minipaddle.words.numbers import clean


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
    made = tuple(trace.values[id_] for id_ in event.outputs[:1] if id_ is not None)
    node = graph.add(
        Node(
            id=f"u{event.index}",
            kind="update",
            title=f"{clean(event.title)} update",
            results=made,
            side="update",
            twin=store.twin,
            event=event.index,
            op=event.op,
            where=place(event),
            seconds=event.seconds,
        )
    )
    graph.join(store.id, node.id, "update")
