"""The builder: the only class that appends events and values to a recording.

A source (an eager run, a run of a Program, the tape of a given tensor) reports each event in the order of the run,
with its place, by the holders and places themselves (:mod:`minipaddle.tools.record.values`). The builder keeps
the bodies of user code, Blocks and backward passes that are open around an event.
"""

import linecache
from collections.abc import Sequence
from typing import Any, TypeVar

from minipaddle.engine.errors import Line
from minipaddle.engine.tape.node import Node
from minipaddle.engine.value.meta import Array, Meta
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.record.kinds import Accumulate, Backward, Enter, Into, Leave, MadeBy, Scope, Store
from minipaddle.tools.record.memory import Memory
from minipaddle.tools.record.reads_and_cuts import Read
from minipaddle.tools.record.values import Place, Values

At = tuple[Line | None, Scope | None]
"""The user's line that an event is at, and the call of a layer that it runs in."""
NOWHERE: At = (None, None)
_Kind = TypeVar("_Kind", bound=Event)
_Line = TypeVar("_Line", bound=Line | None)


class _Pass:
    """A backward pass that is running."""

    def __init__(self, event: Backward) -> None:
        self.event = event
        self.waiting: dict[Place, list[int]] = {}
        """Gradients that have arrived at a place, in the order of the walk; summed ones are replaced by their sum."""
        self.replaced: dict[Place, tuple[int, Array]] = {}
        """The gradient of a place after the hooks so far: the value, and its numbers."""
        self.complete: dict[Place, int] = {}
        """The final gradient of a place: the sum, after all hooks."""


