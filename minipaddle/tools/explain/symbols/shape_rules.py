"""Build trees in their most readable form: each function returns a tree with the same numbers.

Moves, products and reductions without effect are left out, two in a row become one, and a batch that was
flattened for the sake of speed is shown as a batch. :func:`apply` builds functions of single elements: ``x * 1`` is
``x``, ``x * (1 / y)`` is ``x / y``, ``a + -b`` is ``a - b``, a choice by 0 and 1 is a ``where``. These rules are found
by the NumPy function that they simplify; they are in :mod:`~minipaddle.tools.explain.symbols.arithmetic`. They hold
for finite numbers; a tree that must hold for any numbers stays unsimplified.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Shape
from minipaddle.tools.explain.symbols.tree import Apply, Cast, Const, Matmul, Reduce, Tree, is_exact
from minipaddle.tools.explain.symbols.views import Broadcast, Index, Move, Reshape, Transpose


def without_cast(tree: Tree) -> Tree:
    """Return a tree without its cast between float types: a formula does not show those.

    A tree that must hold for any numbers keeps the cast: a narrower type rounds, and overflows earlier.
    """
    while not is_exact() and isinstance(tree, Cast) and tree.dtype.kind == tree.parts[0].dtype.kind == "f":
        tree = tree.parts[0]
    return tree


def cast(part: Tree, dtype: Any) -> Tree:
    """Return the numbers as `dtype`: no cast for equal types, one cast in place of two."""
    dtype = np.dtype(dtype)
    if part.dtype == dtype and not (isinstance(part, Const) and part.weak):
        return part
    if isinstance(part, Const):
        return Const(np.asarray(part.number).astype(dtype), part.shape, dtype)
    return Cast(without_cast(part), dtype)


def reshape(part: Tree, shape: Shape) -> Tree:
    """Return the elements under another shape: no reshape for an equal shape, one in place of several."""
    if -1 in shape:
        rest = math.prod([size for size in shape if size != -1])
        shape = tuple([part.size // rest if size == -1 else size for size in shape])
    shape = tuple([int(size) for size in shape])
    if isinstance(part, Reshape):
        return reshape(part.parts[0], shape)
    if part.shape == shape:
        return part
    return _batched(part, shape) or _kept(part, shape) or _inside(part, shape) or _moved(Reshape(part, shape))


def _moved(move: Move) -> Tree:
    """Return a move; for a number that fills its part, the number in the new shape."""
    part = move.parts[0]
    return Const(part.number, move.shape, part.dtype) if isinstance(part, Const) else move


def _batched(part: Tree, shape: Shape) -> Tree | None:
    """Return ``x @ y`` for a product whose rows were flattened before and are unfolded now."""
    if not isinstance(part, Matmul):
        return None
    left, right = part.parts
    if _is_line(right) and right.shape[1:] == (1,) and shape == left.shape[:-1]:
        return Matmul(left, right.parts[0])
    if _is_line(left) and left.shape[:1] == (1,) and shape == right.shape[1:]:
        return Matmul(left.parts[0], right)
    if isinstance(left, Reshape) and left.ndim == right.ndim == 2 and shape[-1:] == right.shape[-1:]:
        whole = left.parts[0]
        if whole.shape == (*shape[:-1], right.shape[0]):
            return Matmul(whole, right)
    return None


def _inside(part: Tree, shape: Shape) -> Tree | None:
    """Give axes of size 1 to the parts of an elementwise function, if broadcasting needs them."""
    if (
        not isinstance(part, Apply)
        or not part.shape
        or [size for size in shape if size != 1] != [size for size in part.shape if size != 1]
    ):
        return None
    if all(one.shape == part.shape or not one.shape for one in part.parts):
        return Apply(part.function, *[reshape(one, shape) if one.shape else one for one in part.parts])
    narrower = Apply(part.function, *map(narrow, part.parts))
    return narrower if narrower.shape == shape else None


def _kept(part: Tree, shape: Shape) -> Tree | None:
    """Return a reduction with its axes kept, if they are put back later; or without them, for the reverse."""
    if not isinstance(part, Reduce):
        return None
    other = Reduce(part.kind, part.parts[0], part.axes, not part.keepdims, part.typed.get("dtype"))
    return other if other.shape == shape else None


def transpose(part: Tree, perm: tuple[int, ...]) -> Tree:
    """Return the axes in another order: no transpose for the same order, one in place of several."""
    perm = tuple([int(axis) % part.ndim for axis in perm])
    if isinstance(part, Transpose):
        return transpose(part.parts[0], tuple([part.perm[axis] for axis in perm]))
    if perm == tuple(range(part.ndim)):
        return part
    if isinstance(part, Reshape) and sorted(big := [axis for axis in perm if part.shape[axis] != 1]) == big:
        return reshape(part, tuple([part.shape[axis] for axis in perm]))
    return _moved(Transpose(part, perm))


def broadcast(part: Tree, shape: Shape) -> Tree:
    """Return axes repeated: no broadcast for an equal shape, one in place of several."""
    shape = tuple([int(size) for size in shape])
    if isinstance(part, Broadcast):
        return broadcast(part.parts[0], shape)
    if part.shape == shape:
        return part
    return _moved(Broadcast(part, shape))


def index(part: Tree, key: tuple[Any, ...]) -> Tree:
    """Return the elements that Python's index selects: no index if it selects all, a reshape if it only adds axes."""
    if all(item in (None, Ellipsis, slice(None)) for item in key):
        return reshape(part, np.broadcast_to(np.empty(()), part.shape)[key].shape)
    return _moved(Index(part, key))


