"""The variables that a Block of rewritten source changes: read, written and emptied from outside.

A Block gives variables new values; what writes into a list, dict or Variable in place is refused by line.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.jit.dy2static.undefined_value import Unusable
from minipaddle.paddle.jit.to_program import Captured, Tracing
from minipaddle.paddle.static.build.mode import innermost
from minipaddle.paddle.static.program import Variable, default_main_program
from minipaddle.paddle.static.pytree import flat, rebuilt


class Missing:
    """What a variable holds that has no value yet."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()


def captured() -> Captured | None:
    """Return what the function captured that is traced now; None if a Program is built by hand."""
    mode = innermost()
    return mode.captured if isinstance(mode, Tracing) else None


def seen(value: Any) -> Any:
    """Return a value as a Program sees it: a Tensor as the Variable for it, a Variable with its content of now."""
    if not isinstance(value, (Tensor, Variable)):
        return value
    known = captured()
    return value if known is None else known.seen(value)


def all_seen(values: list[Any]) -> list[Any]:
    """Return values, which may be nests, as a Program sees them."""
    return [rebuilt(value, seen) for value in values]


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

    def read(self) -> list[Any]:
        """Return the values, `MISSING` for those that have none, or one of a Block that is over."""
        block = default_main_program().current_block()

        def is_there(leaf: Any) -> bool:
            return not isinstance(leaf, Variable) or block.find_var(leaf.name) is leaf

        values = [self._value(name) for name in self.names]
        return [value if all(map(is_there, flat(value))) else MISSING for value in values]

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
        for name, value in zip(self.names, values):
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

    def outcome(self, block: Callable[[], Any]) -> list[Any]:
        """Run a Block, which is written here; return the values behind it, as a Program sees them.

        Raises:
            Dygraph2StaticException: if it changes a list or dict, or a Variable of the Blocks around it, in place.
        """
        known, around = captured(), default_main_program().current_block().parent
        contents = {} if known is None else dict(known.written)
        holding = [
            pair for pair in zip(self.names, self.read(), strict=True) if isinstance(pair[1], (list, dict))
        ]
        before = [flat(value) for _, value in holding]
        block()
        written = [
            name
            for (name, value), leaves in zip(holding, before, strict=True)
            if len(leaves) != len(flat(value)) or any(map(operator.is_not, leaves, flat(value)))
        ]
        for one, content in ({} if known is None else known.written).items():
            if contents.get(one) is not content and around is not None and around.find_var(one.name) is one:
                written.append(one.name)
        for name in written:
            Unusable(
                name,
                f"{name!r} is written into in place, in an if or a loop over a Tensor: there a Program can only give "
                "variables new values, as in rows = [*rows, row].",
            ).refuse()
        return all_seen(self.read())
