"""A recorder that puts numbers into the run that it watches: a script runs again as if one value had been another.

The script, its seeds and its input are the same, so the events are, up to the first that meets the new numbers. By
those events :class:`Put` says where they go. Read next: :mod:`minipaddle.tools.debug.set_and_rerun`, which asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from minipaddle.engine.mode.mode import CustomCall
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tape.memory import owner_of
from minipaddle.engine.tape.node import Edge, Node
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.engine.watch.notify import At, BodyKind, Named, PassKind
from minipaddle.paddle.static.executor.interpreter import ProgramStep
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.tools.record.sources.eager.events import flat
from minipaddle.tools.record.sources.eager.recorder import Recorder

When = Literal["made", "before", "next", "answer", "seed", "read"]
"""made: when the event has made the value. before: before the event begins. next: as soon as the event before it is
over. answer: a gradient that the event makes, on its way. seed: a gradient that the backward pass begins with whose
marker the event is. read: before Python reads the value."""


class Put(NamedTuple):
    """Numbers for one value of a run."""

    when: When
    event: int
    """The event that it is about; of a read, its number."""
    slot: int
    """Which of the event's values it is: of `made` and `answer` an output; of a seed, which of them."""
    array: Array
    mention: tuple[int, bool, int] = (0, False, 0)
    """For `before` and `next`: an event that has the value, whether among its outputs, and where there."""
    name: str = ""
    """Of a Variable of a Program: names tell them apart."""

    @property
    def place(self) -> object:
        """Where the numbers go: others in the same place take the place of these."""
        return self.when, self.event, self.slot, self.mention

    @property
    def until(self) -> int:
        """The first event that can be another than in the run before."""
        return self.mention[0] if self.when == "read" else self.event


