"""Frames around the calls of layers, and around the passes that the drawn pass differentiates.

Nodes of an earlier pass are on the forward side, in the order of the run. A rule in it is a frame around the
operators that it applied; or one node, if a Program ran it as a whole and no part of it is differentiated. Either
belongs to the forward operator of the rule.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from minipaddle.tools.picture.model.forward import passes_around
from minipaddle.tools.picture.model.graph import Cluster, ClusterKind, Graph, NodeKind, Side
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.record.kinds import Grad, Scope
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase
from minipaddle.tools.words.numbers import clean

_OF_LAYERS = ("parameter", "buffer")


class Frames:
    """Makes the clusters of a graph from the scopes of events: s3 forward, t3 its twin backward."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._home: dict[int, Scope | None] = {}  # value -> the innermost call that holds all its users

    def settle(self, trace: Trace, events: Iterable[Event]) -> None:
        """Put each leaf used by one call only into its frame, such as the parameters of a layer."""
        events = list(events)
        made = {event.index for event in events}
        for event in events:
            for value in trace.known(event.inputs):
                if value.kind in _OF_LAYERS and value.producer not in made:
                    self._home[value.id] = _common(self._home.get(value.id, event.scope), event.scope)

    def around(self, id_: int, earlier: int = 0) -> str | None:
        """Return the frame of a value that the user made; None if it is in none."""
        return self.of(None if earlier else self._home.get(id_), "forward", earlier)

    def of(self, scope: Scope | None, side: Side, earlier: int = 0) -> str | None:
        """Return the frame of a call (of its rules, for an earlier pass), after making it and those around it."""
        if scope is None:
            names = f"k{earlier}", f"l{earlier}"
            return self.add(names, words_of([earlier]), side, None, earlier) if earlier else None
        front = f"p{earlier}" if earlier else ""
        id_, twin = (f"{front}{letter}{scope.number}" for letter in ("st" if side == "forward" else "ts"))
        if id_ not in self.graph.clusters:
            parent = self.of(scope.outer, side, earlier)  # an outer frame stands before those in it
            path, layer = clean(scope.path), clean(scope.kind)
            home = f"s{scope.number}" if earlier else ""
            for _ in range(bool(earlier) + (side == "backward")):
                layer = phrase("{name} backward", name=layer)
            title = phrase("{path}: {layer}", path=path, layer=layer)
            frame = Cluster(id_, title, side, parent, "layer", path, layer, twin, earlier, home)
            self.graph.clusters[id_] = frame
        return id_

    def add(self, names: tuple[str, ...], title: str, side: Side, parent: str | None, earlier: int) -> str:
        """Return the frame of an earlier pass, or of a rule in it, or of what differentiates it.

        `names`: those of the two.
        """
        id_, twin = names if side == "forward" else names[::-1]
        title = title if side == "forward" else phrase("{name} backward", name=title)
        kind: ClusterKind = "pass" if parent is None else "rule"
        frame = Cluster(id_, title, side, parent, kind, twin=twin, earlier=earlier)
        return self.graph.clusters.setdefault(id_, frame).id

    def opposite(self, cluster: str | None) -> str | None:
        """Return the backward twin of a forward frame; if it has none, the twin of the next frame around it."""
        for id_ in self.graph.frames_of(cluster):
            frame = self.graph.clusters[id_]
            if frame.side == "forward" and frame.twin in self.graph.clusters:
                return frame.twin
        return None


def _common(one: Scope | None, other: Scope | None) -> Scope | None:
    """Return the innermost call around both."""
    around = set() if one is None else {scope.number for scope in one.around()}
    return None if other is None else next((one for one in other.around() if one.number in around), None)


