"""What operators and NumPy's functions mean in a program, where a formula would show them by their names.

A reading here says what the kernel gives for any numbers, in terms of what a program can compute; that it does is
seen at once: an event must give what was recorded, and the tests run each operator in a browser on other numbers.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.meta import Shape
from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.symbol import MORE, Symbol, Unreadable, tree_of
from minipaddle.tools.explain.symbols.tree import Tree, undecided


class Instruction(Tree):
    """A tree that is one instruction: its `kind`, and the numbers of its parts."""

    def __init__(
        self, kind: str, shape: Shape, dtype: Any, parts: Sequence[Tree], run: Callable[..., Any]
    ) -> None:
        super().__init__(shape, dtype, tuple(parts), run)
        self.kind = kind


def pick(part: Tree, places: Tree) -> Tree:
    """Return the elements of a part at places, counted along memory, that may change."""
    return Instruction(
        "pick", places.shape, part.dtype, [part, places], lambda x, at: np.ravel(x)[np.asarray(at)]
    )


def put(part: Tree, places: Tree, shape: Shape) -> Tree:
    """Return zeros of a shape, to which the elements of a part are added at places that may change."""

    def run(x: Any, at: Any) -> Any:
        found = np.zeros(int(np.prod(shape)), part.dtype)
        np.add.at(found, np.ravel(at), np.ravel(x))
        return found.reshape(shape)

    return Instruction("put", shape, part.dtype, [part, places], run)


def join(parts: Sequence[Tree]) -> Tree:
    """Return all elements of several parts in a row."""

    def run(*values: Any) -> Any:
        return np.concatenate(
            [np.ravel(np.broadcast_to(one, part.shape)) for one, part in zip(values, parts)]
        )

    dtype = np.result_type(*[part.dtype for part in parts])
    return Instruction("join", (sum(part.size for part in parts),), dtype, parts, run)


@contextmanager
def for_any_numbers() -> Iterator[None]:
    """Within the ``with`` block, what is read holds for any numbers, and may be anything that a program has."""
    token = MORE.set(READINGS)
    try:
        with undecided():
            yield
    finally:
        MORE.reset(token)


def _flat_places(index: Any, axis: int, shape: Shape) -> Symbol:
    """Return where in memory of an array of `shape` the elements are that `index` means along an axis."""
    axis %= len(shape)
    strides = [math.prod(shape[one + 1 :]) for one in range(len(shape))]
    grid = np.ogrid[tuple(slice(size) for size in index.shape)]
    others: Any = sum(
        (place * stride for one, (place, stride) in enumerate(zip(grid, strides)) if one != axis),
        np.zeros((1,) * len(shape), np.int64),
    )
    within = Symbol(tree_of(index)) % shape[axis] if shape[axis] else Symbol(tree_of(index))
    found: Symbol = within * strides[axis] + np.broadcast_to(others, index.shape)
    return found


def _along(x: Any, index: Any, axis: int) -> Symbol:
    return Symbol(pick(tree_of(x), _flat_places(index, axis, x.shape).tree))


def _add_along(x: Any, index: Any, axis: int, shape: Any, distinct: bool = False) -> Symbol:
    places = _flat_places(index, axis, tuple(shape))
    return Symbol(put(shape_rules.broadcast(tree_of(x), index.shape), places.tree, tuple(shape)))


def _take(x: Symbol, index: Any, axis: int = 0) -> Symbol:
    picked: Symbol = x[(slice(None),) * (axis % x.ndim) + (np.asarray(index),)]
    return picked


def _concatenated(x: Sequence[Any], axis: int = 0) -> Symbol:
    """Read a concatenation: all elements in a row, in their places."""
    trees = [tree_of(one) for one in x]
    starts = np.cumsum([0, *(tree.size for tree in trees)])
    own = [start + np.arange(tree.size).reshape(tree.shape) for start, tree in zip(starts, trees)]
    return Symbol(shape_rules.index(join(trees), (tree_of(np.concatenate(own, axis)),)))


def _stacked(x: Sequence[Any], axis: int = 0) -> Symbol:
    ndim = x[0].ndim + 1
    shape = list(x[0].shape)
    shape.insert(axis % ndim, 1)
    return _concatenated([one.reshape(tuple(shape)) for one in x], axis % ndim)


def _bce(x: Any, label: Any) -> Any:
    """Read the loss without the question whether these are probabilities: of what is none the logarithm is NaN."""
    return -(label * np.maximum(np.log(x), -100) + (1 - label) * np.maximum(np.log(1 - x), -100))


def _copysign(x: Any, y: Any) -> Any:
    """Read the sign of 1 / y, which knows that of a zero. Raises Unreadable for whole numbers."""
    if np.result_type(x.dtype, y.dtype).kind != "f":
        raise Unreadable("the sign of a whole number")
    negative = np.where(y == 0, 1 / y, y) < 0
    return np.where(negative, -np.abs(x), np.abs(x))


def _of_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Read an operator that takes a list through the function of it."""
    return lambda *x, axis=0: function(x, axis)


READINGS: dict[Any, Callable[..., Any]] = {
    np.take: _take,
    np.take_along_axis: _along,
    np.concatenate: _concatenated,
    np.stack: _stacked,
    "take_along_axis": _along,
    "add_along_axis": _add_along,
    "concat": _of_arrays(_concatenated),
    "stack": _of_arrays(_stacked),
    "bce_loss": _bce,
    "cast": lambda x, dtype: x.astype(as_numpy(dtype)),
    "copysign": _copysign,
}
"""Functions of NumPy, and types of operators."""
