"""The values of a recording, their holders, and their names.

A *holder* is a Tensor, or a Variable of a Program: it holds one value at a time. A *place* is where gradients arrive: a
node of the graph and the number of its output. Both are identified by the objects themselves, never by their
numbers: two parameters may be equal, and two ``.grad`` may even share one array.
"""

import weakref
from bisect import insort
from functools import lru_cache
from typing import Any

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.tape.node import AccumulateGrad, AnyNode, Edge
from minipaddle.engine.value.meta import Array, Meta
from minipaddle.tools.record.events import Event, Trace, Value, ValueKind
from minipaddle.tools.record.kinds import Store
from minipaddle.tools.record.memory import Memory
from minipaddle.tools.record.reads_and_cuts import Binding, Cut, CutKind, Extent, Read

Place = tuple[AnyNode, int]
"""Where gradients meet: a node and the number of its output."""


class Held:
    """The state of one holder, or of one place."""

    __slots__ = ("bound", "called", "cuts", "like", "now", "number", "reads", "ref", "versions")

    def __init__(self, ref: weakref.ref[Any]) -> None:
        self.ref = ref
        self.number = -1
        """Its number among the holders with a value, from 0."""
        self.versions = 0
        """The number of values that it has had."""
        self.now: int | None = None
        """Its present value; for a place, the value whose gradient arrives there. None: no event has met it."""
        # For the value of the next event: its name and the depth of the frame that has it, the value that
        # it equals, the numbers of the cuts that made or changed it, Python's reads of it, and the variables
        # that hold it.
        self.called: tuple[str, int] | None = None
        self.like: int | None = None
        self.cuts: tuple[int, ...] = ()
        self.reads: tuple[Read, ...] = ()
        self.bound: tuple[Binding, ...] = ()


