"""What Variables hold, and which event each Operator was: now, and in every iteration of the loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from minipaddle.static.program.block import Block
from minipaddle.static.program.operator import Operator
from minipaddle.static.program.variable import Variable


class _Page(NamedTuple):
    """One iteration."""

    now: dict[Variable, int]
    made_by: dict[Operator, list[int]]
    gave: dict[Operator, dict[Variable, int]]
    inner: dict[Operator, list[Any]]
    """Pages of the loops inside."""


class Tables:
    """The values of Variables and the events of Operators. Backward, those of each iteration are there again."""

    def __init__(self) -> None:
        self.now: dict[Variable, int] = {}
        """The value that each Variable holds."""
        self.made_by: dict[Operator, list[int]] = {}
        """The events that each Operator was written down as: one, but for a sum of several gradients."""
        self.gave: dict[Operator, dict[Variable, int]] = {}
        """The values that each Operator gave to Variables."""
        self._pages: dict[Operator, list[_Page]] = {}
        self._begun: dict[Operator, dict[Variable, int]] = {}
        self._after: dict[Operator, dict[Variable, int]] = {}

    def event_of(self, op: Operator | None) -> int | None:
        """Return the last event that an Operator was written down as."""
        found = None if op is None else self.made_by.get(op)
        return None if found is None else found[-1]

    def known(self, variables: Iterable[Any]) -> dict[Variable, int]:
        """Return those of some Variables that have a value, with that."""
        return {one: self.now[one] for one in variables if one in self.now}

    # -- loops ----------------------------------------------------------------------------------------------------

    def begin(self, loop: Operator, first: bool) -> None:
        """An iteration begins: its gradient is with respect to the loop variables as they are now."""
        if first:
            self._pages[loop] = []
        self._begun[loop] = self.known(loop.writes())

    def end(self, loop: Operator, body: Block) -> None:
        """The iteration is over."""
        ops = list(_inside(body))
        now = self.known(one for op in ops for one in op.writes())
        made_by = {op: self.made_by[op] for op in ops if op in self.made_by}
        gave = {op: self.gave[op] for op in ops if op in self.gave}
        inner: dict[Operator, list[Any]] = {op: self._pages[op] for op in ops if op in self._pages}
        self._pages[loop].append(_Page({**now, **self._begun[loop]}, made_by, gave, inner))

    def turn_back(self, gradient: Operator, iteration: int) -> None:
        """Let everything be as it was in the iteration that the gradient of a loop goes through now."""
        loop = gradient.origin
        if loop is None or loop not in self._pages:
            return
        if gradient not in self._after:
            self._after[gradient] = self.known(loop.writes())
        page = self._pages[loop][iteration]
        self.now.update(page.now)
        self.made_by.update(page.made_by)
        self.gave.update(page.gave)
        self._pages.update(page.inner)

    def close(self, gradient: Operator) -> None:
        """The gradient of a loop is over: the loop variables are what they were after it."""
        self.now.update(self._after.pop(gradient, {}))


def _inside(block: Block) -> Iterator[Operator]:
    """Yield the Operators of a Block and of those inside it."""
    for op in block.ops:
        yield op
        for inner in op.blocks():
            yield from _inside(inner)
