"""The recorder: an observer that writes down what a run does."""

from __future__ import annotations

import linecache
import sys
import weakref
from collections.abc import Iterable, Iterator, Sequence
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any

from minipaddle.autograd.tensor import Tensor
from minipaddle.autograd.walk import node_of
from minipaddle.core.errors import Line, is_engine_file, user_frame
from minipaddle.core.meta import Attrs
from minipaddle.core.mode import BodyKind, Named
from minipaddle.core.operator import Operator
from minipaddle.core.record import CustomCall, Leaf, Record, Step
from minipaddle.trace.events import Event, Kind, Trace
from minipaddle.trace.flow import Flow
from minipaddle.trace.naming import assigned_name, depth_of, names_in
from minipaddle.trace.values import Values

__all__ = ["Recorder"]


class Recorder:
    """Watches a mode (:class:`minipaddle.core.watching.Observer`) and fills a :class:`Trace`.

    Arrays are kept by reference, and copied only when they are about to be overwritten. Once `max_mb` megabytes are
    held, statistics are kept instead of numbers. After `max_events` events nothing more is recorded.
    """

    def __init__(self, script: str = "", max_mb: float = 256, max_events: int = 100_000) -> None:
        self.trace = Trace(script)
        self.values = Values(self.trace, int(max_mb * 1_000_000))
        self.flow = Flow(self.values, self._event)
        self._max_events = max_events
        # The forward event of each record.
        self._made_by: weakref.WeakKeyDictionary[Record, int] = weakref.WeakKeyDictionary()
        self._named_at: tuple[int, int] | None = None  # frame and line whose variables were looked at last
        self._lines: dict[tuple[CodeType, int], Line] = {}
        self._open: list[int] = []  # indices of open `enter` events
        self._bodies: dict[int, tuple[int, int]] = {}  # id(owner) -> (enter, leave)
        self._pass = 0
        self._running: list[int] = []  # numbers of the running passes

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
            event.outputs = [self.values.made(inputs[i], event, inplace=True) for i in op.updates]
        else:
            results = outputs if isinstance(outputs, tuple) else (outputs,)
            event.outputs = [self.values.made(out, event, inplace) for out in results]
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
        self.values.before_write(target.array)

    def custom_called(self, call: CustomCall, inputs: Sequence[Any], outputs: Any) -> None:
        """A PyLayer was applied."""
        event = self._event("op", "pylayer", call.name)
        if event is None:
            return
        event.inputs = self._value_ids(inputs)
        results = [out for out in _flat(outputs) if isinstance(out, Tensor)]
        event.outputs = [self.values.made(out, event, inplace=self.values.knows(out)) for out in results]
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
        event.outputs = [self.values.id_of(out) for out in _flat(result) if isinstance(out, Tensor)]
        event.note = f"{type(error).__name__}: {error}" if error else ""
        self._bodies[id(owner)] = (enter, event.index)

    def backward_began(self) -> None:
        """A reverse walk begins."""
        self._pass += 1
        self._running.append(self._pass)
        self.flow.begin()
        self._event("backward", "backward", f"pass {self._pass}")

    def stepped(self, step: Step) -> None:
        """One node of the walk is done."""
        node, grads, results = step
        if isinstance(node, Leaf):
            self.flow.stored(node, grads[0])
            return
        event = self._event("grad", f"{node.op.type}_grad", node.op.name)
        if event is None:
            return
        event.origin = self._made_by.get(node)
        event.inputs = [self.flow.incoming((node, i), grad) for i, grad in enumerate(grads)]
        event.body = self._bodies.pop(id(node.plan), None)
        self.flow.through(node.edges, results, event)

    def backward_ended(self, error: BaseException | None) -> None:
        """The reverse walk is over."""
        self.flow.end()
        self._running.pop()
        if error is not None:
            self.failed(error)

    def failed(self, error: BaseException) -> None:
        """Write down that the script raised."""
        event = self._event("error", type(error).__name__, type(error).__name__)
        if event is not None:
            event.note = f"{type(error).__name__}: {error}"
            event.where = self._line_of(error)

    def finish(self) -> Trace:
        """Name what no later line of the script made a name for us to see; return the trace."""
        events = self.trace.events
        for event, after in zip(events, [*events[1:], None]):
            if event.kind == "op" and event.where is not None and len(event.outputs) == 1:
                value = self.trace.value(event.outputs[0])
                last = after is None or after.kind != "op" or after.where != event.where
                if value is not None and last and value.id not in self.values.named:
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
        where = None if frame is None else self._line(frame.f_code, frame.f_lineno)
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
            phase="backward" if self.flow.is_running else "forward",
        )
        events.append(event)
        return event

    def _look_around(self, frame: FrameType) -> None:
        """Give the values of the variables that `frame` has now their names."""
        level = depth_of(frame)
        for name, tensor in names_in(frame):
            self.values.name(tensor, name, level)

    def _line_of(self, error: BaseException) -> Line | None:
        """Return the last line of the user's on the way that `error` took."""
        frames = [(frame.f_code, number) for frame, number in walk_tb(error.__traceback__)]
        mine = [(code, number) for code, number in frames if not is_engine_file(code.co_filename)]
        return self._line(*mine[-1]) if mine else None

    def _value_ids(self, tensors: Iterable[Any]) -> list[int | None]:
        """Return the ids of inputs; those not met before are looked for among the user's variables at once."""
        known = len(self.trace.values)
        ids = [self.values.id_of(tensor) for tensor in tensors]
        frame = user_frame(sys._getframe(2)) if len(self.trace.values) > known else None
        if frame is not None:
            self._look_around(frame)
        return ids

    def _line(self, code: CodeType, number: int) -> Line:
        """Return a line of the user's, the same object every time, and keep the text of its file."""
        key = (code, number)
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = Line(code.co_filename, number, code.co_name)
            if line.file not in self.trace.sources:
                self.trace.sources[line.file] = "".join(linecache.getlines(line.file))
        return line

    def _note_record(self, event: Event, results: Any) -> None:
        """Remember which record belongs to a forward event, and what it keeps."""
        record = next((node_of(out.edge) for out in results if out.edge is not None), None)
        if not isinstance(record, Record):
            return
        self._made_by[record] = event.index
        if event.op == "pylayer" and isinstance(record.kept, tuple):
            tensors = getattr(record.kept[0], "_saved", None) or ()
            event.saved = [
                id_
                for one in tensors
                if isinstance(one, Tensor) and (id_ := self.values.id_of(one)) is not None
            ]
        elif isinstance(record.kept, tuple):
            candidates = [id_ for id_ in (*event.inputs, *event.outputs) if id_ is not None]
            kept = [id(array) for array in record.plan.arrays(record.kept)]
            event.saved = [id_ for id_ in candidates if id(self.trace.values[id_].array) in kept]


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)
    else:
        yield value
