"""Operators and NumPy functions as program instructions, where a formula would show them by name.

A reading defines the kernel's result for any numbers, by the program's functions. Mistakes in it
show at once: an event must reproduce its recording, and the tests run each operator in a browser on other numbers.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.meta import Shape
from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.symbol import MORE, Symbol, Unreadable, take, tree_of
from minipaddle.tools.explain.symbols.tree import Tree, undecided


class Instruction(Tree):
    """A tree for one instruction: its `kind`, and its parts."""

    def __init__(
        self, kind: str, shape: Shape, dtype: Any, parts: Sequence[Tree], run: Callable[..., Any]
    ) -> None:
        super().__init__(shape, dtype, tuple(parts), run)
        self.kind = kind


def pick(part: Tree, places: Tree) -> Tree:
    """Return the elements of a part at changeable places, which count along memory."""
    return Instruction(
        "pick", places.shape, part.dtype, [part, places], lambda x, at: np.ravel(x)[np.asarray(at)]
    )


def put(part: Tree, places: Tree, shape: Shape) -> Tree:
    """Return zeros of a shape, to which the elements of a part are added at changeable places."""

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
    """A ``with`` block in which readings hold for any numbers, and may use all instructions of a program."""
    token = MORE.set(READINGS)
    try:
        with undecided():
            yield
    finally:
        MORE.reset(token)


def _flat_places(index: Any, axis: int, shape: Shape) -> Symbol:
    """Return the places in memory of the elements that `index` selects along an axis of an array of `shape`."""
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


def _concatenated(x: Sequence[Any], axis: int = 0) -> Symbol:
    """Read a concatenation: all elements in a row, then put in order."""
    trees = [tree_of(one) for one in x]
    starts = np.cumsum([0, *(tree.size for tree in trees)])
    own = [start + np.arange(tree.size).reshape(tree.shape) for start, tree in zip(starts, trees)]
    return Symbol(shape_rules.index(join(trees), (tree_of(np.concatenate(own, axis)),)))


def _stacked(x: Sequence[Any], axis: int = 0) -> Symbol:
    return _concatenated([np.expand_dims(one, axis) for one in x], axis)


def _bce(x: Any, label: Any) -> Any:
    """Read the loss without its check of probabilities: outside of 0 to 1 the logarithm is NaN."""
    return -(label * np.maximum(np.log(x), -100) + (1 - label) * np.maximum(np.log(1 - x), -100))


def _copysign(x: Any, y: Any) -> Any:
    """Read the sign from 1 / y, which shows the sign of a zero. Raises Unreadable for integers."""
    if np.result_type(x.dtype, y.dtype).kind != "f":
        raise Unreadable("the sign of a whole number")
    negative = np.where(y == 0, 1 / y, y) < 0
    return np.where(negative, -np.abs(x), np.abs(x))


def _of_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Read an operator with a list input by a function of that list."""
    return lambda *x, axis=0: function(x, axis)


READINGS: dict[Any, Callable[..., Any]] = {
    np.take: lambda x, index, axis=0: take(x, np.asarray(index), axis),
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
"""Readings by NumPy function, or by operator type."""
