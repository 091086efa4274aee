"""The variables that a Block of rewritten source changes: read, written and emptied from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

from minipaddle.paddle.static.program import Block, Variable, default_main_program
from minipaddle.paddle.static.pytree import flat


class Missing:
    """What a variable holds that has no value yet."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()


def _is_there(leaf: Any, blocks: list[Block]) -> bool:
    """Whether a leaf is no Variable, or one that the Blocks around know."""
    return not isinstance(leaf, Variable) or (
        any(leaf.block is one for one in blocks) and leaf.block.vars.get(leaf.name) is leaf
    )


def _blocks_around(block: Block | None) -> Iterator[Block]:
    while block is not None:
        yield block
        block = block.parent


class State:
    """Variables of a user's function, found in the functions that were made of it.

    Args:
        functions: share the variables.
        names: of variables and of attributes: ``"y"``, ``"self.h"``.
        returned: that of them which is what the user's function returns; "": none.
    """

    def __init__(
        self, functions: Iterable[Callable[..., Any]], names: Iterable[str], returned: str = ""
    ) -> None:
        self.cells: dict[str, Any] = {}
        self.globals: dict[str, Any] = {}
        for one in functions:
            if isinstance(one, FunctionType):
                self.cells.update(zip(one.__code__.co_freevars, one.__closure__ or (), strict=True))
                self.globals = one.__globals__
        self.names, self.returned = list(names), returned

    def add(self, name: str, cell: Any) -> None:
        """Add what is no variable of the functions, and is read and written as one."""
        self.cells[name] = cell
        self.names.append(name)

    def read(self) -> list[Any]:
        """Return the values, `MISSING` for those that have none, or one of a Block that is over."""
        blocks = list(_blocks_around(default_main_program().current_block()))
        values = [self._value(name) for name in self.names]
        return [
            value if all(_is_there(leaf, blocks) for leaf in flat(value)) else MISSING for value in values
        ]

    def _value(self, name: str) -> Any:
        root, *path = name.split(".")
        try:
            value = self.cells[root].cell_contents if root in self.cells else self.globals.get(root, MISSING)
        except ValueError:  # an empty cell
            return MISSING
        for one in path:
            value = getattr(value, one, MISSING)
        return value

    def write(self, values: Iterable[Any]) -> None:
        """Give the variables these values; those that are to be `MISSING` lose theirs."""
        for name, value in zip(self.names, values, strict=True):
            holder, _, last = name.rpartition(".")
            if holder:
                owner = self._value(holder)
                if value is not MISSING:
                    setattr(owner, last, value)
                elif hasattr(owner, last):
                    delattr(owner, last)
            elif last not in self.cells:
                self.globals[last] = value
            elif value is not MISSING:
                self.cells[last].cell_contents = value
            elif self._value(last) is not MISSING:
                del self.cells[last].cell_contents
