"""The variables that a Block of rewritten source changes: read, written and emptied from outside.

What a Block writes into in place is told by the contents of Variables before and after it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from types import FunctionType
from typing import Any

from minipaddle.engine.mode.eager import current
from minipaddle.engine.mode.mode import Around
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.jit.to_program import Captured, Tracing
from minipaddle.paddle.static.program import Variable, default_main_program
from minipaddle.paddle.static.pytree import flat, rebuilt


class Missing:
    """What a variable holds that has no value yet."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()


def captured() -> Captured | None:
    """Return what the function captured that is traced now; None if a Program is built by hand."""
    mode = current.get()
    while isinstance(mode, Around):
        mode = mode.inner
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


def contents() -> dict[Variable, Variable]:
    """Return what Variables hold now that were written into in place; nothing if a Program is built by hand."""
    known = captured()
    return {} if known is None else dict(known.written)


def restore(before: dict[Variable, Variable]) -> None:
    """Let Variables hold what they held, and keep what captured Tensors are that were met in a Block taken back."""
    known = captured()
    if known is not None:
        known.written = dict(before)
        known.keep_all()


def changed(before: dict[Variable, Variable], but: Collection[Variable] = ()) -> list[Variable]:
    """Return what the current Block wrote into of the Blocks around it, since the contents were these."""
    around = default_main_program().current_block().parent
    new = [one for one, content in contents().items() if before.get(one) is not content and one not in but]
    return [one for one in new if around and around.find_var(one.name) is one]


def renewed(value: Any) -> Any:
    """Return a value with lists and dicts of its own, so that a Block may change them."""
    return rebuilt(value, lambda leaf: leaf) if isinstance(value, (list, dict, tuple)) else value


def put_back(user: Any, value: Any) -> Any:
    """Return a value in the list or dict that the user has, which is to hold it afterwards."""
    if type(user) is list and type(value) is list:
        user[:] = value
        return user
    if type(user) is dict and type(value) is dict:
        held = dict(value)
        user.clear()
        user.update(held)
        return user
    return value


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
