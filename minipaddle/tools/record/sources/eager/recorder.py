"""The recorder: an observer that takes notes of a run at the least cost to the script.

While the script runs, a note is a tuple: the event, its place in the code, and the arrays by reference. Names, lines
and events are made from the notes afterwards (:mod:`minipaddle.tools.record.sources.eager.events`), or at once if
memory runs out.
"""

import sys
import weakref
from collections.abc import Sequence
from types import FrameType
from typing import Any

from minipaddle.engine.custom.py_layer import outputs_of
from minipaddle.engine.errors import Line, user_frame
from minipaddle.engine.mode.eager import current
from minipaddle.engine.operator.custom import Nothing, OnTape
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tape.memory import owner_of
from minipaddle.engine.tape.node import AccumulateGrad, Edge, Node, Side, Step
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Attrs
from minipaddle.engine.watch.observer import At, BodyKind, Named, PassKind, SwitchKind
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.kinds import SET
from minipaddle.tools.record.memory import uncollected
from minipaddle.tools.record.sources.eager.events import EagerSource, flat
from minipaddle.tools.record.sources.eager.gradients import array_of
from minipaddle.tools.record.sources.eager.log import held, said_by, saved_by, there
from minipaddle.tools.record.sources.eager.names import Here
from minipaddle.tools.record.sources.program.observer import ProgramWatch
from minipaddle.tools.record.sources.tape import Tape
from minipaddle.tools.record.user_code.names import depth_of, names_in, tells


