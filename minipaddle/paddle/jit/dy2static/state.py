"""Variables of rewritten functions, read, written and deleted from outside; variables without a value, and why.

A Block gives variables new values; writing into a list, dict or Variable in place is refused by line. If a Program
cannot choose between a variable's values, it has none afterwards: Python raises at its use, and `explained` adds why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from traceback import walk_tb
from types import CellType
from typing import Any, NoReturn

import numpy as np

from minipaddle.engine.errors import Line, user_line
from minipaddle.ops.creation.cast import cast
from minipaddle.paddle.jit.program_function import Tracing
from minipaddle.paddle.jit.rewriting.rewrite import why_not
from minipaddle.paddle.static.build.mode import innermost
from minipaddle.paddle.static.program import Variable, current_block
from minipaddle.paddle.static.pytree import flat, rebuilt


class Dygraph2StaticException(Exception):
    """An operation on values of a Program that is impossible in a Program."""


@dataclass(frozen=True, eq=False)
class Missing:
    """A placeholder for no value; `why`: the reason, if a Program cannot have it."""

    why: str = ""
    where: Line | None = field(default_factory=user_line)

    def refuse(self) -> NoReturn:
        """Raise the reason.

        Raises:
            Dygraph2StaticException: always.
        """
        place = f"\n  In user code: {self.where}\n    {self.where.text}" if self.where else ""
        raise Dygraph2StaticException(f"{self.why}{place}") from None


MISSING = Missing(where=None)
_reasons: dict[str, Missing] = {}
"""Why variables of the traced function have no value."""


@contextmanager
def explained() -> Iterator[None]:
    """Add to an error of a traced function the functions that were not rewritten, and why.

    Raises:
        Dygraph2StaticException: for a variable without a value.
        RecursionError: telling that only a Tensor may have ended it.
    """
    if not isinstance(innermost(), Tracing):  # for a function that calls no other
        _reasons.clear()
    try:
        yield
    except RecursionError:
        raise RecursionError(
            "A function calls itself without an end when it is traced: of an if over a Tensor both branches are "
            "followed. Write it as a loop."
        ) from None
    except Exception as error:
        *_, name = "", *re.findall(r"'(\w+)'", str(error))
        if isinstance(error, (NameError, AttributeError)) and name in _reasons:
            _reasons[name].refuse()
        for step, _ in walk_tb(error.__traceback__):
            note = f"{step.f_code.co_name!r} is called as it is written: {why_not(step.f_code)}."
            if why_not(step.f_code) and note not in getattr(error, "__notes__", ()):
                error.add_note(note)
        raise


def seen(value: Any) -> Any:
    """Return a leaf as a Program sees it: a Tensor as its Variable, a Variable with its present content."""
    mode = innermost()
    return mode.seen(value) if isinstance(mode, Tracing) else value


def truth(value: Variable) -> Variable:
    """Return a Variable as a bool."""
    return value if value.meta.dtype == np.bool_ else cast(value, "bool")


def identical(some: Any, others: Any) -> bool:
    """Whether the leaves of two nests are the same objects."""
    return list(map(id, flat(some))) == list(map(id, flat(others)))


class State:
    """Variables of a user's function, shared with the functions made from it.

    Args:
        functions: share the variables.
        names: of variables and of attributes: ``"y"``, ``"self.h"``.
    """

    def __init__(self, functions: Iterable[Callable[..., Any]], names: Iterable[str]) -> None:
        self.names = list(names)
        self._cells: dict[str, CellType] = {}
        around: dict[str, Any] = {}
        for one in functions:
            self._cells.update(zip(one.__code__.co_freevars, one.__closure__ or (), strict=True))
            around = one.__globals__
        for root in {one.partition(".")[0] for one in self.names}.difference(self._cells):
            # a list or dict of the module, which is changed at most
            self._cells[root] = CellType(around.get(root, MISSING))

    def read(self) -> list[Any]:
        """Return the values; `MISSING` for none, or one that belongs to a finished Block."""
        block = current_block()

        def is_there(leaf: Any) -> bool:
            return not isinstance(leaf, Variable) or block.find_var(leaf.name) is leaf

        values = [self._value(name) for name in self.names]
        return [value if all(map(is_there, flat(value))) else MISSING for value in values]

    def _place(self, name: str) -> tuple[Any, str]:
        """Return the object whose attribute a variable is: a cell, or an object in one."""
        root, *rest = name.split(".")
        *path, last = "cell_contents", *rest
        return reduce(getattr, path, self._cells[root]), last

    def _value(self, name: str) -> Any:
        try:
            return getattr(*self._place(name))
        except (ValueError, AttributeError):  # an empty cell, or no such attribute
            return _reasons.get(name.rpartition(".")[2], MISSING)

    def write(self, values: Iterable[Any]) -> None:
        """Assign values to the variables; delete variables for `Missing`."""
        for name, value in zip(self.names, values):
            holder, _, last = name.rpartition(".")
            is_held = not holder or not isinstance(self._value(holder), Missing)
            if is_held and not isinstance(value, Missing):
                setattr(*self._place(name), value)
            elif not isinstance(self._value(name), Missing):
                delattr(*self._place(name))
            if isinstance(value, Missing) and value.why:
                _reasons[last] = value
                if not isinstance(self._value(name), Missing):  # the class's attribute would be seen
                    value.refuse()

    def outcome(self, block: Callable[[], Any]) -> list[Any]:
        """Run a Block, to append it here; return its result and the values after it, as a Program sees them.

        Raises:
            Dygraph2StaticException: if it changes a list or dict, or a Variable of the Blocks around it, in place.
        """
        around, mode = current_block().parent, innermost()
        contents = mode.written if isinstance(mode, Tracing) else {}
        before = dict(contents)
        nests = [
            (name, value, flat(value))
            for name, value in zip(self.names, self.read(), strict=True)
            if isinstance(value, (list, dict))
        ]
        result = block()
        written = [name for name, value, leaves in nests if not identical(value, leaves)]
        written += [
            one.name
            for one, content in contents.items()
            if before.get(one) is not content and around is not None and around.find_var(one.name) is one
        ]
        for name in written:
            Missing(
                f"{name!r} is written into in place, in an if or a loop over a Tensor: there a Program can only give "
                "variables new values, as in rows = [*rows, row]."
            ).refuse()
        found: list[Any] = rebuilt([result, *self.read()], seen)
        return found