class Earlier:
    """Finds the earlier pass that ran an event of a picture, and the rule that it is a part of."""

    def __init__(self, trace: Trace, graph: Graph, frames: Frames) -> None:
        self.trace = trace
        self.graph = graph
        self.frames = frames
        self._around = passes_around(trace, graph.pass_number)

    def pass_of(self, event: Event) -> int:
        """Return the number of the earlier pass that ran an event; 0 if none did."""
        ran = event if event.part_of is None else self.trace.events[event.part_of]
        number = self.trace.pass_of(ran)
        return number if ran.phase == "backward" and number not in self._around else 0

    def drawn(self, forward: Sequence[Event], backward: Sequence[Event]) -> Iterator[tuple[str, Event]]:
        """Yield the ids and events of the forward side, each after the events that it depends on.

        A rule that is differentiated in parts is drawn as its parts.
        """
        drawn = ((event, self.part(event)) for event in backward)
        parts = grouped(
            (event.origin, (f"p{event.index}", part)) for event, part in drawn if part is not None
        )
        again = grouped((event.part_of, (f"f{event.index}", event)) for event in forward)
        for event in sorted(forward, key=self._place):
            if event.index in parts and event.kind == "grad":
                yield from (*again.get(event.index, ()), *parts[event.index])
            elif not self._is_again(event) or event.part_of not in parts:
                yield f"f{event.index}", event

    def _place(self, event: Event) -> tuple[int, int]:
        whole = event.part_of if self._is_again(event) else None
        return event.index if whole is None else whole, event.index

    def _is_again(self, event: Event) -> bool:
        """Whether an event is part of a rule that a Program ran again, to restore intermediate values."""
        return event.part_of is not None and event.part_of < event.index

    def part(self, event: Event) -> Event | None:
        """Return the part of an earlier rule that a gradient event differentiates; None if there is no such part."""
        whole = None if event.origin is None else self.trace.events[event.origin]
        if not isinstance(event, Grad) or not isinstance(whole, Grad):
            return None
        if event.part is None or event.part.op == whole.op:
            return None
        found = replace(event.part, pass_number=whole.pass_number, phase="backward", scope=whole.scope)
        found.part_of = whole.index
        return found

    def _rule(self, event: Event) -> Event | None:
        """Return the gradient event of an earlier pass that `event` is, or belongs to; else None."""
        index = event.index if event.kind == "grad" else event.part_of
        if index is None or not self.pass_of(event):
            return None
        rule = self.trace.events[index]  # may be damaged: an operator runs before its rule
        return rule if rule.kind == "grad" and rule.origin is not None and rule.origin < event.index else None

    def operator(self, event: Event) -> str | None:
        """Return the node of the operator whose rule an event is, or is a part of."""
        rule = self._rule(event)
        id_ = "" if rule is None else f"f{rule.origin}"
        return id_ if id_ in self.graph.nodes else None

    def frame(self, event: Event, side: Side) -> str | None:
        """Return the frame of an event's rule, or of the rules that differentiate it; else its layer's."""
        rule, number = self._rule(event), self.pass_of(event)
        if not number:
            return self.frames.of(event.scope, side)
        layer = self.frames.of(None if rule is None else self._scope(rule), side, number)
        if rule is None or event.kind == "grad":
            return layer
        names = f"q{rule.index}", f"w{rule.index}"
        return self.frames.add(names, f"{clean(rule.title)}_grad", side, layer, number)

    def _scope(self, rule: Event) -> Scope | None:
        """Return the layer call of the operator that a rule differentiates, through rules of rules."""
        origin: Event | None = rule
        while origin is not None and (after := self._rule(origin)) is not None:
            origin = None if after.origin is None else self.trace.events[after.origin]
        return None if origin is None else origin.scope


def kind_of(event: Event, earlier: int) -> NodeKind:
    """Return the kind of node for an operator, or for a rule or part of one in an earlier pass."""
    if event.is_custom and event.kind != "grad" and event.op != "run_program":  # to_static is no PyLayer
        return "pylayer"
    if earlier and event.kind == "grad":
        return "pylayer_grad" if event.op == "pylayer_grad" else "grad"
    return "rule" if earlier else "op"


def words_of(numbers: Sequence[int]) -> str:
    """Return the title of passes: ``pass 1``, ``passes 1 to 5``."""
    if len(numbers) == 1:
        return phrase("pass {number}", number=numbers[0])
    if numbers[-1] - numbers[0] == len(numbers) - 1 > 1:
        return phrase("passes {first} to {last}", first=numbers[0], last=numbers[-1])
    return phrase("passes {numbers}", numbers=", ".join(map(str, numbers)))


def settle_sums(graph: Graph) -> None:
    """Put each sum without a frame into the innermost one that all its terms come from."""
    tails = grouped((edge.head, edge.tail) for edge in graph.edges)
    for node in [*graph.nodes.values()]:  # in the order of the run: first the terms of a sum
        if node.side == "backward" and node.twin is None and node.cluster is None:
            home = graph.frame_around(tails.get(node.id, [node.id]))
            if home is not None:
                graph.nodes[node.id] = replace(node, earlier=graph.clusters[home].earlier, cluster=home)
