"""The outcome of a gradient: words for its state, the place where an error ended a pass, an optimizer's update."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from minipaddle.engine.operator.operator import TABLE
from minipaddle.tools.picture.model.forward import stopped_at, used_inside, within
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.language import phrase
from minipaddle.tools.words.numbers import clean


@dataclass
class BrokenOff:
    """The place where an error ended a backward pass; without words, the pass was complete."""

    words: str = ""
    """Such as ``backward raised RuntimeError``."""
    waiting: set[int | None] = field(default_factory=set)
    """Forward events whose gradient had arrived, but whose rules did not run."""
    stopped: set[int | None] = field(default_factory=set)
    """The one of these whose rule raised, if it is known."""
    arrived: set[int | None] = field(default_factory=set)
    """Values whose gradient had arrived, but was not stored."""
    events: set[int] = field(default_factory=set)
    """Forward events that lead to the root: only these would have been reached."""
    values: set[int] = field(default_factory=set)
    """The values that these read."""

    def said(self, of: Event | Value, state: str) -> str:
        """Return the state of a forward event, or of a leaf, whose gradient was not passed on."""
        leads = of.id in self.values if isinstance(of, Value) else of.index in self.events
        if not self.words or not leads:
            return state
        if isinstance(of, Value) and of.id in self.arrived:
            return phrase("gradient not stored: {what}", what=self.words)
        if isinstance(of, Event) and of.index in self.waiting:
            if of.index in self.stopped or len(self.waiting) == 1:
                return phrase("{what} here", what=self.words)
            return phrase("{what} before this", what=self.words)
        return phrase("{state}: {what}", state=state, what=self.words) if isinstance(of, Value) else state


def broken_off(trace: Trace, number: int, forward: Sequence[Event]) -> BrokenOff:
    """Return how pass `number` ended: at the error, gradients had arrived that were not used.

    `forward` are the operators that lead to its root.
    """
    began = trace.began(number)
    if began is None or not began.error:
        return BrokenOff()
    events = list(trace.of_pass(number))
    run = {event.origin for event in events if event.kind == "grad"}
    stored = {event.about for event in events if event.kind == "store"}
    came = (value for event in events for value in trace.known((*event.inputs, *event.outputs)))
    left = {value.of for value in came} - stored
    stopped = {value.producer for value in stopped_at(trace, number)}
    waiting = {trace.values[of].producer for of in left if of is not None} - run | stopped
    words = phrase("backward raised {error}", error=began.error.partition(":")[0])
    read = {id_ for event in forward for id_ in (*trace.takes(event), *used_inside(trace, event))}
    return BrokenOff(words, waiting - {None}, stopped, left, {event.index for event in forward}, read)


STOPPED = phrase("no gradient (stop_gradient)")
NOT_REACHED = phrase("gradient not reached")
NOT_RUN = phrase("backward not run yet")
NOT_DIFFERENTIABLE = phrase("not differentiable: no gradient passes")
CUT = phrase("no gradient passes")
NOT_RECORDED = phrase("no backward pass was recorded")
"""Such as a pass in another thread."""
ZERO = phrase("gradient is zero")
RETURNED = phrase("returned by paddle.grad")
"""Not stored in any ``.grad``."""
ZEROS = phrase("zeros: no gradient came")
"""An argument of a user's backward: an output was not used."""
NOT_STORED = phrase("gradient not stored")
ADDED = phrase("added to what was there")
CANCEL = phrase("the terms cancel")
LOOKED_ON = phrase("looked on: unchanged")


def not_run(trace: Trace) -> str:
    """Return the sentence on a recording without a backward pass."""
    return NOT_RECORDED if trace.threads else NOT_RUN


def leaf_state(value: Value, wanted: bool, reached: bool, cut: str = "") -> str:
    """Return the state of a leaf, made by the user or `cut` off; "" if its gradient is in the picture."""
    if not wanted and cut:
        return phrase("{state} ({why})", state=CUT, why=cut)
    if not wanted:
        return STOPPED if value.stop_gradient else ""
    return "" if reached else NOT_REACHED


def gradient_state(event: Event, inputs: Sequence[Value], outputs: Sequence[Value], cut: str) -> str:
    """Return the state of a forward operator whose gradient rule did not run; `cut` is the user's word for why."""
    if not any(not value.stop_gradient for value in inputs):
        return ""  # no input requires a gradient: nothing is missing
    if cut:
        return phrase("{state} ({why})", state=CUT, why=cut)
    op = TABLE.get(event.op)
    if op is not None and not op.rules:
        return NOT_DIFFERENTIABLE
    if not all(value.stop_gradient for value in outputs):
        return NOT_REACHED
    whole = {value.dtype for value in outputs if value.kind_of_dtype in "iub"}
    return phrase("{state}: {dtype} has none", state=CUT, dtype=", ".join(whole)) if whole else CUT


def add_updates(graph: Graph, backward: Sequence[Event]) -> None:
    """Add the updates that followed a backward pass, or a pass within it, each on the row of its parameter."""
    numbers = {event.pass_number for event in within(graph.trace, backward)}
    stored = [node for node in graph.nodes.values() if node.kind == "store" and node.results]
    stores = {
        owner.holder: node for node in stored if (owner := graph.trace.value(node.results[0].of)) is not None
    }
    for event in graph.trace.events:
        if event.kind == "update" and event.pass_number in numbers and event.inputs:
            changed = graph.trace.value(event.about)
            store = None if changed is None else stores.get(changed.holder)
            if store is not None:
                made = tuple(graph.trace.known(event.outputs[:1]))
                more = {"results": made, "takes": (), "twin": store.twin}
                title = phrase("{optimizer} update", optimizer=clean(event.title))
                graph.join(store.id, graph.add_event(event, "u", "update", title, **more).id, "update")
