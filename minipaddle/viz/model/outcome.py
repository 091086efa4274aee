"""What became of a gradient: words for its state, where a pass that raised was broken off, what an optimizer did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from minipaddle.core.operator import TABLE
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.viz.model.graph import Graph, Node


@dataclass
class BrokenOff:
    """Where a backward pass was broken off by an error; without words, it came to its end."""

    words: str = ""
    """Such as ``backward raised RuntimeError``."""
    waiting: set[int] = field(default_factory=set)
    """Forward events whose gradient had arrived, and whose rules were not run."""

    def said(self, index: int | None, state: str) -> str:
        """Return the state of a forward event (None: of a leaf) whose gradient was not handed on."""
        if not self.words or not state:
            return state
        if index in self.waiting:
            return f"{self.words} here" if len(self.waiting) == 1 else f"{self.words} before this"
        return f"{state}: {self.words}"


def broken_off(trace: Trace, number: int) -> BrokenOff:
    """Return how pass `number` ended: where an error broke it off, gradients have arrived that went nowhere."""
    began = trace.began(number)
    if began is None or not began.error:
        return BrokenOff()
    events = list(trace.of_pass(number))
    run = {event.origin for event in events if event.kind == "grad"}
    stored = {event.about for event in events if event.kind == "store"}
    left = {value.of for event in events for value in trace.known(event.outputs)} - stored
    waiting = {trace.values[of].producer for of in left if of is not None} - run
    words = f"backward raised {began.error.partition(':')[0]}"
    return BrokenOff(words, {index for index in waiting if index is not None})


STOPPED = "no gradient (stop_gradient)"
NOT_REACHED = "gradient not reached"
NOT_RUN = "backward not run yet"
NOT_DIFFERENTIABLE = "not differentiable: no gradient passes"
CUT = "no gradient passes"
ZERO = "gradient is zero"
RETURNED = "returned by paddle.grad"
"""Not stored in any ``.grad``."""
ADDED = "added to what was there"
CANCEL = "the terms cancel"
LOOKED_ON = "looked on: unchanged"


def leaf_state(value: Value, wanted: bool, reached: bool, cut: str = "") -> str:
    """Return the state of what the user made, or `cut` off; "" if its gradient arrived and can be looked at."""
    if not wanted and cut:
        return f"{CUT} ({cut})"
    if not wanted:
        return STOPPED if value.stop_gradient else ""
    return "" if reached else NOT_REACHED


def gradient_state(event: Event, inputs: Sequence[Value], outputs: Sequence[Value], cut: str) -> str:
    """Return the state of a forward operator whose gradient rule was not run; `cut` is what the user wrote for that."""
    if not any(not value.stop_gradient for value in inputs):
        return ""  # no input requires a gradient: nothing is lost here
    if cut:
        return f"{CUT} ({cut})"
    op = TABLE.get(event.op)
    if op is not None and not op.rules:
        return NOT_DIFFERENTIABLE
    if not all(value.stop_gradient for value in outputs):
        return NOT_REACHED
    whole = {value.dtype for value in outputs if value.dtype.startswith(("int", "uint", "bool"))}
    return f"{CUT}: {', '.join(whole)} has none" if whole else CUT


def add_updates(graph: Graph, trace: Trace, pass_number: int) -> None:
    """Add the updates that followed a backward pass, each on the row of its parameter."""
    stored = [node for node in graph.nodes.values() if node.kind == "store" and node.results]
    stores = {node.results[0].of: node for node in stored}
    for event in trace.events:
        if event.kind == "update" and event.pass_number == pass_number and event.inputs:
            store = stores.get(event.about)
            if store is not None:
                _add_update(graph, trace, event, store)


def _add_update(graph: Graph, trace: Trace, event: Event, store: Node) -> None:
    made = tuple(trace.known(event.outputs[:1]))
    more = {"results": made, "takes": (), "side": "update", "twin": store.twin}
    graph.add_event(trace, event, "u", "update", f"{event.title} update", **more)
    graph.join(store.id, f"u{event.index}", "update")
