"""What the Variables of a loop held in each iteration: backward goes through the iterations again, from the last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from minipaddle.static.control_flow.while_operator import While, WhileGrad
from minipaddle.static.program.block import Block
from minipaddle.static.program.operator import Operator
from minipaddle.static.program.variable import Variable


class _Page(NamedTuple):
    """One iteration."""

    ids: dict[Variable, int]
    made_by: dict[Operator, int]
    inner: dict[Operator, list[Any]]
    """Pages of the loops inside."""


class Pages:
    """Keeps, for each loop, which values and events belong to which iteration.

    Args:
        ids: the value that each Variable holds now; changed when an iteration is gone back to.
        made_by: the event of each Operator; changed likewise.
    """

    def __init__(self, ids: dict[Variable, int], made_by: dict[Operator, int]) -> None:
        self._ids = ids
        self._made_by = made_by
        self._pages: dict[Operator, list[_Page]] = {}
        self._begun: dict[Operator, dict[Variable, int]] = {}
        self._after: dict[Operator, dict[Variable, int]] = {}

    def begin(self, loop: While, first: bool) -> None:
        """An iteration begins: its gradient is with respect to the loop variables as they are now."""
        if first:
            self._pages[loop] = []
        self._begun[loop] = self._now(loop.outputs["Out"])

    def end(self, loop: While) -> None:
        """The iteration is over."""
        ops = list(_inside(loop.body))
        ids = self._now([one for op in ops for one in op.writes()])
        made_by = {op: self._made_by[op] for op in ops if op in self._made_by}
        inner: dict[Operator, list[Any]] = {op: self._pages[op] for op in ops if op in self._pages}
        self._pages[loop].append(_Page({**ids, **self._begun[loop]}, made_by, inner))

    def turn_back(self, gradient: WhileGrad, iteration: int) -> None:
        """Let everything be as it was in the iteration that `gradient` goes through now."""
        if gradient not in self._after:
            self._after[gradient] = self._now(gradient.rewritten)
        page = self._of(gradient)[iteration]
        self._ids.update(page.ids)
        self._made_by.update(page.made_by)
        self._pages.update(page.inner)

    def close(self, gradient: WhileGrad) -> None:
        """The gradient is over: the loop variables are what they were after the loop."""
        self._ids.update(self._after.pop(gradient, {}))

    def _of(self, gradient: WhileGrad) -> list[_Page]:
        return self._pages.get(gradient.origin, []) if gradient.origin is not None else []

    def _now(self, variables: Any) -> dict[Variable, int]:
        return {one: self._ids[one] for one in variables if one in self._ids}


def _inside(block: Block) -> Iterator[Operator]:
    """Yield the Operators of a Block and of those inside it."""
    for op in block.ops:
        yield op
        for inner in op.blocks():
            yield from _inside(inner)
