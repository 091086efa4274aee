"""From a recording to the mirror: forward runs down the left, backward up the right, twins on one row."""

from __future__ import annotations

import os

from minipaddle.trace.events import Event, Trace, Value
from minipaddle.viz.graph import Cluster, Graph, Node, NodeKind, Side
from minipaddle.viz.text import look, shape_text

__all__ = ["NoBackward", "mirror"]


class NoBackward(ValueError):
    """The recording has no backward pass to draw."""


def mirror(trace: Trace, pass_number: int | None = None) -> Graph:
    """Return the graph of one backward pass (the last one by default) and of the forward run that it belongs to.

    Raises:
        NoBackward: if there is no such pass.
    """
    wanted = trace.passes if pass_number is None else pass_number
    if not 1 <= wanted <= trace.passes:
        raise NoBackward(
            "the script ran no backward pass: call loss.backward() or paddle.grad(...)"
            if not trace.passes
            else f"there is no pass {wanted}: the script ran {trace.passes}"
        )
    return _Mirror(trace, wanted).graph


class _Mirror:
    """Builds the graph of one pass."""

    def __init__(self, trace: Trace, number: int) -> None:
        self.trace = trace
        self.number = number
        self.backward = list(trace.of_pass(number))
        self.base = min((event.depth for event in self.backward), default=0)
        self.node_of_value: dict[int, str] = {}
        self.inside_of: dict[int, int] = {}  # gradient as a body received it -> the gradient outside
        self.graph = Graph(os.path.basename(trace.script) or "recording")
        forward = self._forward_events()
        for event in forward:
            self._op(event, "forward")
        for event in self.backward:
            self._backward_event(event)
        steps = sum(1 for event in self.backward if event.kind == "grad")
        self.graph.subtitle = f"{len(forward)} ops forward, {steps} backward, pass {number} of {trace.passes}"

    # -- forward --------------------------------------------------------------------------------------------------

    def _forward_events(self) -> list[Event]:
        """Return the operators that lead to the root of the pass, oldest first."""
        events = self.trace.events
        found: set[int] = set()
        stack = [event.origin for event in self.backward if event.kind == "grad" and event.origin is not None]
        while stack:
            index = stack.pop()
            if index in found:
                continue
            found.add(index)
            for id_ in events[index].inputs:
                value = self.trace.value(id_)
                if value is not None and value.producer is not None and events[value.producer].kind == "op":
                    stack.append(value.producer)
        return [events[index] for index in sorted(found)]

    def _op(self, event: Event, side: Side, cluster: str | None = None) -> str:
        """Add an operator, its inputs' nodes and edges; for a PyLayer also its inside."""
        cluster = self._inside(event, side, cluster) or cluster
        results = [value for value in map(self.trace.value, event.outputs) if value is not None]
        node = self.graph.add(
            Node(
                id=f"{'f' if side == 'forward' else 'b'}{event.index}",
                kind="pylayer" if event.op == "pylayer" else "op",
                title=event.title,
                details=tuple(_result_line(value) for value in results),
                side=side,
                cluster=cluster,
                event=event.index,
                value=results[0].id if results else None,
                where=_where(event),
            )
        )
        used_inside = self._finish_inside(event, node.id)
        for id_ in event.inputs:
            if id_ is not None and id_ not in used_inside:
                self._flow_in(id_, node)
        for id_ in event.outputs:
            if id_ is not None:
                self.node_of_value[id_] = node.id
        return node.id

    def _inside(self, event: Event, side: Side, parent: str | None) -> str | None:
        """Add the operators that ran inside a PyLayer's body, in a cluster; None if there were none."""
        if event.body is None:
            return None
        enter, leave = event.body
        inner = [one for one in self.trace.events[enter:leave] if one.kind == "op" and one.parent == enter]
        if not inner:
            return None
        id_ = f"c{event.index}"
        self.graph.clusters[id_] = Cluster(id_, f"{event.title}.{self.trace.events[enter].op}", side, parent)
        for one in inner:
            self._op(one, side, id_)
        return id_

    def _finish_inside(self, event: Event, node: str) -> set[int]:
        """Join what a body returned to the node that it is the inside of; return the values that the body used."""
        if event.body is None:
            return set()
        enter, leave = event.body
        inner = [one for one in self.trace.events[enter:leave] if one.kind == "op" and one.parent == enter]
        made = {id_ for one in inner for id_ in one.outputs}
        for id_ in self.trace.events[leave].outputs:
            if id_ in made and id_ is not None:
                side = self.graph.nodes[node].side
                self.graph.join(self.node_of_value[id_], node, "value" if side == "forward" else "gradient")
        return {id_ for one in inner for id_ in one.inputs if id_ is not None}

    def _flow_in(self, id_: int, node: Node) -> None:
        """Join a value to the operator that uses it; backward, what comes from the other side was saved."""
        tail = self._value(id_, node.side)
        if node.side == "forward":
            self.graph.join(tail, node.id, "value")
        elif self.graph.nodes[tail].side == "forward":
            self.graph.join(tail, node.id, "saved", self.trace.values[id_].name)
        else:
            self.graph.join(tail, node.id, "gradient")

    def _value(self, id_: int, side: Side) -> str:
        """Return the node that a value comes from, adding one for what the user made."""
        known = self.node_of_value.get(id_)
        if known is not None:
            return known
        value = self.trace.values[id_]
        kind: NodeKind = "parameter" if value.kind == "parameter" else "data"
        details = [f"{shape_text(value)} {value.dtype}", look(value)]
        if kind == "data" and side == "forward":
            details.append("no gradient (stop_gradient)" if value.stop_gradient else "")
        node = self.graph.add(
            Node(f"v{id_}", kind, value.name, tuple(filter(None, details)), side, cluster=None, value=id_)
        )
        self.node_of_value[id_] = node.id
        return node.id

    # -- backward -------------------------------------------------------------------------------------------------

    def _backward_event(self, event: Event) -> None:
        if event.kind == "grad":
            self._grad(event)
        elif event.kind == "accumulate":
            self._simple(event, "accumulate", "+", twin=None)
        elif event.kind == "store":
            leaf = self.trace.value(event.outputs[0])
            twin = self.node_of_value.get(leaf.of) if leaf is not None and leaf.of is not None else None
            self._simple(event, "store", f"{event.title}.grad", twin)

    def _grad(self, event: Event) -> None:
        tails = {id_: self._gradient_tail(id_) for id_ in event.inputs if id_ is not None}
        if event.body is not None:  # what the body received are the gradients that come in
            received = self.trace.events[event.body[0]].inputs
            self.node_of_value.update((id_, tail) for id_, tail in zip(received, tails.values()) if id_ is not None)
            self.inside_of.update((id_, outer) for id_, outer in zip(received, tails) if id_ is not None)
        cluster = self._inside(event, "backward", None)
        forward = None if event.origin is None else f"f{event.origin}"
        twin = forward if forward in self.graph.nodes else None
        outputs = [value for value in map(self.trace.value, event.outputs) if value is not None]
        node = self.graph.add(
            Node(
                id=f"g{event.index}",
                kind="pylayer_grad" if event.op == "pylayer_grad" else "grad",
                title=f"{event.title}_grad",
                details=tuple(_result_line(value) for value in outputs),
                side="backward",
                twin=twin,
                cluster=cluster,
                event=event.index,
                value=outputs[0].id if outputs else None,
                where=_where(event if event.origin is None else self.trace.events[event.origin]),
            )
        )
        used_inside = {self.inside_of.get(id_, id_) for id_ in self._finish_inside(event, node.id)}
        for id_, tail in tails.items():
            if id_ not in used_inside:
                self.graph.join(tail, node.id, "gradient")
        saved = [] if event.origin is None else self.trace.events[event.origin].saved
        if twin is not None and saved:
            names = dict.fromkeys(self.trace.values[id_].name for id_ in saved)
            self.graph.join(twin, node.id, "saved", ", ".join(names))
        for id_ in event.outputs:
            if id_ is not None:
                self.node_of_value[id_] = node.id

    def _simple(self, event: Event, kind: NodeKind, title: str, twin: str | None) -> None:
        """Add an accumulation or the ``.grad`` of a leaf."""
        result = self.trace.value(event.outputs[0]) if event.outputs else None
        details = () if result is None else tuple(filter(None, (shape_text(result), look(result))))
        node = self.graph.add(
            Node(f"g{event.index}", kind, title, details, "backward", twin, event=event.index, value=result and result.id)
        )
        for id_ in event.inputs:
            if id_ is not None:
                self.graph.join(self._gradient_tail(id_), node.id, "gradient")
        for id_ in event.outputs:
            if id_ is not None:
                self.node_of_value[id_] = node.id

    def _gradient_tail(self, id_: int) -> str:
        """Return the node that a gradient comes from; the first one comes from nowhere: the seed."""
        known = self.node_of_value.get(id_)
        if known is not None:
            return known
        value = self.trace.values[id_]
        details = tuple(filter(None, (shape_text(value), look(value))))
        seed = self.graph.add(Node(f"v{id_}", "seed", value.name, details, "backward", value=id_))
        self.node_of_value[id_] = seed.id
        return seed.id


def _result_line(value: Value) -> str:
    return " ".join(filter(None, (value.name, shape_text(value), look(value))))


def _where(event: Event) -> str:
    return f"{os.path.basename(event.where.file)}:{event.where.number}" if event.where else ""
