"""The recorder: an observer that notes what a run does, as quickly as that can be done.

While the script runs, a note is a tuple: what happened, where in the code, and the arrays by reference. Names, lines
and events are made of the notes afterwards (:mod:`minipaddle.trace.sources.eager.events`); at once only when memory
runs out.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from traceback import walk_tb
from typing import Any

from minipaddle.autograd.tensor import Tensor
from minipaddle.core.errors import is_engine_file
from minipaddle.core.memory import owner_of
from minipaddle.core.meta import Attrs
from minipaddle.core.mode import At, BodyKind, Named, PassKind
from minipaddle.core.node import AccumulateGrad, CustomCall, Edge, Node, Port, Step
from minipaddle.core.operator import Operator
from minipaddle.trace.builder import Place
from minipaddle.trace.events import Trace
from minipaddle.trace.replay import recompute_on_demand
from minipaddle.trace.sources.eager.events import Here, Result, Scribe, flat
from minipaddle.trace.sources.program.observer import ProgramWatch
from minipaddle.trace.user_code.frames import Note, Whereabouts

_BATCH = 4_000_000
"""Bytes of numbers that may wait for their statistics, where there is no room to keep them."""


class Enough(SystemExit):
    """Ends the script: the training step that was to be recorded is over."""


class Recorder(ProgramWatch):
    """Watches a mode (:class:`minipaddle.core.watching.Observer`); :meth:`finish` makes a :class:`Trace` of it.

    Arrays are kept by reference, and copied only when they are about to be overwritten. Once `max_mb` megabytes are
    held, statistics are kept instead of numbers. After `max_events` events nothing more is recorded.

    `step` chooses one training step: the one that backward pass number `step` belongs to (None: all). A step ends with
    the first thing that happens after an update. With `ends_script`, so does the script.
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
        self._step = step
        self._ends_script = ends_script
        self._pass = 0
        self._over = False
        """Whether there is nothing more to record."""
        self._begin()

    def _begin(self) -> None:
        self._trace = Trace(self._script)
        self._scribe = Scribe(self._trace, self._budget, self._pass)
        self._memory = self._scribe.values.memory
        self._notes: list[Note] = []
        self._count = 0  # events so far
        self._met: set[int] = set()  # ids of the tensors in the notes, which keep them alive
        self._bytes = 0  # at most so many are held by the notes
        self._waiting = max(self._budget, _BATCH)  # so many may be
        self._backward: list[Here | None] = []  # where each running pass began
        self._picks: list[bool] = []  # whether it is one of paddle.grad, which stores nothing
        self._arrived: list[dict[AccumulateGrad, Any]] = []  # what reached the leaves in it
        self._updated: Here | None = None  # where the last update was made
        self._where = Whereabouts(self._notes, self._scribe)

    # -- the observer's interface ---------------------------------------------------------------------------------

    def called(
        self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs, outputs: Any, inplace: bool, seconds: float
    ) -> None:
        """An operator ran."""
        if self._over:
            return
        here = self._where.here(sys._getframe(2))
        if self._updated is not None and not op.updates and here != self._updated:
            self._step_is_complete()
            if self._over:
                return
        met = self._met
        look = here != self._updated  # between the updates of one optimizer no variable changes
        for tensor in inputs:
            if tensor is not None and id(tensor) not in met:
                self._meet(tensor, look)
        if type(outputs) is tuple:
            results = self._results(outputs)
            self._where.unclear = True
        elif op.updates:
            results = self._results([inputs[position] for position in op.updates])
            self._updated = here
        else:
            array, edge = outputs.array, outputs.edge
            results = ((outputs, array, edge, edge.kept if type(edge) is Node else _kept(edge)),)
            met.add(id(outputs))
            self._bytes += array.nbytes
        self._note(self._scribe.called, (here, op, inputs, attrs, results, inplace, seconds))

    def will_write(self, op: Operator, target: Any) -> None:
        """Save the numbers that are about to be overwritten."""
        owner = owner_of(target.array)
        if not self._over and id(target) not in self._met:
            self._meet(target)
        # What an optimizer changes is no ``.grad``; anything else may be one.
        if not (op.updates or self._over or self._scribe.values.knows(target)):
            self._notes.append((self._scribe.written_soon, (target, target.array, target.edge)))
        if self._bytes + owner.nbytes > self._memory.room:
            self._flush()
        if not self._notes:  # all there is to save is in the trace
            self._memory.before_write(owner)
            return
        self._bytes += owner.nbytes
        self._notes.append((self._scribe.wrote, (owner, owner.copy(order="K"))))

    def custom_called(self, call: CustomCall, inputs: Sequence[Any], outputs: Any, seconds: float) -> None:
        """A PyLayer was applied."""
        if self._over:
            return
        here = self._where.here(sys._getframe(2))
        self._meet_all(inputs)
        made = [out for out in flat(outputs) if isinstance(out, Tensor)]
        known = [id(out) in self._met for out in made]
        results = self._results(made)
        saved = tuple(_saved_by(results))
        self._meet_all(saved)
        about = here, call, call.name, inputs, results, known, saved, seconds
        self._note(self._scribe.custom_called, about)

    def entered(self, kind: BodyKind, owner: Named, args: tuple[Any, ...], at: At | None) -> None:
        """The user's own code begins."""
        if not self._over:
            here = self._where.here(sys._getframe(2))
            if kind == "hook":  # its argument is a gradient on its way
                leaf = at[0] if at is not None and isinstance(at[0], AccumulateGrad) else None
                self._note(self._scribe.hooked, (here, owner, args[0], leaf))
                return
            self._meet_all([arg for arg in flat(args) if isinstance(arg, Tensor)])
            by_name = bool(getattr(owner, "kwargs", None))
            self._note(self._scribe.entered, (here, kind, owner, owner.name, args, by_name))

    def left(self, kind: BodyKind, owner: Named, result: Any, error: BaseException | None) -> None:
        """The user's own code ended."""
        if not self._over:
            here = self._where.here(sys._getframe(2))
            tensors = [out for out in flat(result) if isinstance(out, Tensor)]
            self._meet_all(tensors)
            said = f"{type(error).__name__}: {error}" if error else ""
            self._note(self._scribe.left, (here, kind, owner, owner.name, tensors, said))

    def backward_began(self, kind: PassKind, seeds: Sequence[tuple[Edge, Any]], given: Sequence[Any]) -> None:
        """A reverse walk begins."""
        if not self._over:
            if self._updated is not None:
                self._step_is_complete()
            self._pass += 1
            here = self._where.here(sys._getframe(2))
            self._backward.append(here)
            self._picks.append(kind == "pick")
            self._arrived.append({})
            self._note(self._scribe.backward_began, (here,))

    def stepped(self, step: Step, seconds: float) -> None:
        """One node of the walk is done."""
        if self._over or not self._backward:
            return
        node, grads, results = step
        here = self._backward[-1]
        if node.hooks is not None or isinstance(node, AccumulateGrad):
            self._stepped_with_care(here, node, grads, results, seconds)
            return
        for grad in results:
            if grad is not None:
                self._bytes += grad.nbytes if not isinstance(grad, Tensor) else grad.array.nbytes
        self._note(self._scribe.stepped, (here, node, grads, results, False, seconds))

    def _stepped_with_care(
        self,
        here: Here | None,
        node: Node | AccumulateGrad,
        grads: Sequence[Any],
        results: Sequence[Any],
        seconds: float,
    ) -> None:
        """Note a step to a leaf, whose ``.grad`` changes next, or through hooks, which may have replaced a gradient."""
        if isinstance(node, AccumulateGrad):
            tensor = node.tensor()
            if tensor is not None and self._picks[-1]:
                self._meet_all([tensor])
                self._note(self._scribe.returned, (here, node, tensor, grads[0], False))
            elif tensor is not None:
                self._arrived[-1][node] = grads[0]
        else:
            self._note(self._scribe.stepped, (here, node, grads, results, True, seconds))

    def stored(self, leaf: AccumulateGrad, tensor: Any, before: Any, after: Any) -> None:
        """The ``.grad`` of a leaf has changed."""
        if self._over or not self._backward:
            return
        self._meet_all([tensor])
        self._bytes += 0 if before is None else after.array.nbytes
        held = None if before is None else (before, before.array)
        about = leaf, tensor, self._arrived[-1][leaf], after.array, held, bool(leaf.hooks)
        self._note(self._scribe.stored, (self._backward[-1], *about))

    def backward_ended(self, error: BaseException | None) -> None:
        """The reverse walk is over."""
        if self._backward:
            self._backward.pop()
            self._picks.pop()
            self._arrived.pop()
            self._notes.append((self._scribe.backward_ended, ()))
            if error is not None:
                self.failed(error)

    def failed(self, error: BaseException) -> None:
        """Write down that the script raised."""
        if not self._over:
            frames = [(frame.f_code, number) for frame, number in walk_tb(error.__traceback__)]
            mine = [(code, number) for code, number in frames if not is_engine_file(code.co_filename)]
            said = f"{type(error).__name__}: {error}"
            self._note(
                self._scribe.failed,
                (self._where.here(sys._getframe(1)), type(error).__name__, said, mine[-1:]),
            )

    def finish(self) -> Trace:
        """Write down what is noted but not written yet; return the trace. Nothing but numbers is kept alive."""
        self._flush()
        self._scribe.finish()
        self._trace.programs = self._programs()
        self._where.close()
        recompute_on_demand(self._trace)
        return self._trace

    def begin_with(
        self,
        before: Trace,
        forward: Mapping[Any, int],
        at: Mapping[Place, int],
        tensors: Mapping[Place, Tensor],
    ) -> None:
        """Begin with what the tape knows of the time before: forward events, by record; values, by place."""
        self._trace.events += before.events
        self._trace.values += before.values
        self._scribe.begin_with(forward, at, tensors)

    @property
    def passes(self) -> int:
        """How many backward passes there were so far, recorded or not."""
        return self._pass

    @property
    def trace(self) -> Trace:
        """What was recorded so far."""
        self._flush()
        return self._trace

    # -- notes ----------------------------------------------------------------------------------------------------

    def _note(self, write: Callable[..., None], about: tuple[Any, ...]) -> None:
        """Note an event; write it down at once if that frees memory, and stop if there are enough."""
        self._notes.append((write, about))
        self._count += 1
        if self._bytes > self._waiting:
            self._flush()
        if self._count >= self._max_events:
            self._over = True
            self._flush()
            self._scribe.say(
                f"the recording stopped after {self._max_events} events: what followed is not in it"
            )

    def _flush(self) -> None:
        """Make events of the notes. The tensors in them may die then."""
        notes = self._notes.copy()
        self._notes.clear()
        collects = gc.isenabled()
        gc.disable()  # what is made here stays: the collector would look it through again and again
        try:
            for write, about in notes:
                write(*about)
            self._scribe.complete()
        finally:
            if collects:
                gc.enable()
        self._met.clear()
        self._bytes = 0
        self._waiting = max(self._memory.room, _BATCH)

    def _step_is_complete(self) -> None:
        """An update is over: the recording ends, begins anew or goes on, as was asked."""
        self._updated = None
        if self._step is None:
            return
        if self._pass < self._step:
            self._begin()
            return
        self._over = True
        self._flush()
        ended = ", and ended the script there" if self._ends_script else ""
        self._scribe.say(
            f"recorded training step {self._step} (forward, backward, update){ended}; --pass N for another one, "
            "--passes all for all"
        )
        if self._ends_script:
            raise Enough(0)

    def _results(self, tensors: Sequence[Any]) -> tuple[Result, ...]:
        """Return what is to be noted of outputs: the tensor, and what it holds now."""
        found = []
        for out in tensors:
            self._met.add(id(out))
            self._bytes += out.array.nbytes
            found.append((out, out.array, out.edge, _kept(out.edge)))
        return tuple(found)

    def _meet_all(self, tensors: Iterable[Any]) -> None:
        for tensor in tensors:
            if tensor is not None and id(tensor) not in self._met:
                self._meet(tensor)

    def _meet(self, tensor: Any, look: bool = True) -> None:
        """Note a tensor that no note has named yet, and `look` for its name among the user's variables."""
        self._met.add(id(tensor))
        if self._scribe.values.knows(tensor):
            self._notes.append((_hold, (tensor,)))
            return
        self._bytes += tensor.array.nbytes
        self._notes.append((self._scribe.met, (tensor, tensor.array, tensor.edge)))
        frame = self._where.user_frame(sys._getframe(2)) if look else None
        if frame is not None:
            self._where.look(frame)


def _hold(tensor: Tensor) -> None:
    """Keep a tensor alive for as long as the note is."""


def _kept(edge: Any) -> Any:
    """Return what the record behind an edge keeps: backward will free it."""
    if type(edge) is Port:
        edge = edge.record
    return edge.kept if type(edge) is Node else None


def _saved_by(results: Sequence[Result]) -> Iterator[Tensor]:
    """Yield the tensors that a PyLayer's forward saved."""
    kept = next((kept for *_, kept in results if kept is not None), None)
    if isinstance(kept, tuple):
        saved = getattr(kept[0], "_saved", None) or ()
        yield from (one for one in saved if isinstance(one, Tensor))
