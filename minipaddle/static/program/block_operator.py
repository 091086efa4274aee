"""What runs an Operator: its kernel, or the Blocks that it is made of."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.static.program.operator import Operator
from minipaddle.static.program.table_operator import TableOperator
from minipaddle.static.program.variable import Variable

if TYPE_CHECKING:
    from minipaddle.static.program.block import Block

Runner = Callable[
    ["Block", Sequence[Variable], Sequence[Variable]], Callable[..., Generator[Any, None, list[Any]]]
]
"""Makes a Block runnable: (block, Variables that go in, Variables that come out) -> generator function of values."""

Held = tuple[Array | None, ...]
"""The value of a list; None stands where nothing was written before a later place."""


class BlockOperator(Operator, in_files=False):
    """An Operator that runs Blocks: pylayer, conditional_block, while and their gradients.

    Beside what its slots list it reads what its Blocks capture from around them, and writes what they write there.
    """

    has_kernel = False
    body: Block

    def blocks(self) -> list[Block]:
        """Return the Blocks that it runs."""
        return [self.body]

    def iterations(self, values: Sequence[Any]) -> Iterator[int] | None:
        """Return the numbers, from 0, of the iterations that it goes through, given the values of :meth:`reads`.

        None if it is no loop.
        """
        return None

    def adds_up(self) -> Collection[Variable]:
        """Return those of :meth:`writes` that are sums over all runs; others are what the last run handed out."""
        return ()

    def without_block(self) -> dict[Variable, Variable]:
        """Return what those of :meth:`writes` are, if its Block does not run, that are not zeros then: as they were."""
        return {}

    @abstractmethod
    def bind(self, runner: Runner) -> Callable[..., Generator[Any, None, Any]]:
        """Return the generator function that runs it, given how to run a Block.

        It takes the values of :meth:`reads` and returns those of :meth:`writes`, as a kernel does; what it yields comes
        from the Blocks.
        """


def kernel_of(op: Operator, rewritten: frozenset[Variable] = frozenset()) -> Callable[..., Any]:
    """Return what to call for an Operator without Blocks.

    A view on what is `rewritten` in place later (a parameter that an optimizer updates) must be a copy: it stands for
    the value at its own time.
    """
    kernel = op.kernel()
    if isinstance(op, TableOperator) and op.definition.view and op.reads()[0] in rewritten:
        return lambda *values: _copied(kernel(*values))
    return kernel


def _copied(result: Any) -> Any:
    """Return copies of what a kernel returns: one array, or several values (by-products need not be arrays)."""
    if isinstance(result, (list, tuple)):
        return [_copied(one) for one in result]
    return result.copy() if isinstance(result, np.ndarray) else result


# -- arithmetic of values that are arrays, or lists of arrays


def zeros_of(value: Any) -> Any:
    """Return zeros that fit a value: for a list an empty one."""
    return () if isinstance(value, tuple) else np.zeros_like(value)


def added(first: Any, second: Any) -> Any:
    """Return the sum of two values, of lists place by place."""
    if not isinstance(first, tuple):
        return first + second
    if len(first) < len(second):
        first, second = second, first
    sums = [
        one if other is None else other if one is None else one + other for one, other in zip(first, second)
    ]
    return (*sums, *first[len(second) :])
