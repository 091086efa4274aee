"""The recorder: an observer that writes down what a run does."""

from __future__ import annotations

import linecache
import sys
import weakref
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

import numpy as np

from minipaddle.autograd.tensor import Tensor
from minipaddle.autograd.walk import node_of
from minipaddle.core.errors import Line, user_frame
from minipaddle.core.memory import owner_of
from minipaddle.core.meta import Array, Attrs
from minipaddle.core.mode import BodyKind, Named
from minipaddle.core.operator import Operator
from minipaddle.core.record import CustomCall, Edge, Leaf, Node, Port, Record, Step
from minipaddle.nn.parameter import Parameter
from minipaddle.trace.events import Event, Kind, Trace, Value, ValueKind
from minipaddle.trace.naming import assigned_name, depth_of, names_in
from minipaddle.trace.stats import stats_of

__all__ = ["Recorder"]

Place = tuple[Node, int]
"""Where gradients meet: a node and the number of its output."""


class Recorder:
    """Watches a mode (:class:`minipaddle.core.watching.Observer`) and fills a :class:`Trace`.

    Arrays are kept by reference, and copied only when they are about to be overwritten. Once `max_mb` megabytes are
    held, statistics are kept instead of numbers. After `max_events` events nothing more is recorded.
    """

    def __init__(self, script: str = "", max_mb: float = 256, max_events: int = 100_000) -> None:
        self.trace = Trace(script)
        self._budget = int(max_mb * 1_000_000)
        self._max_events = max_events
        self._held = 0
        self._ids: dict[
            int, tuple[weakref.ref[Tensor], int]
        ] = {}  # id(tensor) -> the tensor and its value now
        self._by_memory: dict[int, list[int]] = {}  # id(owner of the memory) -> ids of values over it
        self._made_by: weakref.WeakKeyDictionary[Record, int] = (
            weakref.WeakKeyDictionary()
        )  # its forward event
        self._values_at: weakref.WeakKeyDictionary[Node, dict[int, int]] = (
            weakref.WeakKeyDictionary()
        )  # per output
        self._flows: list[dict[Place, int]] = []  # per running pass: the gradient value so far at each place
        self._named: dict[
            int, int
        ] = {}  # values that bear the user's own name -> how deep the frame is that has it
        self._unmet: dict[
            int, tuple[weakref.ref[Tensor], str, int]
        ] = {}  # id(tensor) -> its name, before any event
        self._named_at: tuple[int, int] | None = None  # frame and line whose variables were looked at last
        self._lines: dict[tuple[CodeType, int], Line] = {}
        self._open: list[int] = []  # indices of open `enter` events
        self._bodies: dict[int, tuple[int, int]] = {}  # id(owner) -> (enter, leave)
        self._pass = 0
        self._running: list[int] = []  # numbers of the running passes: a body may run one of its own

    # -- the observer's interface ---------------------------------------------------------------------------------

    def called(
        self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs, outputs: Any, inplace: bool
    ) -> None:
        """An operator ran."""
        event = self._event("update" if op.updates else "op", op.type, op.name)
        if event is None:
            return
        event.attrs = dict(attrs)
        event.inputs = self._value_ids(inputs)
        if op.updates:
            event.outputs = [self._new_value(inputs[i], event, inplace=True) for i in op.updates]
        else:
            results = outputs if isinstance(outputs, tuple) else (outputs,)
            event.outputs = [self._new_value(out, event, inplace) for out in results]
            if op.multiple:
                self._tell_apart(op, event)
            self._note_record(event, results)

    def _tell_apart(self, op: Operator, event: Event) -> None:
        """Name the outputs of one call after their slots, or by number in a list: ``topk_3_indices``, ``split_4_0``."""
        for number, id_ in enumerate(event.outputs):
            if id_ is not None:
                slot = number if op.list_output else op.output_names[number]
                self.trace.values[id_].name = f"{event.title}_{event.index}_{slot}"

    def will_write(self, op: Operator, target: Any) -> None:
        """Save the numbers that are about to be overwritten."""
        copies: dict[int, Array] = {}
        for id_ in self._by_memory.pop(_memory(target.array), ()):
            value = self.trace.values[id_]
            if value.array is not None:
                key = id(value.array)
                if key not in copies:
                    copies[key] = value.array.copy()
                value.array = copies[key]

    def custom_called(self, call: CustomCall, inputs: Sequence[Any], outputs: Any) -> None:
        """A PyLayer was applied."""
        event = self._event("op", "pylayer", call.name)
        if event is None:
            return
        event.inputs = self._value_ids(inputs)
        results = [out for out in _flat(outputs) if isinstance(out, Tensor)]
        event.outputs = [self._new_value(out, event, inplace=id(out) in self._ids) for out in results]
        event.body = self._bodies.pop(id(call), None)
        self._note_record(event, results)

    def entered(self, kind: BodyKind, owner: Named, args: tuple[Any, ...]) -> None:
        """The user's own code begins."""
        event = self._event("enter", kind, owner.name)
        if event is not None:
            event.inputs = self._value_ids(arg for arg in _flat(args) if isinstance(arg, Tensor))
            self._open.append(event.index)

    def left(self, kind: BodyKind, owner: Named, result: Any, error: BaseException | None) -> None:
        """The user's own code ended."""
        if not self._open:
            return
        enter = self._open.pop()
        event = self._event("leave", kind, owner.name)
        if event is None:
            return
        event.origin = enter
        event.outputs = [self._value_id(out) for out in _flat(result) if isinstance(out, Tensor)]
        event.note = f"{type(error).__name__}: {error}" if error else ""
        self._bodies[id(owner)] = (enter, event.index)

    def backward_began(self) -> None:
        """A reverse walk begins."""
        self._pass += 1
        self._running.append(self._pass)
        self._flows.append({})
        self._event("backward", "backward", f"pass {self._pass}")

    def stepped(self, step: Step) -> None:
        """One node of the walk is done."""
        node, grads, results = step
        if isinstance(node, Leaf):
            self._stored(node, grads[0])
            return
        event = self._event("grad", f"{node.op.type}_grad", node.op.name)
        if event is None:
            return
        event.origin = self._made_by.get(node)
        event.inputs = [self._incoming((node, i), grad) for i, grad in enumerate(grads)]
        event.body = self._bodies.pop(id(node.plan), None)
        arrived: list[tuple[Place, int]] = []
        for edge, grad in zip(node.edges, results, strict=True):
            if grad is None or edge is None:
                event.outputs.append(None)
                continue
            place = _place(edge)
            value = self._gradient(place, grad, event)
            event.outputs.append(value)
            arrived.append((place, value))
        for place, value in arrived:
            self._arrive(place, value)

    def backward_ended(self, error: BaseException | None) -> None:
        """The reverse walk is over."""
        self._flows.pop()
        self._running.pop()
        if error is not None:
            self.failed(error)

    def failed(self, error: BaseException) -> None:
        """Write down that the script raised."""
        event = self._event("error", type(error).__name__, type(error).__name__)
        if event is not None:
            event.note = f"{type(error).__name__}: {error}"

    def finish(self) -> Trace:
        """Name what no later line of the script made a name for us to see; return the trace."""
        events = self.trace.events
        for event, after in zip(events, [*events[1:], None]):
            if event.kind == "op" and event.where is not None and len(event.outputs) == 1:
                value = self.trace.value(event.outputs[0])
                last = after is None or after.kind != "op" or after.where != event.where
                if value is not None and last and value.id not in self._named:
                    value.name = assigned_name(event.where.text) or value.name
        return self.trace

    # -- events and values ----------------------------------------------------------------------------------------

    def _event(self, kind: Kind, op: str, title: str) -> Event | None:
        """Append an event at the user's line; None once the recording is full."""
        events = self.trace.events
        if len(events) >= self._max_events:
            note = f"the recording stopped after {self._max_events} events"
            if note not in self.trace.notes:
                self.trace.notes.append(note)
            return None
        frame = user_frame(sys._getframe(2))
        where = None if frame is None else self._line(frame)
        if frame is not None and self._named_at != (id(frame), frame.f_lineno):
            self._named_at = (id(frame), frame.f_lineno)
            self._look_around(frame)
        event = Event(
            len(events),
            kind,
            op,
            title,
            where=where,
            depth=len(self._open),
            parent=self._open[-1] if self._open else None,
            pass_number=self._running[-1] if self._running else self._pass,
            phase="backward" if self._flows else "forward",
        )
        events.append(event)
        return event

    def _look_around(self, frame: FrameType) -> None:
        """Give the values of the variables that `frame` has now their names."""
        level = depth_of(frame)
        for name, tensor in names_in(frame):
            self._name(tensor, name, level)

    def _value_ids(self, tensors: Iterable[Any]) -> list[int | None]:
        """Return the ids of inputs; those not met before are looked for among the user's variables at once."""
        known = len(self.trace.values)
        ids = [self._value_id(tensor) for tensor in tensors]
        frame = user_frame(sys._getframe(2)) if len(self.trace.values) > known else None
        if frame is not None:
            self._look_around(frame)
        return ids

    def _line(self, frame: FrameType) -> Line:
        """Return the line that `frame` is at, the same object every time, and keep the text of its file."""
        key = (frame.f_code, frame.f_lineno)
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = Line(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
            if line.file not in self.trace.sources:
                self.trace.sources[line.file] = "".join(linecache.getlines(line.file))
        return line

    def _value_id(self, tensor: Tensor | None) -> int | None:
        """Return the id of what `tensor` holds now, making a value for a tensor not met before."""
        if tensor is None:
            return None
        known = self._ids.get(id(tensor))
        if known is not None and known[0]() is tensor:
            return known[1]
        again = self._met_before(tensor)
        if again is not None:
            return again
        kind: ValueKind = "leaf" if type(tensor.edge) is Leaf else "data"
        return self._add(tensor, "parameter" if isinstance(tensor, Parameter) else kind, tensor._name or "")

    def _met_before(self, tensor: Tensor) -> int | None:
        """Return the value that a new tensor holds again: what the tape kept comes back as a tensor of its own."""
        for id_ in reversed(self._by_memory.get(_memory(tensor.array), ())):
            value = self.trace.values[id_]
            if value.array is tensor.array and value.stop_gradient == tensor.stop_gradient:
                return id_
        return None

    def _new_value(self, tensor: Tensor, event: Event, inplace: bool) -> int:
        """Make the value that `event` gave to `tensor`."""
        old = self._ids.get(id(tensor)) if inplace else None
        if old is None:
            return self._add(tensor, "result", "", event)
        before = self.trace.values[old[1]]
        if event.kind == "update":
            return self._add(tensor, before.kind, before.name, event)
        keeps_name = before.id in self._named or before.producer is None
        return self._add(tensor, "result", before.name if keeps_name else "", event)

    def _add(self, tensor: Tensor, kind: ValueKind, name: str, event: Event | None = None) -> int:
        id_ = self._append(tensor.array, kind, name, event, tensor.stop_gradient)
        self._ids[id(tensor)] = (weakref.ref(tensor), id_)
        if tensor.edge is not None:
            node, port = _place(tensor.edge)
            self._values_at.setdefault(node, {})[port] = id_
        seen, called, level = self._unmet.pop(id(tensor), (None, "", 0))
        if seen is not None and seen() is tensor:
            self._name(tensor, called, level)
        return id_

    def _append(
        self,
        array: Array,
        kind: ValueKind,
        name: str,
        event: Event | None,
        stop_gradient: bool,
        of: int | None = None,
        same: int | None = None,
    ) -> int:
        """Append a value, with its numbers while there is room for them; `same` is a value known to have the same."""
        id_ = len(self.trace.values)
        memory = _memory(array)
        if memory not in self._by_memory:
            self._held += array.nbytes
        fits = self._held <= self._budget
        if not fits and not any(note.startswith("memory") for note in self.trace.notes):
            self.trace.notes.append(
                f"memory limit of {self._budget / 1e6:g} MB reached: from event {event.index if event else 0} on, only "
                "statistics are kept (--max-mb N to keep more)"
            )
        value = Value(
            id_, name or f"v{id_}", kind, array.shape, _dtype_name(array.dtype), stop_gradient, array if fits else None,
            producer=event.index if event else None, of=of,
        )  # fmt: skip
        if fits:
            self._by_memory.setdefault(memory, []).append(id_)
        else:
            value._stats = stats_of(array) if same is None else self.trace.values[same].stats
        if not name and event is not None:
            value.name = f"{event.title}_{event.index}"
        self.trace.values.append(value)
        return id_

    def _name(self, tensor: Tensor, name: str, level: int) -> None:
        """Give the value of a tensor the user's name for it; the caller's name comes before that of an argument."""
        known = self._ids.get(id(tensor))
        if known is None or known[0]() is not tensor:
            self._unmet[id(tensor)] = (weakref.ref(tensor), name, level)
            return
        id_: int | None = known[1]
        while id_ is not None and self._named.get(id_, level + 1) > level:
            self._named[id_] = level
            self.trace.values[id_].name = name
            id_ = self.trace.values[id_].source

    def _note_record(self, event: Event, results: Any) -> None:
        """Remember which record belongs to a forward event, and what it keeps."""
        record = next((node_of(out.edge) for out in results if out.edge is not None), None)
        if not isinstance(record, Record):
            return
        self._made_by[record] = event.index
        if event.op == "pylayer" and isinstance(record.kept, tuple):
            tensors = getattr(record.kept[0], "_saved", None) or ()
            event.saved = [
                id_ for one in tensors if isinstance(one, Tensor) and (id_ := self._value_id(one)) is not None
            ]
        elif isinstance(record.kept, tuple):
            candidates = [id_ for id_ in (*event.inputs, *event.outputs) if id_ is not None]
            kept = [id(array) for array in record.plan.arrays(record.kept)]
            event.saved = [id_ for id_ in candidates if id(self.trace.values[id_].array) in kept]

    # -- gradients ------------------------------------------------------------------------------------------------

    def _incoming(self, place: Place, grad: Any) -> int | None:
        """Return the value of a complete gradient that reaches its node."""
        if grad is None:
            return None
        array = _array(grad)
        id_ = self._flows[-1].get(place)
        if id_ is not None and _same(self.trace.values[id_].array, array):
            return id_
        seed = self._gradient(place, grad, None)
        if id_ is not None:  # it came, and a hook replaced it
            self.trace.values[seed].source = id_
        return seed

    def _gradient(self, place: Place, grad: Any, event: Event | None) -> int:
        """Make the value of a gradient that arrives at `place`."""
        node, port = place
        of = self._values_at.get(node, {}).get(port)
        if of is None and isinstance(node, Leaf):  # x.stop_gradient = False came after x was made
            of = self._value_id(node.tensor())
        name = f"{self.trace.values[of].name}@GRAD" if of is not None else ""
        is_tensor = isinstance(grad, Tensor)
        source = (
            self._value_id(grad) if is_tensor else None
        )  # made by operators that were recorded as they ran
        id_ = self._append(_array(grad), "gradient", name, event, not is_tensor or grad.stop_gradient, of=of)
        self.trace.values[id_].source = source
        if (
            source is not None
            and name
            and source not in self._named
            and self.trace.values[source].producer is None
        ):
            self.trace.values[source].name = name
        if is_tensor:
            self._ids[id(grad)] = (weakref.ref(grad), id_)
        return id_

    def _arrive(self, place: Place, newcomer: int) -> None:
        """A gradient arrives: the first is kept, every other is added in an event of its own."""
        flow = self._flows[-1]
        so_far = flow.get(place)
        if so_far is None:
            flow[place] = newcomer
            return
        event = self._event("accumulate", "sum", "accumulate")
        if event is None:
            return
        event.inputs = [so_far, newcomer]
        left, right = self.trace.values[so_far].array, self.trace.values[newcomer].array
        if left is not None and right is not None:
            flow[place] = self._gradient(place, left + right, event)
            event.outputs = [flow[place]]

    def _stored(self, leaf: Leaf, grad: Any) -> None:
        """A gradient reached a leaf, and is about to be added to its ``.grad``."""
        tensor = leaf.tensor()
        if tensor is None:
            return
        event = self._event("store", "store", tensor.name)
        if event is None:
            return
        arrived = self._incoming((leaf, 0), grad)
        event.inputs = [arrived]
        event.title = self.trace.values[self._value_id(tensor) or 0].name
        total = _array(grad) if tensor.grad is None else tensor.grad.array + _array(grad)
        same = arrived if tensor.grad is None else None
        of = self._value_id(tensor)
        event.outputs = [self._append(total, "gradient", f"{event.title}.grad", event, True, of, same)]
        event.note = "first write" if tensor.grad is None else "added to what was there"


@lru_cache(maxsize=64)
def _dtype_name(dtype: np.dtype[Any]) -> str:
    """Return ``float32``; NumPy takes two microseconds to make it."""
    return dtype.name


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _array(grad: Any) -> Array:
    array: Array = grad.array if isinstance(grad, Tensor) else grad
    return array


def _memory(array: Array) -> int:
    return id(owner_of(array))


def _place(edge: Edge) -> Place:
    return (edge.record, edge.index) if isinstance(edge, Port) else (edge, 0)


def _same(one: Array | None, other: Array) -> bool:
    if one is None or one is other:
        return True
    return one.shape == other.shape and bool(((one == other) | ((one != one) & (other != other))).all())
