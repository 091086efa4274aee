"""A formula with numbers put in, for one element of a product of matrices, of a sum, or of elementwise work.

Nothing is believed: what is written down is computed first, and must be the number that the recording has.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.explain.formula import last_expression, renamed, run_text
from minipaddle.words.numbers import number

_MOST_TERMS = 6
_SHOWN_TERMS = 3

Spot = tuple[int, ...]


def numbers_in(
    text: str, arguments: Mapping[str, Any], result: Array, name: str, space: Mapping[str, Any]
) -> str:
    """Return ``W@GRAD[0, 1] = 0.2 * 0.5 + 0.6 * 0.1 = 0.16`` for a formula that gave `result`; "" if there is no such.

    The element shown is the largest. `space` is what the formula's other names mean.
    """
    expression = last_expression(text)
    if expression is None or not result.size:
        return ""
    spot = tuple(
        int(i) for i in np.unravel_index(int(np.argmax(np.abs(np.nan_to_num(result)))), result.shape)
    )
    try:
        put_in = _of(expression, arguments, result, spot, space)
    except Exception:  # no formula of these forms after all
        return ""
    here = f"[{', '.join(map(str, spot))}]" if result.size > 1 else ""
    return f"{name}{here} = {put_in} = {_text(result[spot])}" if put_in else ""


def _of(
    expression: ast.expr, arguments: Mapping[str, Any], result: Array, spot: Spot, space: Mapping[str, Any]
) -> str:
    def value(part: ast.expr) -> Array:
        return np.asarray(run_text(ast.unparse(part), arguments, space))

    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.MatMult):
        return _product(value(expression.left), value(expression.right), result, spot)
    call = (
        expression.func.id
        if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name)
        else ""
    )
    if call in ("unbroadcast", "sum", "mean") and isinstance(expression, ast.Call):
        inner = value(expression.args[0])
        if inner.shape != result.shape:
            return _sum(inner, result, spot, call == "mean")
        expression = expression.args[0]
    elif call == "broadcast_to" and isinstance(expression, ast.Call):
        expression = expression.args[0]
    return _elementwise(expression, arguments, result, spot, space)


def _product(left: Array, right: Array, result: Array, spot: Spot) -> str:
    """Write out one row times one column."""
    lead = result.ndim - (left.ndim > 1) - (right.ndim > 1)
    rest = list(spot[lead:])
    i = rest.pop(0) if left.ndim > 1 else 0
    j = rest.pop(0) if right.ndim > 1 else 0
    left = left if left.ndim > 1 else left[None, :]
    right = right if right.ndim > 1 else right[:, None]
    shape = result.shape[:lead]
    row = np.broadcast_to(left, (*shape, *left.shape[-2:]))[spot[:lead]][i]
    column = np.broadcast_to(right, (*shape, *right.shape[-2:]))[spot[:lead]][:, j]
    _insist(row @ column, result[spot])
    pairs = zip(row[:_MOST_TERMS], column[:_MOST_TERMS])
    return _without_brackets(_terms([f"{_operand(a)} * {_operand(b)}" for a, b in pairs], len(row)))


def _sum(inner: Array, result: Array, spot: Spot, mean: bool) -> str:
    """Write out the elements that fall together in one."""
    places = np.arange(result.size).reshape(result.shape)
    if result.ndim and inner.ndim > result.ndim and inner.shape[-result.ndim :] != result.shape:
        places = places.reshape(_with_lost_axes(inner.shape, result.shape))
    elements = inner[
        np.broadcast_to(places, inner.shape) == np.arange(result.size).reshape(result.shape)[spot]
    ]
    _insist(elements.mean() if mean else elements.sum(), result[spot])
    text = _without_brackets(_terms(list(map(_operand, elements[:_MOST_TERMS])), len(elements)))
    return f"({text}) / {len(elements)}" if mean else text


def _with_lost_axes(whole: Spot, rest: Spot) -> list[int]:
    """Put size 1 for the axes of `whole` that `rest` lacks."""
    left = list(rest)
    return [left.pop(0) if left and left[0] == size else 1 for size in whole]


def _elementwise(
    expression: ast.expr, arguments: Mapping[str, Any], result: Array, spot: Spot, space: Mapping[str, Any]
) -> str:
    """Put the numbers of one element in, where every array is as large as the result or stretched to it."""
    tree = ast.parse(ast.unparse(expression), mode="eval").body
    put_in = _PutIn(arguments, result.shape, spot, space)
    single = put_in.visit(tree)
    if isinstance(single, ast.Name):  # a number is no formula
        return ""
    text = ast.unparse(single)
    again = np.asarray(run_text(text, put_in.numbers, space))
    if again.size != 1:
        return ""
    _insist(again.item(), result[spot])
    return _without_brackets(
        " ".join(renamed(text, {name: _operand(value) for name, value in put_in.numbers.items()}))
    )


class _PutIn(ast.NodeTransformer):
    """Replaces every array in a formula by its number at one place, and with it whatever looks at a whole array.

    ``exp(x) / sum(exp(x))`` becomes ``exp(_0) / _1``: `numbers` says what the names stand for.
    """

    def __init__(
        self, arguments: Mapping[str, Any], shape: tuple[int, ...], spot: Spot, space: Mapping[str, Any]
    ) -> None:
        self.arguments, self.shape, self.spot, self.space = arguments, shape, spot, space
        self.numbers: dict[str, Any] = {}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._whole(node) if node.id in self.arguments else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "astype":
            found: ast.expr = self.visit(node.func.value)
            return found
        if not isinstance(node.func, ast.Name) or not _is_elementwise(self.space.get(node.func.id), node):
            return self._whole(node)
        node.args = [self.visit(argument) for argument in node.args]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if isinstance(node.op, ast.MatMult):
            return self._whole(node)
        node.left, node.right = self.visit(node.left), self.visit(node.right)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._whole(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return self._whole(node)

    def _whole(self, node: ast.expr) -> ast.expr:
        """Compute a part, and let the number that falls on this element stand for it."""
        value = run_text(ast.unparse(node), self.arguments, self.space)
        if isinstance(value, (list, np.ndarray)):
            value = np.broadcast_to(np.asarray(value), self.shape)[self.spot]
        name = f"_{len(self.numbers)}"
        self.numbers[name] = np.asarray(value)[()] if isinstance(value, np.ndarray) else value
        return ast.Name(name)


_ELEMENTWISE = frozenset({"where", "clip", "sigmoid", "softplus", "erf"})


def _is_elementwise(function: Any, call: ast.Call) -> bool:
    """Say whether a function works on each element by itself."""
    known = isinstance(function, np.ufunc) or getattr(function, "__name__", "") in _ELEMENTWISE
    return known and not call.keywords


_IN_BRACKETS = re.compile(r"(^|\(|, )\((-[\w.+-]+)\)(?! \*\*)")


def _without_brackets(text: str) -> str:
    """Take a negative number that stands first out of its brackets: ``tanh((-1))`` is written ``tanh(-1)``."""
    return _IN_BRACKETS.sub(r"\1\2", text)


def _insist(found: Any, wanted: Any) -> None:
    """Refuse to show what does not come out.

    Raises:
        ArithmeticError: if the two differ by more than rounding.
    """
    if not np.allclose(found, wanted, rtol=1e-3, atol=1e-6, equal_nan=True):
        raise ArithmeticError(f"{found} is not {wanted}")


def _terms(terms: list[str], count: int) -> str:
    if count <= _MOST_TERMS:
        return " + ".join(terms)
    return " + ".join([*terms[:_SHOWN_TERMS], f"... ({count} terms)"])


def _text(value: Any) -> str:
    return number(float(value)) if np.asarray(value).dtype.kind == "f" else str(value)


def _operand(value: Any) -> str:
    """Return a number as it stands among operators: a negative one in brackets."""
    if not isinstance(value, np.generic):
        return list_text(value)
    text = _text(value)
    return f"({text})" if text.startswith("-") else text


def list_text(value: Any) -> str:
    """Write a shape as a list, a dtype by its name, arrays and long floats shortly, everything else as Python does."""
    if isinstance(value, np.dtype):
        return repr(value.name)
    if isinstance(value, np.ndarray):
        return " ".join(np.array2string(value, precision=4, threshold=8, edgeitems=2).split())
    if isinstance(value, float) and len(repr(value)) > 8:
        return number(value)
    return str(list(value)) if isinstance(value, tuple) else repr(value)
