"""Prints one element of a tree with numbers: ``0.2 * 0.5 + 0.6 * 0.1`` for a product of matrices.

A product or a sum is written out once, as its terms; inside these, and elsewhere, a function of many elements appears
as its result. A formula is shown only if evaluating it gives the recorded number.
"""

import re
from collections.abc import Callable, Container
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.explain.symbols.mode import Call
from minipaddle.tools.explain.symbols.text import ATOM, PRODUCT, SIGN, SUM, Printed, text
from minipaddle.tools.explain.symbols.tree import Apply, Cast, Const, Matmul, Reduce, Spot, Tree, aligned
from minipaddle.tools.explain.symbols.views import Move, Scatter
from minipaddle.tools.words.numbers import number

MOST_TERMS = 6  # a longer sum shows its first SHOWN_TERMS and a count
SHOWN_TERMS = 3
LONGEST = 160  # characters: two lines of a terminal
ALIKE = 1 - 1e-5
"""Fraction of the largest number above which others count as equally large."""
_NEAR = {2: 1e-2, 4: 1e-4, 8: 1e-6}
"""Allowed rounding, by the bytes of a float: a formula adds in another order than its rule."""
_FIRST = re.compile(r"^\((-[^ ()]+)\)")
"""Matches a leading negative number in brackets, which are not needed."""


def largest(array: Array) -> tuple[int, ...]:
    """Return the index of the element of largest absolute value, or of the first NaN if there is one.

    Among elements equal up to rounding it is the first, so that all computations agree.
    """
    if np.isnan(array).any():
        return tuple(int(i) for i in np.argwhere(np.isnan(array))[0])
    sizes = np.abs(np.nan_to_num(array))
    first = int(np.argmax(sizes >= np.max(sizes) * ALIKE))
    return tuple(int(i) for i in np.unravel_index(first, array.shape))


def holds(tree: Tree, result: Array) -> bool:
    """Return whether a tree evaluates to `result`."""
    try:
        return tree.shape == result.shape and _near(tree.value, result)
    except Exception:  # an index out of range, say: then the formula is wrong
        return False


def near_of(dtype: Any) -> float:
    """Return the relative rounding error that is allowed for `dtype`."""
    return _NEAR.get(dtype.itemsize, 1e-6) if dtype.kind == "f" else 1e-6


def _near(found: Any, wanted: Any) -> bool:
    found, near = np.asarray(found), near_of(wanted.dtype)
    if wanted.dtype.kind == "f":
        scale = float(np.max(np.abs(wanted), initial=0, where=np.isfinite(wanted)))
        return np.allclose(found, wanted, rtol=near, atol=1e-6 + near * scale / 10, equal_nan=True)
    return bool(np.array_equal(found, wanted))


def numbers(tree: Tree, spot: Spot, recorded: Any, named: Container[Tree] = (), near: float = 0.0) -> str:
    """Return the formula of the element at `spot` with numbers; "" if it is only a number, or not `recorded`.

    Parts that are `named` appear as numbers here, as they have lines of their own.
    """
    if isinstance(tree, Call):
        return ""
    put = _Putting(named, tree).opened(tree, spot)
    if isinstance(put, Const) or (isinstance(put, Printed) and put.alone):
        return ""
    with np.errstate(all="ignore"):
        again = put.value
    if not np.allclose(again, recorded, rtol=max(near, 1e-3), atol=1e-6, equal_nan=True):
        return ""
    found = text(put)
    return found if len(found) <= LONGEST else text(_shallow(tree, spot))


def figure(value: Any) -> Printed:
    """Return a recorded number as a tree, printed."""
    one = np.asarray(value)[()]
    written = number(float(one)) if one.dtype.kind == "f" else str(one)
    return Printed(written, SIGN if written.startswith("-") else ATOM, one, alone=True)


