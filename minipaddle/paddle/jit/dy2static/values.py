"""Values of rewritten functions as Variables: numbers, nests, and what no branch gave a value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Meta
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import full
from minipaddle.paddle.jit.dy2static.state import MISSING
from minipaddle.paddle.static.program import Variable
from minipaddle.paddle.static.pytree import rebuilt

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