class Values:
    """Makes the values of `trace`. Holders and nodes are held weakly: a recording keeps no graph alive."""

    def __init__(self, trace: Trace, memory: Memory) -> None:
        self.trace = trace
        self.memory = memory
        self.named: dict[int, int] = {}
        """Values with the user's own names, and the depth of the frame with that name."""
        self.outermost: dict[str, int] = {}
        """The user's own names, and the depth of the outermost frame that had a value of that name."""
        # Keyed by id(holder) and -1, or by id(node) and the number of an output. An entry is left until its id is used
        # again: a WeakKeyDictionary would run Python code whenever one dies. So check `ref` of each entry found.
        self._held: dict[tuple[int, int], Held] = {}
        self._sharing: dict[int, list[Held]] = {}
        """Values, and their further holders, besides the first."""
        self._switched: set[int] = set()
        """Values whose holder has changed whether it requires gradient."""
        self._bound: dict[tuple[str, Extent], int | Held] = {}
        """The content of each variable: the value, or a holder that no event has met."""
        self._holders = 0
        self.reads = 0
        """The number of reads so far."""

    # -- holders --------------------------------------------------------------------------------------------------

    def now(self, holder: Any, output: int = -1) -> int | None:
        """Return the id of a holder's value, or of the value whose gradient arrives at a place; None: there is none."""
        held = self._held.get((id(holder), output))
        return held.now if held is not None and held.ref() is holder else None

    def number_of(self, held: Held) -> int:
        """Return the number of a holder, even if no event has met it."""
        if held.number < 0:
            held.number, self._holders = self._holders, self._holders + 1
        return held.number

    def alias(self, new: Any, array: Array, stop_gradient: bool, id_: int) -> None:
        """Note that a new holder holds `array`, the numbers of value `id_`: that value, if it is as good as that."""
        value, held = self.trace.values[id_], self.held(new)
        alike = value.stop_gradient == stop_gradient and id_ not in self._switched
        if alike and value.dtype == _dtype_name(array.dtype):
            held.now = id_
            self._sharing.setdefault(id_, []).append(held)
        else:
            held.like = id_

    def switch(self, holder: Any) -> None:
        """Note that `holder` changed whether it requires gradient: it shares its value with no holder any more."""
        held = self.held(holder)
        if held.now is None:
            return
        if held in (sharing := self._sharing.get(held.now, [])):
            held.like, held.now = held.now, None
            return
        for one in sharing:
            if one.now == held.now:
                one.like, one.now = one.now, None
        self._switched.add(held.now)

    def cut(self, holder: Any, how: CutKind, value: int | None, where: Line | None) -> None:
        """Record that `holder` was attached to the graph or detached; its numbers come from `value`."""
        held = self.held(holder)
        if held.now is None:
            held.cuts += (len(self.trace.cuts),)
        self.trace.cuts.append(Cut(len(self.trace.events), how, value, held.now, where))

    def give_to(
        self, holder: Any, array: Array, kind: ValueKind, name: str, event: Event | None, edge: Edge | None
    ) -> int:
        """Append the value that `event` (None: it came from outside) assigned to a holder with this edge."""
        held = self.held(holder)
        same, held.like = held.like if event is None else None, None
        id_ = held.now = self.append(array, kind, name, event, edge is None, None, same, held)
        if edge is not None:
            place = self.held(*place_of(edge))
            if place.now is None or isinstance(place.ref(), AccumulateGrad):  # else an earlier call made it
                place.now = id_
        for number in held.cuts:
            self.trace.cuts[number] = self.trace.cuts[number]._replace(made=id_)
        if held.called is not None:
            self.name_value(id_, *held.called)
        for read in held.reads:
            insort(self.trace.reads, read._replace(value=id_), key=lambda one: one.number)
        for binding in held.bound:
            self.trace.bindings.append(binding._replace(value=id_))
            if self._bound[binding.name, binding.extent] is held:
                self._bound[binding.name, binding.extent] = id_
        held.cuts, held.called, held.reads, held.bound = (), None, (), ()
        return id_

    def held(self, holder: Any, output: int = -1) -> Held:
        """Return the state of a holder, or of a place."""
        key = id(holder), output
        held = self._held.get(key)
        if held is None or held.ref() is not holder:
            held = self._held[key] = Held(weakref.ref(holder))
        return held

    # -- values ---------------------------------------------------------------------------------------------------

    def append(
        self,
        array: Array | Meta | None,
        kind: ValueKind,
        name: str,
        event: Event | None,
        stop_gradient: bool,
        of: int | None = None,
        same: int | None = None,
        held: Held | None = None,
    ) -> int:
        """Append a value, with its numbers if there is room for them, and return its id.

        Args:
            array: the numbers; or their Meta, if they are unknown; or None, if that is unknown too.
            name: the user's; "": one is made from the event.
            event: the event that made it; None: it came from outside.
            of: for a gradient, the value that it is the gradient of.
            same: the value with the same numbers and another holder.
            held: the state of its holder, which may have another value by now; for a gradient on its way, the state
                of the place where it arrives.
        """
        values = self.trace.values
        id_ = len(values)
        producer = None if event is None else event.index
        if not name:
            name = f"v{id_}" if event is None else f"{event.title}_{producer}"
        shape, dtype = ((), "") if array is None else (array.shape, _dtype_name(array.dtype))
        value = Value(id_, name, kind, shape, dtype, stop_gradient, None, producer, of)
        value.same = same
        if held is not None:
            value.holder, value.version = self.number_of(held), held.versions
            held.versions += 1
        values.append(value)
        if array is not None and not isinstance(array, Meta):
            self.memory.give(value, array, None if same is None or values[same].dtype != dtype else same)
        return id_

    # -- names ----------------------------------------------------------------------------------------------------

    def bind(self, holder: Any, name: str, extent: Extent) -> None:
        """Record that a variable of a function with this extent holds `holder`, if it is new."""
        held = self.held(holder)
        if self._bound.get((name, extent)) == (held if held.now is None else held.now):
            return
        if held.now is not None:
            self.bind_value(held.now, name, extent)
            return
        held.bound += (Binding(len(self.trace.events), name, -1, extent),)
        self._bound[name, extent] = held

    def bind_value(self, id_: int, name: str, extent: Extent) -> None:
        """Record that a variable of a function with this extent was assigned value `id_`."""
        if self._bound.get((name, extent)) != id_:
            self.trace.bindings.append(Binding(len(self.trace.events), name, id_, extent))
            self._bound[name, extent] = id_

    def name(self, holder: Any, name: str, level: int) -> None:
        """Name the value of a holder after the user's variable."""
        held = self.held(holder)
        if held.now is not None:
            self.name_value(held.now, name, level)
        elif held.called is None or level < held.called[1]:
            held.called = name, level

    def name_value(self, id_: int, name: str, level: int) -> None:
        """Name a value after a user's variable; the caller's name has precedence over an argument's."""
        here: int | None = id_
        self.outermost[name] = min(level, self.outermost.get(name, level))
        while here is not None and self.named.get(here, level + 1) > level:
            self.named[here] = level
            value = self.trace.values[here]
            value.name = name
            # a gradient shares its name with the value that a hook replaced, or that computed it
            alike = value.kind == "gradient" and not isinstance(self.trace.maker(value), Store)
            here = value.came_from if alike else None


@lru_cache(maxsize=64)
def _dtype_name(dtype: np.dtype[Any]) -> str:
    """Return ``float32``; NumPy takes two microseconds to make it."""
    return dtype.name


def place_of(edge: Edge) -> Place:
    """Return the place where the gradient along `edge` arrives."""
    return edge if isinstance(edge, tuple) else (edge, 0)
