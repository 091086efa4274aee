"""Variables of rewritten functions, read, written and emptied from outside; their values, and what has none.

A Block gives variables new values; what writes into a list, dict or Variable in place is refused by line. A variable
whose values a Program cannot choose between has none behind it: Python says so where it is used, and `explained` why.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from traceback import walk_tb
from typing import Any, NoReturn

import numpy as np

from minipaddle.engine.errors import Line, user_line
from minipaddle.engine.value.meta import Meta
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import full
from minipaddle.paddle.jit.rewriting.rewrite import why_not
from minipaddle.paddle.jit.rewriting.source import TOOLS
from minipaddle.paddle.jit.to_program import Tracing
from minipaddle.paddle.static.build.mode import innermost
from minipaddle.paddle.static.program import Variable, current_block
from minipaddle.paddle.static.pytree import flat, rebuilt


class Dygraph2StaticException(Exception):
    """What a function does with values of a Program that a Program cannot do."""


@dataclass(frozen=True, eq=False)
class Missing:
    """The value of a variable that has none; `why`, if a Program cannot have it."""

    why: str = ""
    where: Line | None = field(default_factory=user_line)

    def refuse(self) -> NoReturn:
        """Say why there is none.

        Raises:
            Dygraph2StaticException: always.
        """
        place = f"\n  In user code: {self.where}\n    {self.where.text}" if self.where else ""
        raise Dygraph2StaticException(f"{self.why}{place}") from None


MISSING = Missing(where=None)
_reasons: dict[str, Missing] = {}
"""Why variables of the function that is traced were left without a value."""


@contextmanager
def explained() -> Iterator[None]:
    """Say of an error of a function that is traced which functions were left as they are, and why.

    Raises:
        Dygraph2StaticException: for a variable that was left without a value.
        RecursionError: telling that only a Tensor may have ended it.
    """
    if not isinstance(innermost(), Tracing):  # of no function that calls another
        _reasons.clear()
    try:
        yield
    except RecursionError:
        raise RecursionError(
            "A function calls itself without an end when it is traced: of an if over a Tensor both branches are "
            "followed. Write it as a loop."
        ) from None
    except Exception as error:
        if isinstance(error, (NameError, AttributeError)):
            for name in re.findall(r"'(\w+)'", str(error))[-1:]:
                if name in _reasons:
                    _reasons[name].refuse()
        for step, _ in walk_tb(error.__traceback__):
            note = f"{step.f_code.co_name!r} is called as it is written: {why_not(step.f_code)}."
            if why_not(step.f_code) and note not in getattr(error, "__notes__", ()):
                error.add_note(note)
        raise


def _contents() -> dict[Variable, Variable]:
    """Return the Variables that the traced function wrote into in place, each with the one that has its content."""
    mode = innermost()
    return mode.written if isinstance(mode, Tracing) else {}


def seen(value: Any) -> Any:
    """Return a value as a Program sees it: a Tensor as the Variable for it, a Variable with its content of now."""
    mode = innermost()
    return mode.seen(value) if isinstance(mode, Tracing) else value


def all_seen(values: list[Any]) -> list[Any]:
    """Return values, which may be nests, as a Program sees them."""
    return [rebuilt(value, seen) for value in values]


class State:
    """Variables of a user's function, found in the functions that were made of it.

    Args:
        functions: share the variables.
        names: of variables and of attributes: ``"y"``, ``"self.h"``.
    """

    def __init__(self, functions: Iterable[Callable[..., Any]], names: Iterable[str]) -> None:
        self.cells: dict[str, Any] = {}
        self.globals: dict[str, Any] = {}
        for one in functions:
            self.cells.update(zip(one.__code__.co_freevars, one.__closure__ or (), strict=True))
            self.globals = one.__globals__
        self.names = list(names)

    def read(self) -> list[Any]:
        """Return the values, `MISSING` for those that have none, or one of a Block that is over."""
        block = current_block()

        def is_there(leaf: Any) -> bool:
            return not isinstance(leaf, Variable) or block.find_var(leaf.name) is leaf

        values = [self._value(name) for name in self.names]
        return [value if all(map(is_there, flat(value))) else MISSING for value in values]

    def _value(self, name: str) -> Any:
        root, *path = name.split(".")
        try:
            value = self.cells[root].cell_contents if root in self.cells else self.globals.get(root, MISSING)
            for one in path:
                value = getattr(value, one)
        except (ValueError, AttributeError):  # an empty cell, or no such attribute
            return _reasons.get((path or [root])[-1], MISSING)
        return value

    def write(self, values: Iterable[Any]) -> None:
        """Give the variables these values; those that are `Missing` lose theirs."""
        for name, value in zip(self.names, values):
            holder, _, last = name.rpartition(".")
            if (
                not holder and last not in self.cells
            ):  # a list or dict of the module, which is changed at most
                continue
            owner, attribute = (self._value(holder), last) if holder else (self.cells[last], "cell_contents")
            if not isinstance(value, Missing) and not isinstance(owner, Missing):
                setattr(owner, attribute, value)
            elif not isinstance(self._value(name), Missing):
                delattr(owner, attribute)
            if isinstance(value, Missing) and value.why:
                _reasons[last] = value

    def outcome(self, block: Callable[[], Any]) -> list[Any]:
        """Run a Block, which is written here; return the values behind it, as a Program sees them.

        Raises:
            Dygraph2StaticException: if it changes a list or dict, or a Variable of the Blocks around it, in place.
        """
        around, contents = current_block().parent, dict(_contents())
        nests = [
            (name, value, flat(value))
            for name, value in zip(self.names, self.read(), strict=True)
            if isinstance(value, (list, dict))
        ]
        block()
        written = [name for name, value, leaves in nests if not identical(leaves, flat(value))]
        written += [
            one.name
            for one, content in _contents().items()
            if contents.get(one) is not content and around is not None and around.find_var(one.name) is one
        ]
        for name in written:
            Missing(
                f"{name!r} is written into in place, in an if or a loop over a Tensor: there a Program can only give "
                "variables new values, as in rows = [*rows, row]."
            ).refuse()
        return all_seen(self.read())


def is_result(name: str) -> bool:
    """Whether a variable is no one of the user's, but holds what his function returns."""
    return name.startswith(f"{TOOLS}_result")


