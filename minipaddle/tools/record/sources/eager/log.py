"""The log: notes of a run and its tensors, kept until they are written as events."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable, Sequence
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from minipaddle.engine.errors import is_engine_file, user_frame
from minipaddle.engine.operator.custom import Nothing, OnTape
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tape.memory import owner_of
from minipaddle.engine.tape.node import Edge, Node
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.engine.walk.walk import node_of
from minipaddle.engine.watch.observer import Observer
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.kinds import Scope
from minipaddle.tools.record.memory import uncollected
from minipaddle.tools.record.sources.eager.events import EagerSource
from minipaddle.tools.record.sources.eager.names import Groups, Here, Result
from minipaddle.tools.record.user_code.frames import Notes, UserFrames
from minipaddle.tools.record.user_code.lines import Lines
from minipaddle.tools.record.user_code.names import read_changed_files_anew
from minipaddle.tools.words.language import Phrase, phrase

if TYPE_CHECKING:
    from minipaddle.paddle.static.scope import ScopeVariable

_BATCH = 4_000_000
"""Bytes of numbers that may wait for their statistics, when there is no room to keep them: a few large arrays."""

_SHARERS = 16
"""Tensors over one memory that may be alive in notes: each pass with create_graph makes some over the weights."""

_Refused = tuple[Exception | None, str, list[Tensor], Scope | None]
"""An error that an operator raised, the operator, its inputs and its layer call; None and "": no operator raised."""
_NONE_REFUSED: _Refused = (None, "", [], None)


class Log(Observer):
    """Keeps notes of a run, as an observer; subclasses define the notes.

    Arrays are kept by reference, and copied only when they are about to be overwritten. Once `max_mb` megabytes are
    held, statistics are kept instead of numbers. After `max_events` events recording stops.

    `step` chooses one training step: the one with backward pass number `step` (None: all). A step ends with
    the first event after an update. With `ends_script`, so does the script.
    """

    def __init__(
        self,
        script: str = "",
        max_mb: float = 256,
        max_events: int = 250_000,
        step: int | None = None,
        ends_script: bool = False,
    ) -> None:
        self._script = script
        self._budget = int(max_mb * 1_000_000)
        self._max_events = max_events
        self._step, self._ends_script = step, ends_script
        # The parameter groups of each optimizer, and its line, class and scheduler.
        self._trained: list[tuple[Groups[weakref.ref[Tensor]], tuple[Here | None, str, Any]]] = []
        self._pass = 0
        self._over = False
        """Whether recording has stopped."""
        self.ending: SystemExit | None = None  # the exception that was to end the script
        self.lines = Lines()
        read_changed_files_anew()
        self._begin()

    def _begin(self) -> None:
        """Begin with an empty trace."""
        self._trace = Trace(self._script)
        self._source = EagerSource(self._trace, self._budget, self._pass)
        self._memory = self._source.builder.memory
        self._notes: Notes = []
        self._count = 0  # events so far
        self._refused = _NONE_REFUSED
        self._met: dict[int, Any] = {}  # by id, the tensors in the notes, alive until these are written
        self._bytes = 0  # bytes that the notes keep alive, at most
        self._waiting = max(self._budget, _BATCH)  # limit of `_bytes`
        # Keyed by id(memory): the tensors over it, where several share it.
        self._sharing: dict[int, list[weakref.ref[Any]]] = {}
        self._where = UserFrames(self._notes)
        self.lines.begin(self._notes)
        self._backward: list[Here | None] = []  # where each running pass began
        self._updated: Here | None = None  # where the last update was made
        self._moved: set[int] = set()  # ids of what was updated since
        self._clips = False  # whether a call after it read a gradient
        self._passes_before = self._pass
        # The arrays that Scopes held when a run ended: the builder knows their values.
        self._stays: weakref.WeakKeyDictionary[ScopeVariable, weakref.ref[Array]] = (
            weakref.WeakKeyDictionary()
        )
        for groups, about in self._trained:
            met = ([(seen(), share) for seen, share in group] for group in groups)
            alive = [[pair for pair in group if pair[0] is not None] for group in met]
            self._notes += (EagerSource.trains, (*about, alive))

    def refused(self, op: Operator, inputs: tuple[Any, ...], error: Exception) -> None:
        """An operator raised: keep its name, inputs and layer call, in case the error ends the script."""
        self.lines.turn(True)
        if not self._over:
            given = [one for one in inputs if isinstance(one, Tensor)]
            self._meet_all(given)
            self._where.here(sys._getframe(1))
            self._refused = error, op.name, given, self._where.scope

    def failed(self, error: BaseException) -> None:
        """Record that the script raised; only once if the same error has just ended a backward pass."""
        if not self._over and vars(error).get("noted") != (self._where, self._count):
            frames = ((frame.f_code, number) for frame, number in walk_tb(error.__traceback__))
            mine = [(code, number) for code, number in frames if not is_engine_file(code.co_filename)]
            refused, self._refused = self._refused, _NONE_REFUSED
            why = refused if refused[0] is error else _NONE_REFUSED
            about = type(error).__name__, said_by(error), mine[-1:], *why[1:]
            self._note(EagerSource.failed, (self._where.here(sys._getframe(1)), *about))
            vars(error)["noted"] = self._where, self._count

    def _note(self, write: Callable[..., None], about: tuple[Any, ...]) -> None:
        """Add a note; write all notes if they hold too much memory, and stop at the limit of events."""
        self._notes += (write, about)
        self._count += 1
        if self._bytes > self._waiting:
            self._flush()
        if self._count >= self._max_events:
            said = phrase(
                "the recording stopped after {count} events: what followed is not in it",
                count=self._max_events,
            )
            self._cut_off(said)

    def _cut_off(self, said: str) -> None:
        """Stop recording, with the reason `said`."""
        self._over = True
        self.lines.close()
        self._flush()
        self._trace.cut_off = said
        self._trace.notes.append(said)

    def _is_in_forward(self, written: Tensor) -> bool:
        """Whether calls that made something else than `written` wait for a pass to go back through them."""
        noted = zip(self._notes[::2], self._notes[1::2], strict=True)
        calls = (about for write, about in noted if write is EagerSource.called)
        waiting = any(grad and not op.updates and out[0] is not written for _, op, *_, grad, out in calls)
        return waiting and self._pass == self._passes_before

    def _is_of_the_step(self, inputs: Sequence[Any]) -> bool:
        """Whether a call after an update belongs to the step: it clips gradients, or an optimizer is still to come."""
        if self._step is None or self._pass < self._step:
            return False
        own = [[one() for group in groups for one, _ in group] for groups, _ in self._trained]
        grads = [
            {id(one): one.grad for one in alive if one is not None and one.grad is not None} for alive in own
        ]
        self._clips = self._clips or any(
            one is got for one in inputs for each in grads for got in each.values()
        )
        if self._clips and not any(one is leaf for one in inputs for alive in own for leaf in alive):
            return True
        return any(each and self._moved.isdisjoint(each) for each in grads)

    def _step_is_complete(self) -> None:
        """An update is over: the recording ends, restarts or goes on, depending on `step`."""
        self._updated = None
        self._moved.clear()
        if self._step is None:
            return
        if self._pass < self._step:
            self._begin()
            frame = user_frame(sys._getframe())
            if frame is not None and self.lines.open:
                self.lines.look(frame)  # whose line has begun before the recording
            return
        end = phrase(", and ended the script there") if self._ends_script else ""
        self._cut_off(step_is_recorded(self._step, end))
        if self._ends_script:
            self.ending = SystemExit(0)
            raise self.ending

    def went_on(self) -> None:
        """Say that the script caught the exception that was to end it."""
        self._trace.notes.remove(self._trace.cut_off)
        end = phrase("; the script caught the exception that ends it (`except BaseException`) and went on")
        self._cut_off(step_is_recorded(self._step or 1, end))

    def _flush(self) -> None:
        """Turn the notes into events, so that their tensors can be freed."""
        notes, source = iter(self._notes.copy()), self._source
        self._notes.clear()
        with uncollected():
            for write, about in zip(notes, notes, strict=True):
                write(source, *about)
        self._met.clear()
        self._bytes = 0
        self._waiting = max(self._memory.room, _BATCH)

    def _results(self, tensors: Sequence[Any]) -> tuple[Result, ...]:
        """Return the notes of outputs: each tensor, with its array and edge now."""
        found = []
        for out in tensors:
            self._met[id(out)] = out
            self._bytes += out.array.nbytes
            found.append((out, out.array, out.edge, out.edge is not None and keeps(out.edge)))
        return tuple(found)

    def _meet_all(self, tensors: Iterable[Any]) -> None:
        for tensor in tensors:
            if tensor is not None and id(tensor) not in self._met:
                self._meet(tensor)

    def _meet(self, tensor: Any, look: bool = True) -> None:
        """Add a note for a tensor that has none; `look`: search the user's variables for its name."""
        self._met[id(tensor)] = tensor
        if self._source.builder.now(tensor) is not None:
            return
        self._bytes += tensor.array.nbytes
        self._notes += (EagerSource.met, (tensor, tensor.array, tensor.edge))
        frame = user_frame(sys._getframe(2)) if look else None
        if frame is not None:
            self._where.look(frame)

    def _note_sharing(self, new: Any, old: Any) -> None:
        """Note the tensors that share memory."""
        owner = owner_of(new.array)
        if owner is owner_of(old.array):
            over = [one for one in self._sharing.get(id(owner), ()) if one() is not None]
            self._sharing[id(owner)] = [*over, weakref.ref(new), weakref.ref(old)]

    def _note_others(self, written: Any) -> None:
        """Add notes for the other tensors that share the memory `written` wrote to."""
        owner = owner_of(written.array)
        if len(self._sharing.get(id(owner), ())) > _SHARERS:
            self._flush()  # most of them are alive in notes alone: each write would get a note for each
        met = {id(written)}
        for seen in self._sharing.get(id(owner), ()):
            other = seen()
            if other is not None and id(other) not in met and owner_of(other.array) is owner:
                met.add(id(other))
                self._notes += (EagerSource.overwritten, (held(written), other, other.array, other.edge))


