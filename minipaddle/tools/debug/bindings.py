"""The values of the user's variables at an event of a recording, looked up in scope as Python does."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from operator import itemgetter
from typing import TypeVar

from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.kinds import Store
from minipaddle.tools.record.labels import without_number
from minipaddle.tools.record.reads_and_cuts import Binding, Extent
from minipaddle.tools.words.events import blamed

T = TypeVar("T")
Since = list[tuple[int, int]]
"""Pairs of first event and value of a variable, in the order of the events."""


class Bindings:
    """The variables of a recording, with their gradients; `begins`: first events of values that no event made."""

    def __init__(self, trace: Trace, begins: Mapping[int, int]) -> None:
        self.trace = trace
        self._begins = begins
        self._found: defaultdict[str, defaultdict[Extent, Since]] = defaultdict(lambda: defaultdict(list))
        self._holders: defaultdict[int, Since] = defaultdict(list)
        held: defaultdict[int, dict[tuple[str, Extent], None]] = defaultdict(dict)
        before: defaultdict[int, list[str]] = defaultdict(list)
        for binding in trace.bindings:
            name, id_, extent = binding.name, binding.value, binding.extent
            self._found[name][extent].append((self._since(binding, before[id_]), id_))
            before[id_].append(name)
            held[trace.values[id_].holder][name, extent] = None
        for value in trace.values if held else ():
            since = self._begin(value.id), value.id
            self._holders[value.holder].append(since)
            if value.kind == "gradient" and value.of is not None:
                names, marks = held.get(trace.values[value.of].holder, ()), _marks(trace, value)
                for (name, extent), mark in product(names, marks):
                    self._found[f"{name}{mark}"][extent].append(since)
        for every in (*self._holders.values(), *chain(*(one.values() for one in self._found.values()))):
            every.sort(key=itemgetter(0))

    def by_name(self) -> Iterator[tuple[str, int]]:
        """Yield each name with each value, or gradient, that it was ever given."""
        for name, extents in self._found.items():
            yield from ((name, id_) for id_ in {id_ for since in extents.values() for _, id_ in since})

    def at(self, name: str, limit: int) -> int | None:
        """Return the value of a variable at the event with index `limit`, by Python's scoping; None if unknown."""
        events = self.trace.events
        line = blamed(self.trace, events[min(limit, len(events) - 1)]).where
        known = [one for one in self._found.get(name, ()) if line is not None and one.file == line.file]
        around = [one for one in known if line is not None and one.first <= line.number <= one.last]
        for extent in sorted(around, key=lambda one: one.last - one.first):
            held = until(self._found[name][extent], limit)
            if held is not None:  # and later writes to the same tensor
                return self.now(held, limit)
        return None

    def now(self, held: int, limit: int) -> int | None:
        """Return the value at an event of the tensor that once had the value `held`."""
        holder = self.trace.values[held].holder
        return held if holder < 0 else until(self._holders[holder], limit)

    def _since(self, binding: Binding, before: list[str]) -> int:
        """Return the first event at which a binding holds; `before`: earlier names of the same value.

        A value made under a name has it from the start.
        """
        value, begin = self.trace.values[binding.value], self._begin(binding.value)
        made_there = value.producer is not None and not before
        name = without_number(value.name)
        is_its_name = binding.name == name and name not in before
        return begin if made_there or is_its_name else max(begin, binding.before_event)

    def _begin(self, id_: int) -> int:
        begin = self._begins.get(id_, self.trace.values[id_].producer)
        return -1 if begin is None else begin


def until(since: Sequence[tuple[int, T]], limit: int) -> T | None:
    """Return what is held at an event or line, of pairs of first event and what is held; None: nothing yet."""
    place = bisect_right(since, limit, key=itemgetter(0))
    return since[place - 1][1] if place else None


def _marks(trace: Trace, gradient: Value) -> list[str]:
    """Return the suffixes that turn a value's name into its gradient's name."""
    made = trace.maker(gradient)
    if made is None and gradient.same is not None and gradient.replaces is None:  # a retained gradient
        return [".grad"]
    if not isinstance(made, Store) or made.into == "returned":
        return ["@GRAD"]
    return [".grad"] if made.into == "grad" else ["@GRAD", ".grad"]
