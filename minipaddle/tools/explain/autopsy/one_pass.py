"""One backward pass, indexed for an autopsy: readers of each value, roots of the pass, stores of gradients.

Also the path of a gradient through the rules, and tests of how they treat other gradients.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.explain.rule import hook_of
from minipaddle.tools.explain.sentences import REAL, anything, sent_back
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import SET, Store
from minipaddle.tools.record.reads_and_cuts import Cut, Read
from minipaddle.tools.words.events import ancestors
from minipaddle.tools.words.group_by import grouped


class OnePass:
    """Indexes of a recording for backward pass `number`."""

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
        """The calls before the pass that read a value, by its id; PyLayer bodies count as one call."""
        return grouped(
            (id_, event)
            for event in self.trace.events[: self.begin]
            if event.kind == "op" and not event.in_custom
            for id_ in dict.fromkeys(event.inputs)
            if id_ is not None
        )

    @cached_property
    def alike(self) -> dict[int, list[Value]]:
        """The values of other tensors with the same numbers as a value, by its id."""
        return grouped(
            (value.same, value)
            for value in self.trace.values
            if value.same is not None and value.kind != "gradient"
        )

    @cached_property
    def cuts(self) -> dict[int, list[Cut]]:
        """The cuts at which the numbers of a value left the graph, by its id."""
        return grouped(
            (cut.value, cut)
            for cut in self.trace.cuts
            if cut.value is not None and cut.before_event <= self.begin and cut.how != "stop_gradient=False"
        )

    @cached_property
    def decided(self) -> dict[int, Cut]:
        """The last cut that set whether a value requires gradient, by its id."""
        return {cut.made: cut for cut in self.trace.cuts if cut.made is not None}

    def wants_gradient(self, leaf: Value) -> bool:
        """Whether a leaf requires gradient: by its last cut, else as it was made."""
        cut = self.decided.get(leaf.id)
        return cut.how == "stop_gradient=False" if cut is not None else not leaf.stop_gradient

    def is_leaf(self, value: Value) -> bool:
        """Whether a value can have a ``.grad``: it is a parameter, or the user made it require gradient."""
        return value.kind in ("parameter", "leaf") or (
            value.id in self.decided and self.wants_gradient(value)
        )

    @cached_property
    def reads(self) -> dict[int, list[Read]]:
        """The reads of a value by Python, by its id, except for printing."""
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
        """The values whose gradients seeded the pass, such as the loss."""
        seeds = (value for event in self.events for value in self.trace.known(event.inputs) if value.seed)
        return self.trace.known(dict.fromkeys(seed.of for seed in seeds))

    @cached_property
    def end_of_values(self) -> int:
        """The id of the pass's first seed; values with larger ids are newer than the forward run."""
        seeds = (value.id for event in self.events for value in self.trace.known(event.inputs) if value.seed)
        return min(seeds, default=len(self.trace.values))

    @cached_property
    def used(self) -> set[int]:
        """The ids of all values from which the roots were computed; without a root, the value made last is meant."""
        ran = (event for event in reversed(self.trace.events[: self.begin]) if event.kind == "op")
        last = next(ran, None)
        roots = self.roots or (self.trace.known(last.outputs) if last is not None else [])
        return {value.id for value in ancestors(self.trace, *roots, alike=True)}

    def lacks(self, leaf: Value) -> bool:
        """Whether the pass stored no gradient of a leaf, though its roots depend on it."""
        return leaf.holder not in self.stores and leaf.id in self.used

    def is_broken_off(self, leaf: Value) -> bool:
        """Whether an error ended the pass before it stored the gradient of a leaf that its roots depend on."""
        return self.marker is not None and bool(self.marker.error) and self.lacks(leaf)

    @cached_property
    def stores(self) -> dict[int, Store]:
        """The event that stored or returned the gradient of a leaf, by the leaf's holder."""
        ends = (one for one in (*self.events, *self.inner_stores) if isinstance(one, Store))
        kept = (one for one in ends if one.into != "passed")
        return {leaf.holder: store for store in kept for leaf in self.trace.known([store.about])}

    @cached_property
    def inner_stores(self) -> list[Event]:
        """Stores of gradients at leaves in passes that ran within this one, such as a recomputed part's."""
        within = self.trace.events[self.events[0].index : self.events[-1].index] if self.events else []
        stores = (event for event in within if event.kind == "store" and event.pass_number != self.number)
        return [event for event in stores if event.about is not None and event.about < self.end_of_values]

    @cached_property
    def updated(self) -> set[int]:
        """The holders that an optimizer changed between this pass and the next one."""
        return _updated_in(self.trace, self.trace.events[self.begin : self.end])

    @cached_property
    def ever_updated(self) -> set[int]:
        """The holders that an optimizer changed anywhere in the recording."""
        return _updated_in(self.trace, self.trace.events)

    def is_trained(self, holder: int) -> bool | None:
        """Return whether the optimizer stepping after this pass trains a holder; None: no optimizer known."""
        if not self.trace.trained:
            return None
        stepping = [one for one in self.trace.trained if not self.updated.isdisjoint(one)]
        return any(holder in one for one in stepping or self.trace.trained)

    def arrived(self, store: Event) -> Value | None:
        """Return the gradient that a leaf got."""
        return next(iter(self.trace.known(store.inputs)), None)


