"""Simplifies conditions, sums, products, quotients and powers; drops guards without effect in this call."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.shape_rules import apply, is_number, parts_of, same, simplifies
from minipaddle.tools.explain.symbols.text import divisor
from minipaddle.tools.explain.symbols.tree import Apply, Cast, Const, Reduce, Tree


def _mask(tree: Tree) -> Tree | None:
    """Return the condition that was cast to zeros and ones; None if there is none."""
    if isinstance(tree, Cast):
        tree = tree.parts[0]
    return tree if tree.dtype.kind == "b" and not isinstance(tree, Const) else None


def masked(x: Tree, y: Tree) -> Tree | None:
    """Return a product with a mask, simplified: the conjunction of two masks, or number times condition."""
    one, other = _mask(x), _mask(y)
    if one is not None and other is not None and x.dtype.kind == y.dtype.kind == "f":
        return shape_rules.cast(apply(np.bitwise_and, one, other), x.dtype)
    if isinstance(y, Cast) and other is not None and x.dtype.kind == "f":
        return apply(np.multiply, x, other)
    if isinstance(x, Cast) and one is not None and y.dtype.kind == "f":
        return apply(np.multiply, y, one)
    return None


def choice(x: Tree, y: Tree) -> Tree | None:
    """Return ``where(m, a, b)`` for ``m * a + (1 - m) * b``; `m` alone is ``m * 1``."""
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
    pair = parts_of(tree, "multiply")
    for number, mask in (pair, pair[::-1]) if pair else ():
        condition = _mask(mask)
        if condition is not None:
            return condition, number
    return None, tree


_TURNED: dict[Any, Any] = {np.greater: np.less, np.greater_equal: np.less_equal}
_TURNED |= {other: one for one, other in _TURNED.items()}


def _compare(function: Any) -> Callable[[Tree, Tree], Tree | None]:
    """Return the rule that simplifies a comparison with 0, and moves a leading number to the right."""

    def rule(x: Tree, y: Tree) -> Tree | None:
        if isinstance(x, Const) and not isinstance(y, Const):
            return apply(_TURNED[function], y, x)
        if not is_number(y, 0):
            return None
        if negated := parts_of(x, "negative"):
            return apply(_TURNED[function], negated[0], y)
        if pair := parts_of(x, "subtract"):
            return apply(function, *pair)
        if (pair := parts_of(x, "add")) and isinstance(pair[1], Const) and pair[1].weak:
            return apply(function, pair[0], Const(-pair[1].number))
        return None

    return rule


for _function in _TURNED:
    simplifies(_function.__name__)(_compare(_function))


@simplifies("where")
def _where(condition: Tree, x: Tree, y: Tree) -> Tree | None:
    if isinstance(condition, Const):
        return x if condition.number else y
    is_finite = parts_of(condition, "isfinite") and np.all(condition.value)
    return x if is_finite else y if never(condition) else None


@simplifies("bitwise_or")
def _or(x: Tree, y: Tree) -> Tree | None:
    return x if never(y) else y if never(x) else None


def never(condition: Tree) -> bool:
    """Return whether a guard against 0 or NaN has no effect in this call, and so only hides the formula."""
    zero = (pair := parts_of(condition, "equal")) and isinstance(pair[1], Const)
    nan = (pair := parts_of(condition, "not_equal")) and same(*pair)
    return bool(zero or nan) and not np.any(condition.value)


@simplifies("clip")
def _clip(x: Tree, low: Tree, high: Tree) -> Tree | None:
    if is_number(low, -math.inf) and is_number(high, math.inf):
        return x
    if is_number(low, -math.inf):
        return apply(np.minimum, x, high)
    return apply(np.maximum, x, low) if is_number(high, math.inf) else None


@simplifies("multiply")
def _multiply(x: Tree, y: Tree) -> Tree | None:
    for one, other in ((x, y), (y, x)):
        if is_number(one, 1):
            return other
        if is_number(one, 0):
            return _zeros(x, y)
        if is_number(one, -1):
            return apply(np.negative, other)
        if found := _with_sign_outside(np.multiply, x, y):
            return found
        over = parts_of(one, "divide")
        if over and is_number(over[0], 1):
            return apply(np.divide, other, over[1])
        if isinstance(one, Const) and isinstance(other, Reduce) and _is_share(one, other):
            return apply(np.divide, other, Const(other.count))
        if isinstance(one, Const) and not one.shape and one.dtype.kind == "f" and (by := divisor(one.number)):
            return apply(np.divide, other, Const(by))
    if isinstance(x, Apply) and same(x, y):
        return Apply(np.power, x, Const(2))
    return masked(x, y) or _numbers_together(np.multiply, x, y)


def _zeros(x: Tree, y: Tree) -> Const:
    return Const(0, np.broadcast_shapes(x.shape, y.shape), np.result_type(x.dtype, y.dtype))


def _with_sign_outside(function: Any, x: Tree, y: Tree) -> Tree | None:
    """Return ``-(a * b)`` for ``-a * b`` and ``a * -b``; None where neither begins with a minus."""
    one, other = parts_of(x, "negative"), parts_of(y, "negative")
    if not one and not other:
        return None
    return apply(np.negative, apply(function, one[0], y) if one else apply(function, x, other[0]))


def _is_share(number: Const, total: Reduce) -> bool:
    if total.kind != "sum" or not number.weak or number.dtype.kind != "f":
        return False
    return math.isclose(number.number * total.count, 1, rel_tol=1e-12)


def _numbers_together(function: Any, x: Tree, y: Tree) -> Tree | None:
    """``x * 2 * 3`` is ``x * 6``, and ``x / 2 / 3`` is ``x / 6``."""
    inner = parts_of(x, function.__name__)
    if isinstance(y, Const) and y.weak and inner and isinstance(inner[1], Const) and inner[1].weak:
        return apply(function, inner[0], Const(inner[1].number * y.number))
    return None


@simplifies("divide")
def _divide(x: Tree, y: Tree) -> Tree | None:
    if is_number(y, 1):
        return x
    if is_number(x, 0):
        return _zeros(x, y)
    if found := _with_sign_outside(np.divide, x, y) or _numbers_together(np.divide, x, y):
        return found
    over = parts_of(y, "divide")
    if over and is_number(over[0], 1):
        return apply(np.multiply, x, over[1])
    inner = parts_of(x, "divide")
    if inner and not isinstance(y, Const) and same(inner[1], y):
        return apply(np.divide, inner[0], apply(np.power, y, Const(2)))
    if isinstance(x, Reduce) and x.kind == "sum" and is_number(y, x.count) and x.dtype.kind == "f":
        return shape_rules.reduce("mean", x.parts[0], x.axes, x.keepdims, x.typed.get("dtype"))
    return None


@simplifies("add")
def _add(x: Tree, y: Tree) -> Tree | None:
    if is_number(x, 0):
        return y
    if is_number(y, 0):
        return x
    if isinstance(y, Cast) and never(y.parts[0]):
        return x
    if (turned := _turned(y)) and not (parts_of(x, "negative") and isinstance(y, Const)):
        return apply(np.subtract, x, turned)
    if negated := parts_of(x, "negative"):
        return apply(np.subtract, y, negated[0])
    if same(x, y):
        return Apply(np.multiply, Const(2), x)
    return choice(x, y) or choice(y, x)


@simplifies("subtract")
def _subtract(x: Tree, y: Tree) -> Tree | None:
    if is_number(y, 0):
        return x
    if is_number(x, 0):
        return apply(np.negative, y)
    if turned := _turned(y):
        return apply(np.add, x, turned)
    if is_number(x, 1):
        condition, number = chosen(y)
        if condition is not None and isinstance(number, Const):  # 1 - m * (1 - a)
            if is_number(number, 1):
                return shape_rules.cast(apply(np.invert, condition), y.dtype)
            return apply(np.where, condition, Const(round(1 - number.number, 15)), Const(1))
    return None


def _turned(x: Tree) -> Tree | None:
    """Return the negative of an expression with a minus: ``y`` for ``-y``, 2 for -2, ``y * 2`` for ``y * -2``."""
    if negated := parts_of(x, "negative"):
        return negated[0]
    if isinstance(x, Const) and x.weak and x.dtype.kind in "if" and x.number < 0:
        return Const(-x.number)
    pair = [*(parts_of(x, "multiply") or parts_of(x, "divide"))]
    for place, part in enumerate(pair):
        if isinstance(x, Apply) and isinstance(part, Const) and (turned := _turned(part)):
            pair[place] = turned
            return apply(x.function, *pair)
    return None


@simplifies("negative")
def _negative(x: Tree) -> Tree | None:
    if pair := parts_of(x, "subtract"):
        return apply(np.subtract, pair[1], pair[0])
    if opposite := _turned(x):
        return opposite
    for name, back in (("maximum", np.minimum), ("minimum", np.maximum)):
        pair = parts_of(x, name)
        if pair and is_number(pair[1], 0) and (turned := parts_of(pair[0], "negative")):
            return apply(back, turned[0], pair[1])
    return None


@simplifies("power")
def _power(x: Tree, y: Tree) -> Tree | None:
    if is_number(y, 1):
        return x
    if is_number(y, 0.5):
        return apply(np.sqrt, x)
    if is_number(y, 2) and (root := parts_of(x, "sqrt")):
        return root[0]
    if isinstance(y, Const) and y.weak and y.number < 0 and x.dtype.kind == "f":
        return Apply(np.divide, Const(1), apply(np.power, x, Const(-y.number)))
    return None


_PLAIN = ("add", "subtract", "multiply", "divide", "negative")


@simplifies("conjugate")
def _conjugate(x: Tree) -> Tree | None:
    if x.dtype.kind != "c":
        return x
    if turned := parts_of(x, "conjugate"):
        return turned[0]
    if isinstance(x, Apply) and x.name in _PLAIN:
        return apply(x.function, *[apply(np.conjugate, part) for part in x.parts])
    return None


simplifies("reciprocal")(lambda x: apply(np.divide, Const(1), x))
simplifies("square")(lambda x: Apply(np.multiply, x, x))
