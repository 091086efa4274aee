"""Build functions of single elements as they read best: each rule here returns a tree with the same numbers.

``x * 1`` is ``x``, ``x * (1 / y)`` is ``x / y``, ``a + -b`` is ``a - b``, a choice by 0 and 1 is a ``where``. A rule is
named after the NumPy function whose calls it simplifies; None means: not here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.explain.symbols import moves
from minipaddle.explain.symbols.constants import divisor
from minipaddle.explain.symbols.tree import Apply, Cast, Const, Reduce, Tree


def apply(function: Callable[..., Any], *parts: Tree) -> Tree:
    """Return ``function(*parts)``, simplified."""
    parts = tuple([moves.without_cast(part) for part in parts])
    plain = Apply(function, *parts)
    if all(isinstance(part, Const) for part in parts):
        return _folded(plain)
    narrower = Apply(function, *map(moves.narrow, parts))
    if narrower.shape == plain.shape and narrower.dtype == plain.dtype:
        parts, plain = narrower.parts, narrower
    simpler = RULES.get(plain.name, _unchanged)(*parts)
    if (
        simpler is None
        or simpler.dtype.kind != plain.dtype.kind
        or (plain.shape and isinstance(simpler, Const) and simpler.weak)
    ):
        return plain
    return simpler if simpler.shape == plain.shape else moves.fitted(simpler, plain.shape)


def _unchanged(*parts: Tree) -> Tree | None:
    return None


def _folded(plain: Apply) -> Tree:
    """Return a number worked out of numbers."""
    with np.errstate(all="ignore"):
        number = plain.function(*[part.number for part in plain.parts if isinstance(part, Const)])
    return (
        Const(number.item() if isinstance(number, np.generic) else number)
        if not plain.shape
        else Const(np.asarray(number).item(), plain.shape, plain.dtype)
    )


# -- what a tree looks like ---------------------------------------------------------------------------------------


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


def _is(tree: Tree, number: float) -> bool:
    return isinstance(tree, Const) and bool(tree.number == number) and tree.dtype.kind != "b"


def _named(tree: Tree, name: str) -> tuple[Tree, ...]:
    """Return the parts of a call of the function `name`; nothing if the tree is none."""
    return tree.parts if isinstance(tree, Apply) and tree.name == name else ()


def _mask(tree: Tree) -> Tree | None:
    """Return the condition that stands behind zeros and ones."""
    if isinstance(tree, Cast):
        tree = tree.parts[0]
    return tree if tree.dtype.kind == "b" and not isinstance(tree, Const) else None


def _ones(mask: Tree, like: Tree) -> Tree:
    return moves.cast(mask, like.dtype)


# -- rules --------------------------------------------------------------------------------------------------------


def _multiply(x: Tree, y: Tree) -> Tree | None:
    for one, other in ((x, y), (y, x)):
        if _is(one, 1):
            return other
        if _is(one, 0):
            return moves.filled(0, np.broadcast_shapes(x.shape, y.shape), np.result_type(x.dtype, y.dtype))
        if _is(one, -1):
            return apply(np.negative, other)
        negated = _named(one, "negative")
        if negated:
            return apply(
                np.negative, apply(np.multiply, *((negated[0], other) if one is x else (other, negated[0])))
            )
        over = _named(one, "divide")
        if over and _is(over[0], 1):
            return apply(np.divide, other, over[1])
        if (
            isinstance(one, Const)
            and isinstance(other, Reduce)
            and other.kind == "sum"
            and _is_share(one, other)
        ):
            return apply(np.divide, other, Const(other.count))
        if isinstance(one, Const) and not one.shape and one.dtype.kind == "f" and (by := divisor(one.number)):
            return apply(np.divide, other, Const(by))
    if isinstance(x, Apply) and same(x, y):
        return Apply(np.power, x, Const(2))
    return _masks(x, y) or _numbers_together(x, y)


def _is_share(number: Const, total: Reduce) -> bool:
    return (
        number.weak
        and number.dtype.kind == "f"
        and math.isclose(number.number * total.count, 1, rel_tol=1e-12)
    )


def _masks(x: Tree, y: Tree) -> Tree | None:
    """Multiply with zeros and ones: both conditions hold, or numbers are let through."""
    one, other = _mask(x), _mask(y)
    if one is not None and other is not None and x.dtype.kind == y.dtype.kind == "f":
        return _ones(apply(np.bitwise_and, one, other), x)
    if isinstance(y, Cast) and other is not None and x.dtype.kind == "f":
        return apply(np.multiply, x, other)
    if isinstance(x, Cast) and one is not None and y.dtype.kind == "f":
        return apply(np.multiply, y, one)
    return None


def _numbers_together(x: Tree, y: Tree) -> Tree | None:
    """``x * 2 * 3`` is ``x * 6``."""
    inner = _named(x, "multiply")
    if isinstance(y, Const) and y.weak and inner and isinstance(inner[1], Const) and inner[1].weak:
        return apply(np.multiply, inner[0], Const(inner[1].number * y.number))
    return None


def _divide(x: Tree, y: Tree) -> Tree | None:
    if _is(y, 1):
        return x
    if _is(x, 0) and isinstance(x, Const):
        return moves.filled(0, np.broadcast_shapes(x.shape, y.shape), np.result_type(x.dtype, y.dtype))
    for one, other in ((x, y), (y, x)):
        negated = _named(one, "negative")
        if negated:
            pair = (negated[0], other) if one is x else (other, negated[0])
            return apply(np.negative, apply(np.divide, *pair))
    over = _named(y, "divide")
    if over and _is(over[0], 1):
        return apply(np.multiply, x, over[1])
    inner = _named(x, "divide")
    if isinstance(y, Const) and inner and isinstance(inner[1], Const) and inner[1].weak and y.weak:
        return apply(np.divide, inner[0], Const(inner[1].number * y.number))
    if inner and (power := _power_of(inner[1], y)):
        return apply(np.divide, inner[0], apply(np.power, y, Const(power + 1)))
    if isinstance(x, Reduce) and x.kind == "sum" and _is(y, x.count) and x.dtype.kind == "f":
        return moves.reduce("mean", x.parts[0], x.axes, x.keepdims, x.typed.get("dtype"))
    return None


def _power_of(x: Tree, base: Tree) -> int:
    """Return n where `x` is ``base ** n``; 0 if it is no power of it."""
    if isinstance(base, Const):
        return 0
    pair = _named(x, "power")
    if pair and same(pair[0], base) and isinstance(pair[1], Const) and isinstance(pair[1].number, int):
        return pair[1].number
    return int(same(x, base))


def _add(x: Tree, y: Tree) -> Tree | None:
    if _is(x, 0):
        return y
    if _is(y, 0):
        return x
    if isinstance(y, Cast) and _never(y.parts[0]):
        return x
    if negated := _named(y, "negative"):
        return apply(np.subtract, x, negated[0])
    if negated := _named(x, "negative"):
        return apply(np.subtract, y, negated[0])
    if isinstance(y, Const) and y.weak and y.dtype.kind in "if" and y.number < 0:
        return apply(np.subtract, x, Const(-y.number))
    if positive := _positive(y):
        return apply(np.subtract, x, positive)
    if same(x, y):
        return Apply(np.multiply, Const(2), x)
    return _choice(x, y) or _choice(y, x)


def _choice(x: Tree, y: Tree) -> Tree | None:
    """``m * a + (1 - m) * b`` is ``where(m, a, b)``; `m` alone stands for ``m * 1``."""
    condition, chosen = _chosen(x)
    other, rest = _chosen(y)
    turned = None if other is None else (_named(other, "invert") or _named(other, "logical_not"))
    if condition is not None and turned and same(turned[0], condition):
        return apply(np.where, condition, chosen, rest)
    return None


def _chosen(tree: Tree) -> tuple[Tree | None, Tree]:
    """Return the condition and the number of ``m * number``."""
    alone = _mask(tree)
    if alone is not None:
        return alone, Const(1)
    for number, mask in _sides(_named(tree, "multiply")):
        condition = _mask(mask)
        if condition is not None:
            return condition, number
    return None, tree


def _sides(pair: tuple[Tree, ...]) -> list[tuple[Tree, Tree]]:
    return [(pair[0], pair[1]), (pair[1], pair[0])] if pair else []


def _subtract(x: Tree, y: Tree) -> Tree | None:
    if _is(y, 0):
        return x
    if _is(x, 0):
        return apply(np.negative, y)
    if negated := _named(y, "negative"):
        return apply(np.add, x, negated[0])
    if isinstance(y, Const) and y.weak and y.dtype.kind in "if" and y.number < 0:
        return apply(np.add, x, Const(-y.number))
    if positive := _positive(y):
        return apply(np.add, x, positive)
    if _is(x, 1):
        condition, number = _chosen(y)
        if condition is not None and isinstance(number, Const):  # 1 - m * (1 - a)
            if _is(number, 1):
                return _ones(apply(np.invert, condition), y)
            return apply(np.where, condition, Const(round(1 - number.number, 15)), Const(1))
    return None


def _negative(x: Tree) -> Tree | None:
    if negated := _named(x, "negative"):
        return negated[0]
    if pair := _named(x, "subtract"):
        return apply(np.subtract, pair[1], pair[0])
    if positive := _positive(x):
        return positive
    turned_back = {"maximum": np.minimum, "minimum": np.maximum}
    if (
        isinstance(x, Apply)
        and x.name in turned_back
        and _is(x.parts[1], 0)
        and _named(x.parts[0], "negative")
    ):
        return apply(turned_back[x.name], x.parts[0].parts[0], x.parts[1])
    return None


def _positive(x: Tree) -> Tree | None:
    """Return ``y * 2`` for ``y * -2``; None if no negative number stands there."""
    for name, function in (("multiply", np.multiply), ("divide", np.divide)):
        pair = [*_named(x, name)]
        for place, part in enumerate(pair):
            if isinstance(part, Const) and part.weak and part.dtype.kind in "if" and part.number < 0:
                pair[place] = Const(-part.number)
                return apply(function, *pair)
    return None


def _power(x: Tree, y: Tree) -> Tree | None:
    if _is(y, 1):
        return x
    if _is(y, 0.5):
        return apply(np.sqrt, x)
    if _is(y, 2) and (root := _named(x, "sqrt")):
        return root[0]
    if isinstance(y, Const) and y.weak and y.number < 0 and x.dtype.kind == "f":
        return Apply(np.divide, Const(1), apply(np.power, x, Const(-y.number)))
    return None


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
        if _is(y, 0) and (negated := _named(x, "negative")):
            return apply(_TURNED[function.__name__], negated[0], y)
        if (
            _is(y, 0)
            and (pair := _named(x, "multiply"))
            and isinstance(pair[1], Const)
            and pair[1].number > 0
        ):
            return apply(function, pair[0], y)
        if _is(y, 0) and (pair := _named(x, "subtract")):
            return apply(function, *pair)
        if _is(y, 0) and (pair := _named(x, "add")) and isinstance(pair[1], Const) and pair[1].weak:
            return apply(function, pair[0], Const(-pair[1].number))
        return None

    return rule


def _where(condition: Tree, x: Tree, y: Tree) -> Tree | None:
    if isinstance(condition, Const):
        return x if condition.number else y
    finite = _named(condition, "isfinite")
    return x if finite and np.all(condition.value) else y if _never(condition) else None


def _or(x: Tree, y: Tree) -> Tree | None:
    return x if _never(y) else y if _never(x) else None


def _never(condition: Tree) -> bool:
    """Say whether a guard against 0 or nan has nothing to do in this call: then it only hides the formula."""
    zero = (pair := _named(condition, "equal")) and isinstance(pair[1], Const)
    nan = (pair := _named(condition, "not_equal")) and same(*pair)
    return bool(zero or nan) and not np.any(condition.value)


def _reciprocal(x: Tree) -> Tree | None:
    return apply(np.divide, Const(1), x)


def _square(x: Tree) -> Tree | None:
    return Apply(np.multiply, x, x)


def _clip(x: Tree, low: Tree, high: Tree) -> Tree | None:
    if _is(low, -math.inf) and _is(high, math.inf):
        return x
    if _is(low, -math.inf):
        return apply(np.minimum, x, high)
    return apply(np.maximum, x, low) if _is(high, math.inf) else None


RULES: dict[str, Callable[..., Tree | None]] = {
    "multiply": _multiply, "divide": _divide, "add": _add, "subtract": _subtract, "negative": _negative,
    "power": _power, "where": _where, "reciprocal": _reciprocal, "square": _square, "clip": _clip, "bitwise_or": _or,
    **{function.__name__: _compare(function) for function in (np.greater, np.less, np.greater_equal, np.less_equal)},
}  # fmt: skip
"""By the name of the NumPy function."""