def _updated_in(trace: Trace, events: Iterable[Event]) -> set[int]:
    updates = (trace.value(event.about) for event in events if event.kind == "update" and event.op != SET)
    return {value.holder for value in updates if value is not None}


_ROUNDING = 512  # units in the last place: a sum cancels if no more is left, of thousands of terms before a batch norm


class Leg(NamedTuple):
    """One event on a gradient's path, and the gradients before and after it."""

    event: Event | None
    """None: backward began here, or it was not recorded."""
    before: Value | None
    after: Value

    def sent(self, trace: Trace, others: Mapping[int, Array]) -> Array | None:
        """Return the gradient that is sent on if values have the numbers `others`; None if unknown."""
        if self.event is None or self.before is None or self.after.id not in self.event.outputs:
            return None
        if self.event.kind == "accumulate":
            return others.get(self.before.id)
        return sent_back(trace, self.event, self.after, others)

    def lets_nothing_through(self, trace: Trace, reached: Array | None = None) -> bool | None:
        """Return whether it turns any gradient (times `reached`) into zeros; None: unknown."""
        if self.before is None or self.before.dtype not in REAL:
            return None
        coming = anything(self.before)
        found = self.sent(trace, {self.before.id: coming if reached is None else coming * reached})
        return None if found is None else not found.any()

    def multiplies_by(self, trace: Trace, factor: Value) -> bool:
        """Return whether it multiplies by `factor`: doubling it doubles a result that is not all zero."""
        if self.before is None or not {self.before.dtype, factor.dtype} <= {*REAL}:
            return False
        coming, other = {self.before.id: anything(self.before)}, anything(factor)
        once, twice = (self.sent(trace, {**coming, factor.id: one}) for one in (other, other + other))
        if once is None or twice is None or not once.any():
            return False
        return bool(
            np.allclose(twice, once + once, rtol=1e-2, atol=1e-3 * float(np.abs(once).max(initial=0)))
        )

    def leaves_rounding(self, trace: Trace) -> bool:
        """Return whether the incoming gradient cancels in a rule: its absolute values give a far larger result."""
        before, after = self.before, self.after
        if before is None or before.array is None or {before.dtype, after.dtype} - {"float32", "float64"}:
            return False
        found = self.sent(trace, {before.id: np.abs(before.array) * anything(before)})
        if found is None or not found.size:
            return False
        usual = float(np.sqrt(np.mean(np.square(found, dtype="float64"))))
        return usual > 0 and bool(after.stats.rms <= _ROUNDING * np.finfo(after.dtype).eps * usual)


def way_to(one: OnePass, gradient: Value) -> list[Leg]:
    """Return the legs of the path that led to a gradient, the last one first."""
    found: list[Leg] = []
    value: Value | None = gradient
    while value is not None and len(found) < len(one.trace.events) + 1:
        event, before = _made_of(one.trace, value)
        found.append(Leg(event, before, value))
        value = before
    return found


def _made_of(trace: Trace, value: Value) -> tuple[Event | None, Value | None]:
    if value.replaces is not None:
        return hook_of(trace, value), trace.values[value.replaces]
    made = trace.maker(value)
    if made is None or made.kind not in ("grad", "accumulate"):
        same = trace.value(value.same) if made is None and not value.seed else None
        return (None, same) if same is not None and same.kind == "gradient" else (made, None)
    return made, max(trace.known(made.inputs), key=lambda value: value.stats.norm, default=None)
