"""Build functions of single elements as they read best: a rule returns a tree with the same numbers.

``x * 1`` is ``x``, ``x * (1 / y)`` is ``x / y``, ``a + -b`` is ``a - b``, a choice by 0 and 1 is a ``where``. Rules go
by the NumPy function whose calls they simplify, and stand in :mod:`~minipaddle.tools.explain.symbols.arithmetic` and
:mod:`~minipaddle.tools.explain.symbols.arithmetic`. They are true of finite numbers; what is to hold for any stands as
it is.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.tree import Apply, Cast, Const, Tree, is_exact

Simplification = Callable[..., Tree | None]
RULES: dict[str, Simplification] = {}
"""By the name of the NumPy function; what they answer None to is left as it is."""


def simplifies(*names: str) -> Callable[[Simplification], Simplification]:
    """Register a rule for the calls of NumPy's functions of these names."""

    def register(rule: Simplification) -> Simplification:
        RULES.update(dict.fromkeys(names, rule))
        return rule

    return register


def apply(function: Callable[..., Any], *parts: Tree) -> Tree:
    """Return ``function(*parts)``, simplified; as it stands where it is to hold for any numbers."""
    parts = tuple([shape_rules.without_cast(part) for part in parts])
    plain = Apply(function, *parts)
    if all(isinstance(part, Const) for part in parts):
        return _folded(plain)
    if is_exact():
        return plain
    narrower = Apply(function, *map(shape_rules.narrow, parts))
    if narrower.shape == plain.shape and narrower.dtype == plain.dtype:
        parts, plain = narrower.parts, narrower
    simpler = RULES[plain.name](*parts) if plain.name in RULES else None
    if (
        simpler is None
        or simpler.dtype.kind != plain.dtype.kind
        or (plain.shape and isinstance(simpler, Const) and simpler.weak)
    ):
        return plain
    return simpler if simpler.shape == plain.shape else shape_rules.fitted(simpler, plain.shape)


def _folded(plain: Apply) -> Tree:
    """Return a number worked out of numbers."""
    with np.errstate(all="ignore"):
        number = plain.function(*[part.number for part in plain.parts if isinstance(part, Const)])
    return (
        Const(number.item() if isinstance(number, np.generic) else number)
        if not plain.shape
        else Const(np.asarray(number).item(), plain.shape, plain.dtype)
    )


def same(one: Tree, other: Tree) -> bool:
    """Say whether two trees are the same expression."""
    if one is other:
        return True
    if type(one) is not type(other) or one.shape != other.shape or len(one.parts) != len(other.parts):
        return False
    if isinstance(one, Const) and isinstance(other, Const):
        return bool(one.number == other.number)
    if not isinstance(one, (Apply, Cast)) or getattr(one, "name", "") != getattr(other, "name", ""):
        return False
    return one.dtype == other.dtype and all(map(same, one.parts, other.parts))


def is_number(tree: Tree, number: float) -> bool:
    """Say whether a tree is this number."""
    return isinstance(tree, Const) and bool(tree.number == number) and tree.dtype.kind != "b"


def parts_of(tree: Tree, name: str) -> tuple[Tree, ...]:
    """Return the parts of a call of the function `name`; nothing if the tree is none."""
    return tree.parts if isinstance(tree, Apply) and tree.name == name else ()
