"""The bodies of a Program's run: Blocks and user functions, as they are entered, left, and return values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.watch.observer import Observer
from minipaddle.paddle.static.control_flow.while_operator import While, WhileGrad
from minipaddle.paddle.static.executor.interpreter import Turn
from minipaddle.paddle.static.program.block_operator import BlockOperator
from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.tools.record.sources.program.values import ProgramValues

Ids = dict[Variable, int | None]
"""What an Operator has read."""
Parts = dict[Variable, tuple[int, ...]]
"""For each output Variable of an Operator, the values that sum to it."""


class ProgramBlocks(ProgramValues, Observer):
    """Records the bodies of a run."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._bodies: dict[Operator, tuple[int, int]] = {}
        self._read: dict[Operator, Ids] = {}  # the values that running Operators have read
        self._parts: dict[Operator, Parts] = {}  # values that their Blocks returned

    def entered(self, kind: str, owner: Any, args: tuple[Any, ...], at: Any) -> None:
        """A Block begins."""
        turn: Turn = owner
        op, tables = turn.op, self.tables
        known = tables.known(op.reads())
        if isinstance(op, While):
            tables.begin(op, not turn.iteration)
        if isinstance(op, WhileGrad):
            tables.turn_back(op, turn.iteration or 0)
        event = self.builder.enter("block", turn.name, op.type, self._at(op))
        event.control, event.block = op.control, turn.block.idx
        if turn.iteration is not None:
            event.iterations += (turn.iteration,)
        begins = [outside for _, outside in turn.handed if outside is not None]
        if not turn.handed:
            begins = list(known) if op.origin is None else [one for one in op.gradients_in if one is not None]
        event.inputs = [tables.now.get(one) for one in begins]
        ids = [None if outside is None else tables.now.get(outside) for _, outside in turn.handed]
        for (inside, _), id_ in zip(turn.handed, ids):
            if id_ is None:
                tables.now.pop(inside, None)
                self._zeros.add(inside)
            else:
                tables.now[inside] = id_

    def left(self, kind: str, owner: Any, result: Any, error: BaseException | None) -> None:
        """A Block ended."""
        turn: Turn = owner
        op, now = turn.op, self.tables.now
        enter = self.builder.open_body
        assert enter is not None
        answers = [now[one] for one, _ in op.hands_out() if one in now]
        leave = self.builder.leave(turn.name, answers, self._at(op))
        self._note_parts(op)
        if isinstance(op, While):
            self.tables.end(op, turn.block)
        self._bodies[op] = self._bodies.get(op, (enter.index, 0))[0], leave.index

    def _note_parts(self, op: BlockOperator) -> None:
        adds_up, parts = op.adds_up(), self._parts.setdefault(op, {})
        for inside, outside in op.hands_out():
            if outside is not None:
                id_ = None if inside is None else self.tables.now.get(inside)
                before = parts.get(outside, ()) if any(outside is one for one in adds_up) else ()
                parts[outside] = before if id_ is None else (*before, id_)

    def _parts_of(self, op: Operator, arrays: Sequence[Any], inputs: Ids) -> Parts:
        """Return the Variables that an Operator passed on unchanged, with their values; `inputs`: values it read."""
        if isinstance(op, BlockOperator):
            handed = self._parts.pop(op, {})
            before: dict[Variable, Variable] = op.without_block()
            whole = {one: self._whole(before.get(one), inputs) for one in op.writes() if one not in handed}
            return {one: whole[one] if one in whole else handed[one] for one in op.writes()}
        handed_on = op.hands_on(arrays) if self.made_by == "program" else None
        if handed_on is None:
            return {}
        return {out: self._whole(one, inputs) for out, one in zip(op.writes(), handed_on, strict=True)}

    def _whole(self, variable: Variable | None, inputs: Ids) -> tuple[int, ...]:
        id_ = None if variable is None else inputs.get(variable, self.tables.now.get(variable))
        return () if id_ is None else (id_,)

    def _called_back(self, op: Any, inputs: Sequence[int | None]) -> tuple[int, int]:
        """Append a call of the user's function (py_func); return the events of its begin and end."""
        where, scope = self._at(op)
        at = self.builder.with_source(op.definition.where) or where, scope
        enter = self.builder.enter("function", op.definition.name, op.type, at)
        enter.inputs = list(inputs)
        return enter.index, self.builder.leave(op.definition.name, [], at).index
