"""Frames around what ran in one call of a layer, on both sides of the mirror, and in the columns between."""

from collections.abc import Iterable

from minipaddle.engine.names.translatable import phrase
from minipaddle.tools.picture.model.graph import Cluster, Graph, Side
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.record.scope import Scope
from minipaddle.tools.words.numbers import clean

_OWN = ("parameter", "buffer")


class Frames:
    """Makes the clusters of a graph from the scopes of events: s3 forward, t3 its twin backward."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._home: dict[int, Scope | None] = {}  # value -> the innermost call that holds all its users

    def settle(self, trace: Trace, events: Iterable[Event]) -> None:
        """Let what one call alone uses stand in its frame: the parameters of a layer, as a rule."""
        events = list(events)
        made = {event.index for event in events}
        for event in events:
            for id_ in event.inputs:
                own = id_ is not None and trace.values[id_].kind in _OWN
                if id_ is not None and own and trace.values[id_].producer not in made:
                    known = id_ in self._home
                    self._home[id_] = _common(self._home[id_], event.scope) if known else event.scope

    def around(self, id_: int) -> str | None:
        """Return the frame that a value of the user's stands in."""
        return self.of(self._home.get(id_), "forward")

    def of(self, scope: Scope | None, side: Side, column: int = 0) -> str | None:
        """Return the frame of a call, making it and those around it; in a column, that of its rules then."""
        if scope is None:
            return None
        front = f"p{column}" if column else ""
        id_, twin = (f"{front}{letter}{scope.number}" for letter in ("st" if side == "forward" else "ts"))
        if id_ not in self.graph.clusters:
            parent = self.of(scope.outer, side, column)  # an outer frame stands before those in it
            path, layer, home = clean(scope.path), clean(scope.kind), f"s{scope.number}"
            for _ in range(bool(column) + (side == "backward")):
                layer = phrase("{name} backward", name=layer)
            self.graph.clusters[id_] = Cluster(
                id_,
                phrase("{path}: {layer}", path=path, layer=layer),
                side,
                parent,
                "layer",
                path,
                layer,
                twin,
                column,
                home if column else "",
            )
        return id_

    def opposite(self, cluster: str | None) -> str | None:
        """Return the backward twin of a forward frame, if backward has gone there; else of the next one around it."""
        for id_ in self.graph.frames_of(cluster):
            frame = self.graph.clusters[id_]
            if frame.side == "forward" and frame.twin in self.graph.clusters:
                return frame.twin
        return None


def _common(one: Scope | None, other: Scope | None) -> Scope | None:
    """Return the innermost call around both."""
    around = set()
    while one is not None:
        around.add(one.number)
        one = one.outer
    while other is not None and other.number not in around:
        other = other.outer
    return other
