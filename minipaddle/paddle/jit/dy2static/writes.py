"""Variables that a Block writes into in place: what they hold is chosen, or carried, like a variable of the user's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from minipaddle.paddle.jit.dy2static.state import State
from minipaddle.paddle.jit.dy2static.values import captured
from minipaddle.paddle.static.program import Block, Variable, default_main_program

T = TypeVar("T")


class Content:
    """What a Variable holds, to be read and written as the cell of a function is."""

    def __init__(self, variable: Variable) -> None:
        self.variable = variable

    @property
    def cell_contents(self) -> Variable:
        """The Variable that has the content now."""
        known = captured()
        assert known is not None
        found: Variable = known.seen(self.variable)
        return found

    @cell_contents.setter
    def cell_contents(self, value: Variable) -> None:
        known = captured()
        assert known is not None
        known.written[self.variable] = value


class NewWrites(Exception):
    """Says that Blocks have to be written again: they write into Variables that nobody knew of."""

    def __init__(self, variables: list[Variable]) -> None:
        super().__init__()
        self.variables = variables


def with_writes(state: State, append: Callable[[], T]) -> T:
    """Return what `append` returns; it is called again, with more in the `state`, while its Blocks write in place."""
    known = captured()
    if known is None:
        return append()
    before, values = dict(known.written), state.read()
    while True:
        try:
            with default_main_program().undone_on_error():
                return append()
        except NewWrites as found:
            known.keep_all()
            state.write(values)
            values = [*values, *[before.get(one, one) for one in found.variables]]
            for one in found.variables:
                state.add(f"the content of {one.name!r}".replace(".", "_"), Content(one))
        finally:
            known.written = dict(before)


@contextmanager
def noticed(state: State, own: Sequence[Variable] = ()) -> Iterator[None]:
    """Look at what a Block, which is written here, writes into in place; of its `own` Variables it may.

    Raises:
        NewWrites: if it is a Variable of a Block around it that is not in the `state`.
    """
    known = captured()
    if known is None:
        yield
        return
    entry = dict(known.written)
    try:
        yield
        now = known.written
    finally:
        known.written = entry
    around = set(_around(default_main_program().current_block()))
    told = {*own} | {cell.variable for cell in state.cells.values() if isinstance(cell, Content)}
    new = [
        one
        for one, content in now.items()
        if entry.get(one) is not content and one.block in around and one not in told
    ]
    if new:
        raise NewWrites(new)


def _around(block: Block) -> Iterator[Block]:
    parent = block.parent
    while parent is not None:
        yield parent
        parent = parent.parent