# -- values -----------------------------------------------------------------------------------------------------------

NUMBERS = (bool, int, float)


@dataclass(frozen=True, eq=False)
class Start:
    """The Variable that a loop has to carry where there was a number before it, or `MISSING`."""

    value: Any
    meta: Meta
    stop_gradient = True

    def fits(self, variable: Variable) -> bool:
        """Whether a Variable may be what the body makes of it."""
        meta = variable.meta
        return self.meta.dtype == meta.dtype and len(self.meta.shape) == len(meta.shape)


def truth(value: Variable) -> Variable:
    """Return a Variable as a bool."""
    return value if value.meta.dtype == np.bool_ else cast(value, "bool")


def meta_of(leaf: Any, is_float: bool = False) -> Meta:
    """Return the kind of Variable that a Variable or a number needs."""
    if isinstance(leaf, Variable):
        return leaf.meta
    kind = "float64" if is_float or isinstance(leaf, float) else "bool" if isinstance(leaf, bool) else "int64"
    return Meta((), np.dtype(kind))


def constant(meta: Meta, value: Any = MISSING) -> Variable:
    """Return a number as a Variable; `MISSING`: what stands for a value that is not there, NaN or zero."""
    if value is MISSING:
        value = np.nan if meta.dtype.kind == "f" else 0
    made: Variable = full([1 if size < 0 else size for size in meta.shape], value, meta.dtype)
    return made


def same(one: Any, other: Any) -> bool:
    """Whether two values that are no Variables are one and the same constant."""
    if one is other:
        return True
    constants = type(one) is type(other) and isinstance(one, (*NUMBERS, str, bytes))
    return constants and (one == other or one != one)


def identical(some: list[Any], others: list[Any]) -> bool:
    """Whether two lists have the same objects."""
    return len(some) == len(others) and all(map(operator.is_, some, others))


def paired(one: Any, other: Any, leaf: Callable[[Any, Any], Any]) -> Any:
    """Return a nest of what `leaf` makes of the pairs in two; `MISSING` if they differ, or it makes that of a pair."""
    if isinstance(one, Missing) or isinstance(other, Missing) or not alike(one, other):
        return MISSING
    leaves = [leaf(*pair) for pair in zip(flat(one), flat(other), strict=True)]
    return MISSING if any(found is MISSING for found in leaves) else filled(one, leaves)


def alike(one: Any, other: Any) -> bool:
    """Whether two nests have the same structure."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(alike, one, other))
    return not isinstance(one, (list, tuple, dict)) and not isinstance(other, (list, tuple, dict))


def filled(nest: Any, leaves: Iterable[Any], kinds: Any = object) -> Any:
    """Return a nest with other leaves in the place of those of some kinds."""
    answers = iter(leaves)
    return rebuilt(nest, lambda leaf: next(answers) if isinstance(leaf, kinds) else leaf)


def told(value: Any) -> str:
    """Return what a value is, in a few words."""
    if isinstance(value, Missing) or value is None:
        return "nothing"
    if isinstance(value, (Variable, Start)):
        return f"a Tensor of {value.meta.dtype} {list(value.meta.shape)}"
    if isinstance(value, (list, tuple, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    return f"{value!r:.40}" if isinstance(value, (*NUMBERS, str)) else f"a {type(value).__name__}"
