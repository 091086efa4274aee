"""Hooks in the picture: a gradient on its way goes through a node for each function of the user's that was given it."""

from copy import copy
from dataclasses import replace

from minipaddle.engine.names.translatable import phrase
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.picture.model.outcome import LOOKED_ON
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.numbers import clean


class HookNodes:
    """Adds them to a graph; `node_of_value` says which node each value comes from, and is kept up to date."""

    def __init__(self, trace: Trace, graph: Graph, node_of_value: dict[int, str]) -> None:
        self.trace = trace
        self.graph = graph
        self.node_of_value = node_of_value
        self._arrived: dict[int, int] = {}  # what a hook made -> the gradient that the first one was given
        ends = (event for event in trace.events if event.kind == "leave" and event.op == "hook")
        self._ends = {event.origin: event for event in ends}

    def add(self, enter: Event) -> None:
        """Add the hook that begins at `enter`, if it is known where the gradient that it was given came from."""
        given = next((id_ for id_ in enter.inputs if id_ in self.node_of_value), None)
        leave = self._ends.get(enter.index)
        if given is None or leave is None:
            return
        tail = self.node_of_value[given]
        made = next((id_ for id_ in leave.outputs if id_ is not None), None)
        first = self._arrived.get(given, given)
        gradient = copy(self.trace.values[given if made is None else made])
        # the hooks have names of their own for it, and operators made it
        gradient.name, gradient.kind = self.trace.values[first].name, "gradient"
        around = self.graph.frames_of(self.graph.nodes[tail].cluster)
        frame = next((id_ for id_ in around if self.graph.clusters[id_].kind == "layer"), None)
        node = self.graph.add_event(
            self.trace,
            enter,
            "h",
            "hook",
            phrase("hook {function}", function=clean(enter.title)),
            results=(gradient,),
            takes=(self.trace.values[given],),
            side="backward",
            cluster=frame,
            state=clean(leave.note) or (LOOKED_ON if made is None else ""),
            op="",
        )
        self.graph.join(tail, node.id, "gradient", "", node.takes)
        for id_ in (given, first) if made is None else (given, first, made):
            self._arrived[id_] = first
            self.node_of_value[id_] = node.id

    def replaced_by(self, value: Value) -> str | None:
        """Return the hook that `value` comes from: what goes on in the place of a gradient; None if there is none."""
        id_ = None if value.replaces is None else self.node_of_value.get(value.replaces)
        if id_ is None or self.graph.nodes[id_].kind != "hook":
            return None
        self.graph.nodes[id_] = replace(self.graph.nodes[id_], results=(value,))
        return id_