class Putting(Recorder):
    """Records, and puts in what `puts` say, in the recording that is begun as number `begun`: the one that stays."""

    def __init__(self, puts: Sequence[Put], begun: int, *args: Any, **options: Any) -> None:
        self._waiting_for = list(puts)  # those whose time has not come
        self._gone: list[Put] = []  # those for which there was no place when it came
        self._at = begun
        super().__init__(*args, **options)

    @property
    def missing(self) -> bool:
        """Whether something could not be put in: the run was another before."""
        return bool(self._waiting_for or self._gone)

    # -- when -----------------------------------------------------------------------------------------------------

    def _due(self, *whens: When) -> Put | None:
        """Return what is to be put in now, before the next event or after the last; it is taken off the list."""
        if not self._waiting_for or self.begun != self._at or self._over:
            return None
        self._flush()
        now = len(self._trace.events)
        times = {"made": now - 1, "read": self._source.builder.reads}
        for put in self._waiting_for:
            late = put.when == "made" and put.event < now  # several events may be noted at once
            if put.when in whens and (late or put.event == times.get(put.when, now)):
                self._waiting_for.remove(put)
                return put
        return None

    def _note(self, write: Any, about: tuple[Any, ...]) -> None:
        super()._note(write, about)
        while put := self._due("made"):
            self._put(put, (put.event, True, put.slot))
        if put := self._due("next"):
            self._put(put, put.mention)

    def will_apply(self, op: Operator, inputs: tuple[Any, ...]) -> None:
        """Put in what the operator is to find."""
        self._put_before(inputs)

    def entered(self, kind: BodyKind, owner: Named, args: tuple[Any, ...], at: At | None) -> None:
        """Put in what the user's code is to find."""
        self._put_before([one for one in flat(args) if isinstance(one, Tensor)])
        super().entered(kind, owner, args, at)

    def custom_called(self, call: CustomCall, inputs: Sequence[Any], outputs: Any, seconds: float) -> None:
        """Put in what was to be another after the body."""
        self._put_before(inputs)
        super().custom_called(call, inputs, outputs, seconds)

    def _put_before(self, operands: Sequence[Any]) -> None:
        put = self._due("before")
        if put is not None and put.mention[0] == put.event:
            operand = _at(operands, put.mention[2])
            if operand is None:
                self._gone.append(put)
            else:
                self._write([operand], put.array)
        elif put is not None:
            self._put(put, put.mention)

    def read(self, tensor: Any, how: str, given: Any) -> None:
        """Put in what Python is to read."""
        if put := self._due("read"):
            self._write([tensor], put.array)
        super().read(tensor, how, given)

    def backward_began(self, kind: PassKind, seeds: Sequence[tuple[Edge, Any]], given: Sequence[Any]) -> None:
        """Put in what the pass is to begin with."""
        put = self._due("seed")
        if put is not None and isinstance(seeds, list) and put.slot < len(seeds):
            edge, grad = seeds[put.slot]
            seeds[put.slot] = edge, self._changed(grad, put.array)
        super().backward_began(kind, seeds, given)

    def instead(self, made: Any) -> Any:
        """Return the gradients that go on: with another one among them, if that is to be."""
        put = self._due("answer")
        if put is None or not isinstance(made, (tuple, list)):  # a sum
            return made if put is None else self._changed(made, put.array)
        return [self._changed(one, put.array) if i == put.slot else one for i, one in enumerate(made)]

    # -- where ----------------------------------------------------------------------------------------------------

    def _put(self, put: Put, mention: tuple[int, bool, int]) -> None:
        """Put numbers into what holds the value that an event mentions; used before, it becomes another value."""
        index, is_output, slot = mention
        event = self._trace.events[index]
        id_ = _at(event.outputs if is_output else event.inputs, slot)
        builder = self._source.builder
        holders = [held.ref() for held in builder.holders() if held.now == id_]
        tensors = [one for one in holders if isinstance(one, Tensor)]
        if id_ is None or not tensors:
            self._gone.append(put)
            return
        value, first = self._trace.values[id_], tensors[0]
        self._memory.before_write(first.array)  # inside of a body other values have the same numbers
        self._write(tensors, put.array)
        if put.when == "made":
            self._memory.exchange(value, first.array)
        else:
            builder.give_to(first, first.array, value.kind, value.name, None, first.edge is None, first.edge)
            new = builder.now(first)
            assert new is not None
            for tensor in tensors[1:]:
                builder.holds(tensor, new)
            self._trace.later.setdefault(id_, []).append((put.event, new))

    def _changed(self, made: Any, array: Array) -> Any:
        """Return a gradient with other numbers."""
        if not isinstance(made, Tensor):
            return array
        self._memory.before_write(made.array)
        self._write([made], array)
        return made

    def _write(self, tensors: Sequence[Tensor], array: Array) -> None:
        """Write numbers over a value that tensors hold: what is kept of it for backward has them, no other value."""
        old, mine = tensors[0].array, {id(one) for one in tensors}
        others = [held.ref() for held in self._source.builder.holders() if id(held.ref()) not in mine]
        memory = [owner_of(one.array) for one in others if isinstance(one, Tensor)]
        if old.base is None and old.flags.writeable and not any(one is old for one in memory):
            np.copyto(old, array)
            return
        new = array.copy()
        for seen in self._source.calls:
            node = seen()
            if type(node) is Node and type(node.saved) is tuple:
                node.saved = tuple([new if one is old else one for one in node.saved])
        for tensor in tensors:
            tensor.array = new

    # -- Programs -------------------------------------------------------------------------------------------------

    def program_began(self, run: Any) -> None:
        """Put in what the run is to find."""
        super().program_began(run)
        put, source = self._due("before"), self._program
        if put is None or source is None:
            return
        for index, (variable, _) in enumerate(run.given()):
            if variable.name == put.name:
                run.values[index] = source.given.arrays[variable] = put.array.copy()
                self._keep_in_scope(variable, run.values[index])
                return
        self._gone.append(put)

    def program_stepped(self, event: Any, seconds: float) -> None:
        """Put in what the Operators that follow are to find."""
        super().program_stepped(event, seconds)
        source = self._program
        if not isinstance(event, ProgramStep) or event.values is None or source is None:
            return
        if put := self._due("made"):
            made = self._trace.events[put.event].outputs[put.slot]
            array = put.array.copy()
            for value in self._trace.values[made or 0 :]:
                if made in (value.id, value.same):  # and where it has arrived, if that was told already
                    self._memory.exchange(value, array)
            self._hold(event.values, made, "", array)
        last = event.op is self._running.job.operators[-1]
        if put := None if last else self._due("before"):
            index, is_output, slot = put.mention
            mentioned = next(
                iter(self._trace.events[index : index + 1]), None
            )  # None: the one that begins now
            there = [] if mentioned is None else mentioned.outputs if is_output else mentioned.inputs
            known = there[slot] if there else None
            variable = self._hold(event.values, known, put.name, put.array.copy())
            if variable is None:
                self._gone.append(put)
            elif (known := source.tables.now.get(variable)) is not None:
                source.renew(variable, event.values[variable], self._trace.values[known].of)

    def _hold(self, values: dict[Variable, Any], id_: int | None, name: str, array: Array) -> Variable | None:
        """Let the Variable that holds a value, or has a name, hold other numbers; None if the Block has none."""
        if id_ is None or self._program is None:
            variable = next((one for one in values if one.name == name), None)
        else:
            now = self._program.tables.now
            known = {id_, *(value.id for value in self._trace.values[id_:] if value.same == id_)}
            variable = next((one for one in values if now.get(one) in known), None)
        if variable is not None:
            values[variable] = array
            self._keep_in_scope(variable, array)
        return variable

    def _keep_in_scope(self, variable: Variable, array: Array) -> None:
        place = self._running.places().get(variable)
        if place is not None:
            place.value = array


def _at(those: Sequence[Any], slot: int) -> Any:
    """Return one of several; None if there are not so many, for the run is another."""
    return those[slot] if slot < len(those) else None
