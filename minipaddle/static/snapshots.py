"""What a gradient needs of a Variable that is written again: a copy, made while the value is there.

Loops write their variables over, and so do ``assign(x, output)`` and in-place functions. A gradient Operator runs at
the end, where it would find what was written last (and in Paddle 2.6 does).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from minipaddle.ops.casting import copy
from minipaddle.static.copies import exchange_inside
from minipaddle.static.operator import Operator, Role, TableOperator
from minipaddle.static.variable import Variable

__all__ = ["Snapshots"]


class Snapshots:
    """Gives gradient Operators the values that the Operators they belong to worked with.

    Persistable Variables are left out: parameters are what they are when somebody reads them, as in Paddle.

    Args:
        operators: the Block that is differentiated.
        paged: Variables of which its gradient finds the values with which the Block began: what a loop carries.
    """

    def __init__(self, operators: Sequence[Operator], paged: Collection[Variable] = ()) -> None:
        self._paged = frozenset(paged)
        self._places = {op: place for place, op in enumerate(operators)}
        self._writes: dict[Variable, list[int]] = {}
        for op, place in self._places.items():
            for variable in op.writes():
                self._writes.setdefault(variable, []).append(place)

    def provide(self, forward: Operator, gradient: Sequence[Operator]) -> None:
        """Make `gradient`, the Operators of the gradient of `forward`, read what `forward` worked with."""
        known = {one for one in (*forward.reads(), *forward.writes()) if one in self._writes}  # no gradients
        needed = dict.fromkeys(one for op in gradient for one in op.works_with() if one in known)
        old = {one: self._copied(one, forward) for one in needed if self._is_old(one, forward)}
        if old:
            for op in gradient:
                exchange_inside(op, lambda variable: old.get(variable, variable))

    def _version(self, variable: Variable, forward: Operator) -> int:
        """Return how often `variable` had been written when `forward` used it, or had made it."""
        count = bisect_right if _made_by(forward, variable) else bisect_left
        return count(self._writes[variable], self._places[forward])

    def _is_old(self, variable: Variable, forward: Operator) -> bool:
        last = 0 if variable in self._paged else len(self._writes[variable])
        return not variable.persistable and self._version(variable, forward) != last

    def _copied(self, variable: Variable, forward: Operator) -> Variable:
        """Return the copy of `variable` as `forward` knew it; append it beside `forward` if there is none yet."""
        block, name = forward.block, f"{variable.name}@VERSION@{self._version(variable, forward)}"
        if name not in block.vars:
            made = Variable(block, name, variable.meta, stop_gradient=variable.stop_gradient)
            call = TableOperator(block, copy, [variable], [block.add(made)], {})
            call.role, call.where = Role.BACKWARD, forward.where
            block.add_op(call, block.ops.index(forward) + _made_by(forward, variable))
        return block.vars[name]


def _made_by(op: Operator, variable: Variable) -> bool:
    return any(one is variable for one in op.writes())
