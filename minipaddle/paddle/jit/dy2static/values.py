"""Values of rewritten functions as Variables: Tensors that are captured, numbers, and what no branch gave a value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import current
from minipaddle.engine.mode.mode import Around
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Meta
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import full
from minipaddle.ops.logic.logical import logical_not
from minipaddle.paddle.jit.dy2static.state import MISSING
from minipaddle.paddle.jit.to_program import Captured, Tracing
from minipaddle.paddle.static.program import Variable
from minipaddle.paddle.static.pytree import rebuilt

NUMBERS = (bool, int, float)


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


def truth(value: Variable) -> Variable:
    """Return a Variable as a bool."""
    return value if value.meta.dtype == np.bool_ else cast(value, "bool")


def opposite(value: Any) -> Any:
    """Return ``not value``."""
    value = seen(value)
    return logical_not(truth(value)) if isinstance(value, Variable) else not value


def as_variable(value: Any, like: Variable | None = None) -> Variable:
    """Return a number as a Variable, of the type of another one if there is one."""
    if isinstance(value, Variable):
        return value
    dtype = "bool" if isinstance(value, bool) else "int64" if isinstance(value, int) else "float64"
    made: Variable = full([], value, dtype if like is None else like.meta.dtype)
    return made


def filler(meta: Meta) -> Variable:
    """Return what stands for a value that nobody gave: not a number, or zero where there is no such number."""
    shape = [1 if size < 0 else size for size in meta.shape]
    made: Variable = full(shape, np.nan if meta.dtype.kind == "f" else 0, meta.dtype)
    return made


def same(one: Any, other: Any) -> bool:
    """Whether two values that are no Variables are one and the same constant."""
    if one is other:
        return True
    return (
        type(one) is type(other) and isinstance(one, (*NUMBERS, str, bytes)) and (one == other or one != one)
    )


def alike(one: Any, other: Any) -> bool:
    """Whether two nests have the same structure."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(alike, one, other))
    return not isinstance(one, (list, tuple, dict)) and not isinstance(other, (list, tuple, dict))


def filled(nest: Any, leaves: Iterable[Any], all_of_them: bool = False) -> Any:
    """Return a nest with other leaves: in the place of its Variables, or of all leaves."""
    answers = iter(leaves)
    return rebuilt(nest, lambda leaf: next(answers) if all_of_them or isinstance(leaf, Variable) else leaf)


def told(value: Any) -> str:
    """Return what a value is, in a few words."""
    if value is MISSING or value is None:
        return "nothing"
    if isinstance(value, Variable):
        return f"a Tensor of {value.meta.dtype} {list(value.meta.shape)}"
    if isinstance(value, (list, tuple, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    return f"{value!r:.40}" if isinstance(value, (*NUMBERS, str)) else f"a {type(value).__name__}"


def renewed(values: list[Any]) -> list[Any]:
    """Return values with lists and dicts of their own, so that a Block may change them."""
    return [
        rebuilt(value, lambda leaf: leaf) if isinstance(value, (list, dict, tuple)) else value
        for value in values
    ]


def put_back(before: list[Any], after: list[Any]) -> list[Any]:
    """Return values with the lists and dicts that the user has, holding what they are to hold afterwards."""
    return [_filled(one, other) for one, other in zip(before, after, strict=True)]


def _filled(user: Any, value: Any) -> Any:
    if type(user) is list and type(value) is list:
        user[:] = value
        return user
    if type(user) is dict and type(value) is dict:
        user.clear()
        user.update(value)
        return user
    return value