def said_by(error: BaseException) -> str:
    """Return the type of an error and its message."""
    return f"{type(error).__name__}: {error}"


def held(tensor: Any) -> tuple[Any, Any]:
    """Return a tensor with its present array."""
    return tensor, tensor.array


def keeps(edge: Edge) -> bool:
    """Whether the node of an edge has saved tensors, which backward will free."""
    node = edge if type(edge) is Node else node_of(edge)
    return type(node) is Node and type(node.saved) is tuple


def saved_by(op: OnTape, made: Sequence[Tensor]) -> list[Tensor]:
    """Return the tensors that the forward of a custom operator saved when it made these."""
    nodes = [node_of(out.edge) for out in made if out.edge is not None and keeps(out.edge)]
    return op.saved_tensors(nodes[0].saved) if nodes else []


def there(grads: Sequence[Any]) -> list[Any]:
    """Return gradients with None in place of each missing one."""
    return [None if isinstance(grad, Nothing) else grad for grad in grads]


def step_is_recorded(step: int, end: str) -> Phrase:
    """Return a sentence: a training step was recorded, what became of the script, how to record another step."""
    return phrase(
        "recorded training step {step} (forward, backward, update){end}; "
        "--pass N for another one, --passes all for all",
        step=step,
        end=end,
    )
