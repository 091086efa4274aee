"""One backward pass as an autopsy sees it: who used a value, what the pass began with, what came of each gradient."""

from collections.abc import Iterable
from functools import cached_property

from minipaddle.engine.names.group_by import grouped
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Store
from minipaddle.tools.record.reads_and_cuts import Cut, Read


class OnePass:
    """What a recording says of backward pass `number`."""

    def __init__(self, trace: Trace, number: int) -> None:
        self.trace = trace
        self.number = number
        self.marker = trace.began(number)
        self.events = list(trace.of_pass(number))
        self.begin = len(trace.events) if self.marker is None else self.marker.index
        ends = (one.index for one in trace.markers if one.index > self.begin and one.depth == 0)
        self.end = next(ends, len(trace.events))

    @cached_property
    def readers(self) -> dict[int, list[Event]]:
        """The calls before the pass that took a value, by its id; what a body of the user's own did is its call's."""
        return grouped(
            (id_, event)
            for event in self.trace.events[: self.begin]
            if event.kind == "op" and event.owner != "pylayer"
            for id_ in dict.fromkeys(event.inputs)
            if id_ is not None
        )

    @cached_property
    def alike(self) -> dict[int, list[Value]]:
        """The values of other holders that have the numbers of a value, by its id."""
        return grouped(
            (value.same, value)
            for value in self.trace.values
            if value.same is not None and value.kind != "gradient"
        )

    @cached_property
    def cuts(self) -> dict[int, list[Cut]]:
        """Where the numbers of a value went on without the graph, by its id."""
        return grouped(
            (cut.value, cut)
            for cut in self.trace.cuts
            if cut.value is not None and cut.before_event <= self.begin and cut.how != "stop_gradient=False"
        )

    @cached_property
    def decided(self) -> dict[int, Cut]:
        """What was decided last of whether a value requires gradient, by its id."""
        return {cut.made: cut for cut in self.trace.cuts if cut.made is not None}

    def wants_gradient(self, leaf: Value) -> bool:
        """Whether a leaf requires gradient: what was decided of it counts, else how it was made."""
        cut = self.decided.get(leaf.id)
        return cut.how == "stop_gradient=False" if cut is not None else not leaf.stop_gradient

    def is_leaf(self, value: Value) -> bool:
        """Whether a gradient could stay at a value: it is a parameter, or the user asked for its gradient."""
        return value.kind in ("parameter", "leaf") or (
            value.id in self.decided and self.wants_gradient(value)
        )

    @cached_property
    def reads(self) -> dict[int, list[Read]]:
        """What Python read of a value, by its id; what is only printed is left out."""
        return grouped(
            (read.value, read)
            for read in self.trace.reads
            if read.before_event <= self.begin and read.how not in ("__format__", "fetch_list")
        )

    @cached_property
    def sent(self) -> dict[int, Event]:
        """The gradient event of a call, by the index of the call."""
        return {
            event.origin: event for event in self.events if event.kind == "grad" and event.origin is not None
        }

    @cached_property
    def roots(self) -> list[Value]:
        """What the pass began with."""
        seeds = (value for event in self.events for value in self.trace.known(event.inputs) if value.seed)
        found = {seed.of: self.trace.value(seed.of) for seed in seeds}
        return [value for value in found.values() if value is not None]

    @cached_property
    def end_of_values(self) -> int:
        """The id of the first value that the pass itself has made: later ones came after it."""
        seeds = (value.id for event in self.events for value in self.trace.known(event.inputs) if value.seed)
        return min(seeds, default=len(self.trace.values))

    @cached_property
    def used(self) -> set[int]:
        """The ids of all that the roots were computed of."""
        waiting = [root.id for root in self.roots]
        seen = set(waiting)
        for id_ in waiting:
            value = self.trace.values[id_]
            made = self.trace.maker(value)
            before = [value.same, *(made.inputs if made is not None and made.kind == "op" else ())]
            for one in before:
                if one is not None and one not in seen:
                    seen.add(one)
                    waiting.append(one)
        return seen

    def is_broken_off(self, leaf: Value) -> bool:
        """Whether an error ended the pass, which leads to a leaf as far as is known, before it stored a gradient."""
        broken = self.marker is not None and bool(self.marker.error)
        return broken and leaf.holder not in self.stores and (not self.roots or leaf.id in self.used)

    def is_not_asked(self, leaf: Value) -> bool:
        """Whether the pass was a ``paddle.grad`` that was not asked for `leaf`, though the leaf leads to its roots."""
        asked = self.marker is not None and self.marker.into == "returned"
        return asked and leaf.holder not in self.stores and leaf.id in self.used

    @cached_property
    def stores(self) -> dict[int, Store]:
        """Where the gradient of a leaf ended, by the number of the leaf's holder."""
        found = {}
        for event in (*self.events, *self.inner_stores):
            if isinstance(event, Store) and event.into != "passed":
                leaf = self.trace.value(event.about)
                if leaf is not None:
                    found[leaf.holder] = event
        return found

    @cached_property
    def inner_stores(self) -> list[Event]:
        """Where gradients of leaves ended in passes that ran within this one, as that of a recomputed part does."""
        within = self.trace.events[self.events[0].index : self.events[-1].index] if self.events else []
        stores = (event for event in within if event.kind == "store" and event.pass_number != self.number)
        return [event for event in stores if event.about is not None and event.about < self.end_of_values]

    @cached_property
    def updated(self) -> set[int]:
        """The holders that an optimizer changed between this pass and the next one."""
        after = self.trace.events[self.begin : self.end]
        updates = (self.trace.value(event.about) for event in after if event.kind == "update")
        return {value.holder for value in updates if value is not None}

    def is_trained(self, holder: int) -> bool | None:
        """Return whether the optimizer that steps after this pass has a holder; None: nothing is known of any."""
        if not self.trace.trained:
            return None
        stepping = [one for one in self.trace.trained if not self.updated.isdisjoint(one)]
        return any(holder in one for one in stepping or self.trace.trained)

    def arrived(self, store: Event) -> Value | None:
        """Return the gradient that a leaf got."""
        return next(iter(self.trace.known(store.inputs)), None)


def largest(values: Iterable[Value]) -> Value | None:
    """Return the value of the greatest norm."""
    return max(values, key=lambda value: value.stats.norm, default=None)