class Recorder(ProgramWatch):
    """Observes a mode (``Observer`` in engine/watch/observer.py); :meth:`finish` makes a :class:`Trace` of it."""

    # -- the observer's interface ---------------------------------------------------------------------------------

    def will_apply(self, op: Operator, inputs: tuple[Any, ...]) -> None:
        """An operator is about to run."""
        self.lines.turn(False)

    def called(
        self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs, outputs: Any, inplace: bool
    ) -> None:
        """An operator ran."""
        if self._over:
            return
        here = self._where.here(sys._getframe(2))
        after = self._updated is not None and not op.updates and here != self._updated
        if after and not self._is_of_the_step(inputs):
            self._step_is_complete()
            if self._over:
                return
            here = self._where.here(sys._getframe(2))  # the new notes begin with a look
        met = self._met
        look = here != self._updated  # between the updates of one optimizer no variable changes
        for tensor in inputs:
            if tensor is not None and id(tensor) not in met:
                self._meet(tensor, look)
        several = type(outputs) is tuple
        made = [inputs[at] for at in op.updates] if op.updates else outputs if several else (outputs,)
        results = self._results(made)
        if not op.updates:
            self._where.unclear |= several
        elif results[0][2] is not None and not (op.type == SET and self._is_in_forward(inputs[1])):
            # other numbers, which require no gradient (averages, a state), end no step
            self._updated = here
            self._moved.add(id(made[0]))
        grad = results[0][2] is not None or _recorded(inputs)
        self._note(EagerSource.called, (here, op, inputs, attrs, inplace, grad, *results))
        if op.view:
            self._note_sharing(outputs, inputs[0])
        elif inplace and self._sharing:
            for tensor in made:
                self._note_others(tensor)
        self.lines.turn(True)

    def will_write(self, op: Operator, target: Any) -> None:
        """Save the numbers that are about to be overwritten."""
        owner = owner_of(target.array)
        if not self._over and id(target) not in self._met:
            self._meet(target)
        if self._bytes + owner.nbytes > self._memory.room:
            self._flush()
        if not self._notes:  # every array to save is in the trace
            self._memory.before_write(owner)
            return
        self._bytes += owner.nbytes
        self._notes += (EagerSource.wrote, (owner, owner.copy(order="K")))

    def custom_called(self, op: OnTape, inputs: Sequence[Any], outputs: Any) -> None:
        """A custom operator was applied."""
        if self._over:
            return
        here = self._where.here(sys._getframe(2))
        self._meet_all(inputs)
        made = outputs_of(outputs)[0]
        known, saved = [id(out) in self._met for out in made], saved_by(op, made)
        results = self._results(made)
        self._meet_all(saved)
        grad = results[0][2] is not None or _recorded(inputs)
        about = here, op, inputs, results, known, saved, grad
        self._note(EagerSource.custom_called, about)

    def entered(self, kind: BodyKind, owner: Named, args: tuple[Any, ...], at: At | None) -> None:
        """Note that user code begins: a forward, a backward or a hook."""
        if self._over:
            return
        self.lines.turn(True)
        here = self._where.here(sys._getframe(2))
        if kind == "hook" and at is not None and at[1] is not None:
            self._note(EagerSource.hooked, (here, owner, held(args[0]), (at[0], at[1])))
        elif kind == "backward":
            gradients = [None if arg is None else held(arg) for arg in flat(args[1:])]
            node = at[0] if at is not None and isinstance(at[0], Node) else None
            self._note(EagerSource.entered_backward, (here, owner, node, gradients))
        else:
            self._meet_all([arg for arg in flat(args) if isinstance(arg, Tensor)])
            inputs = getattr(owner, "inputs", ())
            self._meet_all(inputs)
            by_name = bool(getattr(owner, "kwargs", None))
            self._note(EagerSource.entered, (here, owner, args, inputs, by_name))

    def left(self, kind: BodyKind, owner: Named, result: Any, error: BaseException | None) -> None:
        """User code has ended."""
        if self._over:
            return
        self.lines.turn(not self._backward)
        here = self._where.here(sys._getframe(2))
        said = "" if error is None else said_by(error)
        if kind == "hook":
            after = held(result) if error is None else None
            self._note(EagerSource.left_hook, (here, owner.name, after, said))
            return
        answers = [] if error is not None else outputs_of(result)[0] if kind == "forward" else result
        self._meet_all(answers)
        self._note(EagerSource.left, (here, owner, answers, said))

    # -- backward passes ------------------------------------------------------------------------------------------

    def backward_began(self, kind: PassKind, seeds: Sequence[tuple[Edge, Any]], given: Sequence[Any]) -> None:
        """A reverse walk begins."""
        if not self._over:
            self.lines.turn(False)
            if self._updated is not None:
                self._step_is_complete()
                if self._over:
                    return
            self._pass += not self._backward  # one within another is a part of that
            here = self._where.here(sys._getframe(2))
            self._backward.append(here)
            self._meet_all(
                [seed for seed in (*given, *(grad for _, grad in seeds)) if isinstance(seed, Tensor)]
            )
            self._note(EagerSource.backward_began, (here, kind, seeds, given))

    def stepped(self, step: Step) -> None:
        """The walk has visited one node."""
        node, grads, results = step
        if self._over or not self._backward or isinstance(node, AccumulateGrad):
            return
        if not results:  # not run: a call whose output is an input of paddle.grad
            self._note(EagerSource.came_to, (node, grads))
            return
        if node.plan.takes_nothing:
            grads, results = there(grads), there(results)
        self._bytes += sum(array_of(grad).nbytes for grad in results if grad is not None)
        self._note(EagerSource.stepped, (self._backward[-1], node, grads, results))

    def added(self, edge: Edge, total: Any, terms: tuple[Any, Any]) -> None:
        """Two gradients were summed."""
        if self._over or not self._backward or type(terms[0]) is Nothing or type(terms[1]) is Nothing:
            return
        self._bytes += array_of(total).nbytes
        self._note(EagerSource.added, (self._backward[-1], edge, total))

    def stored(self, edge: Edge | None, tensor: Any, before: Any, after: Any) -> None:
        """A gradient was stored in a ``.grad``, set there by the user, or returned by paddle.grad."""
        if self._over or (edge is not None and not self._backward):
            return
        if edge is None:
            self._meet_all([tensor, after])
            self._notes += (EagerSource.assigned, (tensor, after))
        elif tensor is None:
            self._note(EagerSource.picked, (self._backward[-1], edge, held(after)))
        elif not isinstance(edge, AccumulateGrad):
            self._notes += (EagerSource.retained, (edge, held(after)))
        else:
            self._meet_all([tensor])
            old = None if before is None else held(before)
            self._bytes += 0 if before is None else after.array.nbytes
            self._note(EagerSource.stored, (self._backward[-1], edge, tensor, old, held(after)))

    def knows(self, node: Node) -> tuple[str, Line | None] | None:
        """Return the name of a call's first output, and its line."""
        self._flush()
        return self._source.made_by(node)

    def backward_ended(self, error: BaseException | None) -> None:
        """The reverse walk is over."""
        self.lines.turn(True)
        if self._backward:
            self._backward.pop()
            self._notes += (EagerSource.backward_ended, ("" if error is None else said_by(error),))
            if error is not None:
                self.failed(error)

    # -- shared memory, numbers read by Python, cuts ----------------------------------------------------------------

    def kept(self, node: Node, side: Side, place: int, tensor: Any) -> None:
        """A tensor was made from a saved tensor of a node."""
        if not self._over and side != "inside":
            self._notes += (EagerSource.kept, (node, side, place, held(tensor)))

    def shares(self, new: Any, old: Any) -> None:
        """Note that `new` shares the memory of `old`."""
        if not self._over:
            self._meet_all([old])
            self._notes += (EagerSource.shares, (self._line(), held(new), old))
            self._note_sharing(new, old)

    def read(self, tensor: Any, how: str, given: Any) -> None:
        """The numbers of a tensor go to Python."""
        if not self._over:
            self._notes += (EagerSource.read, (self._line(), tensor, how, given))

    def switched(self, tensor: Any, how: SwitchKind) -> None:
        """A tensor was attached to the graph, or detached."""
        if not self._over:
            self._notes += (EagerSource.switched, (self._line(), tensor, how))

    def copied(self, tensor: Any, data: Any) -> None:
        """A tensor was made from `data`."""
        if not self._over:
            self._meet_all(one for one in flat([data]) if isinstance(one, Tensor))
            self._notes += (EagerSource.copied, (self._line(), tensor, data))

    def trains(self, optimizer: Any) -> None:
        """An optimizer was made."""
        own = ([one for one in group.params if isinstance(one, Tensor)] for group in optimizer.groups)
        here = [[(one, group.share(one)) for one in mine] for mine, group in zip(own, optimizer.groups)]
        rate = optimizer.learning_rate
        about = self._line(), type(optimizer).__name__, None if isinstance(rate, (int, float)) else rate
        self._trained.append(([[(weakref.ref(one), share) for one, share in group] for group in here], about))
        self._notes += (EagerSource.trains, (*about, here))

    def _line(self) -> Here | None:
        """Return the place in the user's code, without reading its variables."""
        frame = user_frame(sys._getframe(3))
        return None if frame is None else (frame.f_code, frame.f_lasti, depth_of(frame))

    @uncollected()
    def finish(self) -> Trace:
        """Turn the remaining notes into events; return the trace, which keeps only numbers alive."""
        self._flush()
        self._source.finish()
        self._trace.programs = self._programs()
        self._where.close()
        self._builders.close()
        return self._trace

    def begin_with(self, frame: FrameType) -> None:
        """Begin with the calls on the tape that led to the tensors in the variables of `frame`."""
        here = names_in(frame)
        module = frame.f_globals.items()
        of_module = {name: value for name, value in module if isinstance(value, Tensor) and tells(name)}
        tape = Tape(self._source.builder, {**of_module, **here})
        tape.forward_ops([tensor.edge for tensor in here.values() if tensor.edge is not None])
        self._source.events_of |= tape.events_of

    def look(self, frame: FrameType) -> None:
        """Note what the variables of a frame of the user's mean now, for a prompt that opens there."""
        self._where.look(frame)
        self.lines.look(frame)

    @property
    def passes(self) -> int:
        """The number of backward passes so far, recorded or not."""
        return self._pass

    @property
    def trace(self) -> Trace:
        """The recording so far."""
        self._flush()
        return self._trace


def _recorded(inputs: Sequence[Any]) -> bool:
    """Return whether calls are recorded for backward now, as far as these inputs can tell."""
    return current.get().grad or all(one is None or one.edge is None for one in inputs)