class _Putting:
    """Replaces the parts of a tree by their numbers for one element."""

    def __init__(self, named: Container[Tree], root: Tree) -> None:
        self.named = named
        self.root = root

    def opened(self, tree: Tree, spot: Spot) -> Tree:
        """Return a matrix product or sum as its terms, also below moves, or combined with plain numbers."""
        if isinstance(tree, Move):
            return self.opened(tree.parts[0], tree.origin(*spot))
        if isinstance(tree, Cast) and tree.dtype.kind == tree.parts[0].dtype.kind:
            return self.opened(tree.parts[0], spot)
        if isinstance(tree, Matmul):
            row, column = tree.factors(*spot)
            pairs = zip(row[:MOST_TERMS], column[:MOST_TERMS])
            return _sum_of([f"{_factor(a)} * {_factor(b)}" for a, b in pairs], len(row), np.sum(row * column))
        if isinstance(tree, Scatter):
            found = tree.arriving(*spot)
            return _sum_of([_factor(one) for one in found[:MOST_TERMS]], len(found), found.sum())
        if isinstance(tree, Reduce) and tree.kind in ("sum", "mean"):
            return self.terms(tree, spot)
        if isinstance(tree, Apply) and sum(not isinstance(part, Const) for part in tree.parts) == 1:
            return Apply(tree.function, *[_put(part, spot, self.opened) for part in tree.parts])
        return self.single(tree, spot)

    def terms(self, tree: Reduce, spot: Spot) -> Tree:
        """Return a reduction with its elements written out; an elementwise one with the numbers of each."""
        inner, count = tree.parts[0], tree.count
        shown = count if count <= MOST_TERMS else SHOWN_TERMS
        elements = tree.elements(*spot)
        values = np.ravel(inner.value)[elements]
        put = [self.single(inner, np.unravel_index(place, inner.shape)) for place in elements[:shown]]
        written = [_factor(one.number) if isinstance(one, Printed) else text(one) for one in put]
        if sum(map(len, written)) > LONGEST or any(not _is_term(one) for one in put):
            written = [_factor(value) for value in values[:shown]]
        total = _sum_of(written, count, values.sum())
        return total if tree.kind == "sum" else Apply(np.divide, total, Const(count))

    def single(self, tree: Tree, spot: Spot) -> Tree:
        """Return the tree with each part replaced by its number at one place."""
        if tree in self.named and tree is not self.root:
            return figure(tree.at(*spot))
        if isinstance(tree, Move):
            return self.single(tree.parts[0], tree.origin(*spot))
        if isinstance(tree, Apply):
            put = [_put(part, spot, self.single) for part in tree.parts]
            if tree.dtype.kind == "f" and tree.name != "where":  # a named condition counts as 1 or 0
                put = [
                    figure(int(one.number)) if one.dtype.kind == "b" and isinstance(one, Printed) else one
                    for one in put
                ]
            return Apply(tree.function, *put)
        if isinstance(tree, Const):
            return Const(tree.number)
        return figure(tree.at(*spot))


def _put(part: Tree, spot: Spot, how: Callable[[Tree, Spot], Tree]) -> Tree:
    return Const(part.number) if isinstance(part, Const) else how(part, aligned(spot, part.shape))


def _is_term(put: Tree) -> bool:
    """Return whether a term needs no brackets in a sum."""
    return isinstance(put, Printed) or (isinstance(put, Apply) and put.name in ("multiply", "divide"))


def _factor(value: Any) -> str:
    """Return a number as a factor: a negative one in brackets."""
    put = figure(value)
    return put.written if put.level == ATOM else f"({put.written})"


def _sum_of(terms: list[str], count: int, total: Any) -> Tree:
    """Return a sum as a tree; of many terms the first ones, and their count."""
    if not terms or (len(terms) == 1 and " " not in terms[0]):
        return figure(total)
    if count > MOST_TERMS:
        terms = [*terms[:SHOWN_TERMS], f"... ({count} terms)"]
    written = _FIRST.sub(r"\1", terms[0])
    for term in terms[1:]:
        written += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
    return Printed(written, SUM if len(terms) > 1 else PRODUCT, total)


def _shallow(tree: Tree, spot: Spot) -> Tree:
    """Return the outermost function with each argument replaced by one number."""
    while isinstance(tree, (Move, Cast)):
        spot = tree.origin(*spot) if isinstance(tree, Move) else spot
        tree = tree.parts[0]
    if not isinstance(tree, Apply):
        return figure(tree.at(*spot))
    return Apply(
        tree.function, *[_put(part, spot, lambda one, at: figure(one.at(*at))) for part in tree.parts]
    )
