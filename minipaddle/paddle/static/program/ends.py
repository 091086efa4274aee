"""The Variables that an Operator reads and writes, and those that several read before they write them.

Next: :mod:`minipaddle.paddle.static.program.operator`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from minipaddle.paddle.static.program.listing import ListedOperator


class WithSlots(ListedOperator):
    """The base of Operators: the Variables in their slots, in the order of the kernel."""

    def reads(self) -> list[Any]:
        """Return the Variables that the kernel takes, in order; None for a missing optional one."""
        return [variable for slot in self.inputs.values() for variable in slot]

    def works_with(self) -> list[Any]:
        """Return the Variables of :meth:`reads` whose numbers matter; a gradient may need only some shapes."""
        return self.reads()

    def writes(self) -> list[Any]:
        """Return the Variables that the kernel returns, in order."""
        return [variable for slot in self.outputs.values() for variable in slot if variable is not None]


class Ends(NamedTuple):
    """An Operator with the results of its :meth:`reads` and :meth:`writes`."""

    op: Any
    reads: list[Any]
    writes: list[Any]


def ends_of(operators: Iterable[WithSlots]) -> list[Ends]:
    """Return each Operator with the Variables that it reads and writes."""
    return [Ends(op, op.reads(), op.writes()) for op in operators]


def read_first(calls: Iterable[Ends]) -> list[Any]:
    """Return the Variables that are read before they are written, in order of first use."""
    found: dict[Any, None] = {}
    written: set[Any] = set()
    for _, reads, writes in calls:
        found.update((one, None) for one in reads if one is not None and one not in written)
        written.update(writes)
    return list(found)


def written_in(operators: Iterable[WithSlots]) -> dict[Any, int]:
    """Return the Variables that these Operators write, each with the place of the last one that does."""
    return {variable: place for place, op in enumerate(operators) for variable in op.writes()}