def narrow(part: Tree) -> Tree:
    """Return a part of an elementwise function without an explicit broadcast, which happens anyway."""
    if isinstance(part, Broadcast):
        part = part.parts[0]
    if isinstance(part, Const) and not part.weak:
        return Const(part.number)
    if isinstance(part, Reduce) and part.keepdims and len(part.axes) == part.ndim:
        return Reduce(part.kind, part.parts[0], part.axes, False, part.typed.get("dtype"))
    shape = part.shape
    while shape[:1] == (1,):
        shape = shape[1:]
    if shape == part.shape:
        return part
    if isinstance(part, Reshape):
        return reshape(part, shape)
    inside = _inside(part, shape)
    return part if inside is None or _reshapes(inside) > _reshapes(part) else inside


def _reshapes(tree: Tree) -> int:
    return sum(isinstance(one, Reshape) for one in tree.each())


def _is_line(tree: Tree) -> bool:
    """Whether a row or a column was made from one axis."""
    return isinstance(tree, Reshape) and tree.parts[0].ndim == 1


def matmul(left: Tree, right: Tree) -> Tree:
    """Return a product; for a column and a row an elementwise one, for zeros zeros."""
    left, right = without_cast(left), without_cast(right)
    product = Matmul(left, right)
    both = isinstance(left, Reshape) and isinstance(right, Reshape)
    if both and left.shape[-1:] == (1,) == right.shape[-2:-1]:
        return Apply(np.multiply, left, right.parts[0] if _is_line(right) and left.ndim == 2 else right)
    for part in () if is_exact() else (left, right):
        if isinstance(part, Const) and part.number == 0:
            return Const(0, product.shape, product.dtype)
    return product


def reduce(kind: str, part: Tree, axes: Any, keepdims: bool, dtype: Any = None) -> Tree:
    """Return a reduction along `axes` (None: all): one sum for a sum of sums, none for no axes."""
    if part.ndim == 0:
        return part
    several = range(part.ndim) if axes is None else [axes] if isinstance(axes, (int, np.integer)) else axes
    found = tuple(sorted({int(axis) % part.ndim for axis in several}))
    part = without_cast(part)
    if dtype is not None and np.dtype(dtype) == part.dtype:
        dtype = None
    if all(part.shape[axis] == 1 for axis in found) and kind not in ("all", "any") and dtype is None:
        shape = Reduce(kind, part, found, keepdims).shape
        return reshape(part, shape)
    if isinstance(part, Reshape) and len(found) == part.ndim:
        return reshape(reduce(kind, part.parts[0], None, False, dtype), (1,) * part.ndim if keepdims else ())
    if isinstance(part, Reduce) and kind == part.kind in ("sum", "max", "min"):
        return _merged(part, found, keepdims)
    if isinstance(part, Const) and part.number == 0 and kind in ("sum", "mean", "max", "min"):
        return Const(0, Reduce(kind, part, found, keepdims, dtype).shape, dtype or part.dtype)
    return Reduce(kind, part, found, keepdims, dtype)


def _merged(part: Reduce, axes: tuple[int, ...], keepdims: bool) -> Tree:
    """Return a sum of a sum as one sum."""
    inner = part.parts[0]
    left = [axis for axis in range(inner.ndim) if part.keepdims or axis not in part.axes]
    both = tuple(sorted({*part.axes, *[left[axis] for axis in axes]}))
    dtype = part.typed.get("dtype")
    shape = Reduce(part.kind, part, axes, keepdims).shape
    return reshape(Reduce(part.kind, inner, both, keepdims and part.keepdims, dtype), shape)


Simplification = Callable[..., Tree | None]
RULES: dict[str, Simplification] = {}
"""By NumPy function; None as their answer means no simplification."""


def simplifies(*names: str) -> Callable[[Simplification], Simplification]:
    """Register a rule for calls of NumPy functions with these names."""

    def register(rule: Simplification) -> Simplification:
        RULES.update(dict.fromkeys(names, rule))
        return rule

    return register


def apply(function: Callable[..., Any], *parts: Tree) -> Tree:
    """Return ``function(*parts)``, simplified, except where it must hold for any numbers."""
    parts = tuple([without_cast(part) for part in parts])
    plain = Apply(function, *parts)
    if all(isinstance(part, Const) for part in parts):
        return _folded(plain)
    if is_exact():
        return plain
    narrower = Apply(function, *map(narrow, parts))
    if narrower.shape == plain.shape and narrower.dtype == plain.dtype:
        parts, plain = narrower.parts, narrower
    simpler = RULES[plain.name](*parts) if plain.name in RULES else None
    if (
        simpler is None
        or simpler.dtype.kind != plain.dtype.kind
        or (plain.shape and isinstance(simpler, Const) and simpler.weak)
    ):
        return plain
    if simpler.shape == plain.shape:
        return simpler
    return (reshape if simpler.size == plain.size else broadcast)(simpler, plain.shape)


def _folded(plain: Apply) -> Tree:
    """Return the number computed from constant parts."""
    with np.errstate(all="ignore"):
        number = plain.function(*[part.number for part in plain.parts if isinstance(part, Const)])
    if plain.shape:
        return Const(np.asarray(number).item(), plain.shape, plain.dtype)
    return Const(number.item() if isinstance(number, np.generic) else number)


def same(one: Tree, other: Tree) -> bool:
    """Return whether two trees are the same expression."""
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
    """Return whether a tree is this number."""
    return isinstance(tree, Const) and bool(tree.number == number) and tree.dtype.kind != "b"


def parts_of(tree: Tree, name: str) -> tuple[Tree, ...]:
    """Return the parts of a call of the function `name`; () for other trees."""
    return tree.parts if isinstance(tree, Apply) and tree.name == name else ()