class Builder(Values):
    """Builds `trace`; `passes_before` backward passes are not in it."""

    def __init__(self, trace: Trace, memory: Memory, passes_before: int = 0) -> None:
        super().__init__(trace, memory)
        self.passes = passes_before
        """Number of the last backward pass that began, not counting passes within others."""
        self._within = 0  # how many passes ran within another one
        self.open: list[Enter] = []
        """The open bodies, the innermost last."""
        self._running: list[_Pass] = []

    # -- events ---------------------------------------------------------------------------------------------------

    def event(self, kind: type[_Kind], op: str, title: str, at: At = NOWHERE) -> _Kind:
        """Append an event with its context (body, Block, iterations, backward pass), and return it."""
        events, (where, scope) = self.trace.events, at
        event = kind(len(events), op, title, where=where, scope=scope, pass_number=self.passes)
        if self._running:
            event.pass_number, event.phase = self._running[-1].event.pass_number, "backward"
        if self.open:
            around = self.open[-1]
            event.depth, event.parent = len(self.open), around.index
            event.owner, event.block, event.iterations = around.owner, around.block, around.iterations
        events.append(event)
        return event

    def with_source(self, line: _Line) -> _Line:
        """Return a line of user code, after storing the text of its file in the recording."""
        if line is not None and line.file not in self.trace.sources:
            self.trace.sources[line.file] = "".join(linecache.getlines(line.file))
        return line

    # -- bodies of the user's code, and Blocks --------------------------------------------------------------------

    def enter(self, kind: str, title: str, owner: str, at: At) -> Enter:
        """Append the beginning of a body and return it: later events are inside, until :meth:`leave`.

        Its kind is ``forward``, ``backward``, ``hook``, ``block`` or ``function``; `owner` is the type of the operator
        that runs it, `at` the line and layer call from which it is called.
        """
        event = self.event(Enter, kind, title, at)
        event.owner = owner
        self.open.append(event)
        return event

    def leave(self, title: str, answers: Sequence[int | None], at: At = NOWHERE, error: str = "") -> Leave:
        """Append the end of the innermost open body, and return it; `answers` are the values it returned."""
        enter = self.open.pop()
        event = self.event(Leave, enter.op, title, at)
        event.owner, event.block, event.iterations = enter.owner, enter.block, enter.iterations
        event.origin, event.about = enter.index, enter.about
        event.outputs = list(answers)
        event.note = error
        return event

    # -- backward passes ------------------------------------------------------------------------------------------

    def begin_pass(self, made_by: MadeBy, at: At = NOWHERE) -> Backward:
        """Append and return the marker of a backward pass: later events are part of it, until :meth:`end_pass`."""
        if self._running:
            self._within += 1
        else:
            self.passes += 1
        title = f"pass within pass {self.passes}" if self._running else f"pass {self.passes}"
        number = -self._within if self._running else self.passes
        event = self.event(Backward, "backward", title, at)
        self._running.append(_Pass(event))
        event.pass_number, event.phase, event.made_by = number, "backward", made_by
        return event

    @property
    def running(self) -> int:
        """Number of the innermost running backward pass; 0 if none is running."""
        return self._running[-1].event.pass_number if self._running else 0

    def end_pass(self, error: str = "") -> None:
        """End the innermost backward pass; `error` is the error that ended it early."""
        self._running.pop().event.error = error

    def gradient(
        self,
        place: Place,
        array: Array | Meta | None,
        event: Event | None,
        same: int | None = None,
        stop_gradient: bool = True,
    ) -> int:
        """Append the gradient that `event` (None: no operator) sends to `place`; return its value's number."""
        held = self.held(*place)
        name = "" if held.now is None else f"{self.trace.values[held.now].name}@GRAD"
        return self.append(array, "gradient", name, event, stop_gradient, held.now, same, held)

    def arrive(self, place: Place, id_: int) -> None:
        """Add a gradient to those at `place` that wait to be summed and then taken up by the walk."""
        self._running[-1].waiting.setdefault(place, []).append(id_)

    def add(self, place: Place, total: Array | Meta | None, at: At = NOWHERE) -> Accumulate:
        """Append the sum of the first two gradients waiting at `place`, which replaces them."""
        waiting = self._running[-1].waiting[place]
        event = self.event(Accumulate, "sum", "accumulate", at)
        held = self.held(*place)
        event.about, event.inputs = held.now, [*waiting[:2]]
        before = self.trace.values[waiting[0]]
        made = self.append(total, "gradient", before.name, event, before.stop_gradient, before.of, None, held)
        event.outputs = [made]
        waiting[:2] = [made]
        return event

    def next_in_walk(self) -> Place | None:
        """Return the place of the node that the walk visits next: the latest call with a waiting gradient."""
        waiting = [place for place in self._running[-1].waiting if isinstance(place[0], Node)]
        return min(waiting, key=lambda place: place[0].sequence, default=None)

    def waits(self, place: Place) -> int | None:
        """Return the accumulated gradient that waits at a place; None if none has arrived."""
        waiting = self._running[-1].waiting.get(place) if self._running else None
        return waiting[0] if waiting else None

    def replace(self, place: Place, made: int, array: Array) -> None:
        """Record that a hook replaced the gradient waiting at `place` with value `made`, of these numbers."""
        self._running[-1].replaced[place] = made, array

    def reach(self, place: Place) -> int | None:
        """Return the gradient of a place that the walk has reached, after hooks; None if none arrived."""
        now = self._running[-1]
        waiting = now.waiting.pop(place, None)
        if waiting is None:
            now.replaced.pop(place, None)
            return now.complete.get(place)
        (id_,) = waiting
        if now.replaced and place in now.replaced:
            made, array = now.replaced.pop(place)
            before, id_ = id_, self.gradient(place, array, None, made)
            self.trace.values[id_].replaces = before
        now.complete[place] = id_
        return id_

    def store(self, about: int | None, arrived: int | None, into: Into, at: At = NOWHERE) -> Store:
        """Append the end of a gradient at the leaf `about`; the caller appends the value of its ``.grad``."""
        title = "" if about is None else self.trace.values[about].name
        event = self.event(Store, "returned" if into in ("returned", "passed") else "store", title, at)
        event.about, event.into, event.inputs = about, into, [arrived]
        return event

    # -- reads by Python ------------------------------------------------------------------------------------------

    def read(self, holder: Any, id_: int | None, how: str, where: Line | None) -> None:
        """Record that Python read the numbers of value `id_`; None: of the holder's value, which no event has met."""
        parent = self.open[-1].index if self.open else None
        read = Read(len(self.trace.events), -1 if id_ is None else id_, how, where, parent, self.reads)
        self.reads += 1
        if id_ is not None:
            self.trace.reads.append(read)
        else:
            self.held(holder).reads += (read,)
