"""How conditions read best: masks of zeros and ones, choices, comparisons, and guards that have nothing to do."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.simplify import apply, is_number, parts_of, same, simplifies
from minipaddle.tools.explain.symbols.tree import Cast, Const, Tree, Undecided


def _mask(tree: Tree) -> Tree | None:
    """Return the condition that stands behind zeros and ones."""
    if isinstance(tree, Cast):
        tree = tree.parts[0]
    return tree if tree.dtype.kind == "b" and not isinstance(tree, Const) else None


def ones(mask: Tree, like: Tree) -> Tree:
    """Return a condition as ones and zeros of the type of `like`."""
    return shape_rules.cast(mask, like.dtype)


def masked(x: Tree, y: Tree) -> Tree | None:
    """Multiply with zeros and ones: both conditions hold, or numbers are let through."""
    one, other = _mask(x), _mask(y)
    if one is not None and other is not None and x.dtype.kind == y.dtype.kind == "f":
        return ones(apply(np.bitwise_and, one, other), x)
    if isinstance(y, Cast) and other is not None and x.dtype.kind == "f":
        return apply(np.multiply, x, other)
    if isinstance(x, Cast) and one is not None and y.dtype.kind == "f":
        return apply(np.multiply, y, one)
    return None


def choice(x: Tree, y: Tree) -> Tree | None:
    """``m * a + (1 - m) * b`` is ``where(m, a, b)``; `m` alone stands for ``m * 1``."""
    condition, number = chosen(x)
    other, rest = chosen(y)
    turned = None if other is None else (parts_of(other, "invert") or parts_of(other, "logical_not"))
    if condition is not None and turned and same(turned[0], condition):
        return apply(np.where, condition, number, rest)
    return None


def chosen(tree: Tree) -> tuple[Tree | None, Tree]:
    """Return the condition and the number of ``m * number``."""
    alone = _mask(tree)
    if alone is not None:
        return alone, Const(1)
    for number, mask in _sides(parts_of(tree, "multiply")):
        condition = _mask(mask)
        if condition is not None:
            return condition, number
    return None, tree


def _sides(pair: tuple[Tree, ...]) -> list[tuple[Tree, Tree]]:
    return [(pair[0], pair[1]), (pair[1], pair[0])] if pair else []


_TURNED = {
    "greater": np.less,
    "less": np.greater,
    "greater_equal": np.less_equal,
    "less_equal": np.greater_equal,
}


def _compare(function: Any) -> Callable[[Tree, Tree], Tree | None]:
    """Simplify a comparison with 0, and write a number that stands first at the end."""

    def rule(x: Tree, y: Tree) -> Tree | None:
        if isinstance(x, Const) and not isinstance(y, Const):
            return apply(_TURNED[function.__name__], y, x)
        if not is_number(y, 0):
            return None
        if negated := parts_of(x, "negative"):
            return apply(_TURNED[function.__name__], negated[0], y)
        if (pair := parts_of(x, "multiply")) and isinstance(pair[1], Const) and pair[1].number > 0:
            return apply(function, pair[0], y)
        if pair := parts_of(x, "subtract"):
            return apply(function, *pair)
        if (pair := parts_of(x, "add")) and isinstance(pair[1], Const) and pair[1].weak:
            return apply(function, pair[0], Const(-pair[1].number))
        return None

    return rule


for _function in (np.greater, np.less, np.greater_equal, np.less_equal):
    simplifies(_function.__name__)(_compare(_function))


@simplifies("where")
def _where(condition: Tree, x: Tree, y: Tree) -> Tree | None:
    if isinstance(condition, Const):
        return x if condition.number else y
    return x if _always_finite(condition) else y if never(condition) else None


def _always_finite(condition: Tree) -> bool:
    try:
        return bool(parts_of(condition, "isfinite")) and bool(np.all(condition.value))
    except Undecided:
        return False


@simplifies("bitwise_or")
def _or(x: Tree, y: Tree) -> Tree | None:
    return x if never(y) else y if never(x) else None


def never(condition: Tree) -> bool:
    """Say whether a guard against 0 or nan has nothing to do in this call: then it only hides the formula."""
    zero = (pair := parts_of(condition, "equal")) and isinstance(pair[1], Const)
    nan = (pair := parts_of(condition, "not_equal")) and same(*pair)
    try:
        return bool(zero or nan) and not np.any(condition.value)
    except Undecided:
        return False


@simplifies("clip")
def _clip(x: Tree, low: Tree, high: Tree) -> Tree | None:
    if is_number(low, -math.inf) and is_number(high, math.inf):
        return x
    if is_number(low, -math.inf):
        return apply(np.minimum, x, high)
    return apply(np.maximum, x, low) if is_number(high, math.inf) else None
