"""Variables of rewritten functions, read, written and emptied from outside; their values, and what has none.

A Block gives variables new values; what writes into a list, dict or Variable in place is refused by line.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from minipaddle.engine.errors import Line, user_line
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Meta
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import full
from minipaddle.paddle.jit.to_program import Captured, Tracing
from minipaddle.paddle.static.build.mode import innermost
from minipaddle.paddle.static.program import Variable, default_main_program
from minipaddle.paddle.static.pytree import flat, rebuilt


class Dygraph2StaticException(Exception):
    """What a function does with values of a Program that a Program cannot do."""


class Unusable:
    """Stands for a value that a Program cannot have: using it says why."""

    def __init__(self, name: str, why: str) -> None:
        self.__dict__.update(_name=name, _why=why, _where=user_line())

    def refuse(self) -> NoReturn:
        """Say why it cannot be used.

        Raises:
            Dygraph2StaticException: always.
        """
        where: Line | None = self.__dict__["_where"]
        place = f"\n  In user code: {where}\n    {where.text}" if where else ""
        raise Dygraph2StaticException(f"{self.__dict__['_why']}{place}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        self.refuse()

    def _refused(self, *unused: Any, **options: Any) -> Any:
        self.refuse()

    __bool__ = __call__ = __len__ = __iter__ = __getitem__ = __setitem__ = __contains__ = _refused
    __int__ = __float__ = __index__ = __str__ = __enter__ = _refused


for _name in vars(operator):
    if _name.startswith("__") and hasattr(int, _name) and _name not in ("__doc__", "__abs__", "__name__"):
        setattr(Unusable, _name, Unusable._refused)


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


def as_variable(value: Any, like: Variable | None = None) -> Variable:
    """Return a number as a Variable, of the type of another one if there is one."""
    if isinstance(value, Variable):
        return value
    return constant(meta_of(value) if like is None else Meta((), like.meta.dtype), value)


def same(one: Any, other: Any) -> bool:
    """Whether two values that are no Variables are one and the same constant."""
    if one is other:
        return True
    constants = type(one) is type(other) and isinstance(one, (*NUMBERS, str, bytes))
    return constants and (one == other or one != one)


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
    if value is MISSING or value is None:
        return "nothing"
    if isinstance(value, (Variable, Start)):
        return f"a Tensor of {value.meta.dtype} {list(value.meta.shape)}"
    if isinstance(value, (list, tuple, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    return f"{value!r:.40}" if isinstance(value, (*NUMBERS, str)) else f"a {type(value).__name__}"
