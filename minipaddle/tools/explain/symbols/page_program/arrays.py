"""Trees that a program has beyond those of formulas: what depends on the order of numbers, or runs along an axis.

Each is one instruction of the same name, which says what it gives; text shows such operators by their names.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Shape
from minipaddle.tools.explain.symbols.tree import Tree

_INT64 = np.dtype("int64")


class Instruction(Tree):
    """A tree that is one instruction: its `kind`, the numbers of its parts, and `options` as JSON has them."""

    def __init__(
        self,
        kind: str,
        shape: Shape,
        dtype: Any,
        parts: Sequence[Tree],
        run: Callable[..., Any],
        *options: Any,
    ) -> None:
        super().__init__(shape, dtype, tuple(parts))
        self.kind, self.run, self.options = kind, run, options

    def compute(self, *values: Any) -> Any:
        """Run it."""
        return self.run(*values)


def order(part: Tree, descending: bool) -> Tree:
    """Return the places along the last axis that put the elements in order; equal ones stay so, NaN is the largest."""

    def run(x: Any) -> Any:
        if not descending:
            return np.argsort(x, -1, kind="stable")
        return part.shape[-1] - 1 - np.flip(np.argsort(np.flip(x, -1), -1, kind="stable"), -1)

    return Instruction("order", part.shape, _INT64, [part], run, descending)


def pick(part: Tree, places: Tree) -> Tree:
    """Return the elements of a part at places, counted along memory, that may change."""

    def run(x: Any, at: Any) -> Any:
        return np.ravel(x)[np.asarray(at)]

    return Instruction("pick", places.shape, part.dtype, [part, places], run)


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


def recurrence(x: Tree, y: Tree) -> Tree:
    """Return ``s[i] = y[i] + x[i] * s[i - 1]`` along the last axis; the first is ``y[0]``."""

    def run(factors: Any, terms: Any) -> Any:
        factors, out = np.broadcast_to(factors, y.shape), np.array(np.broadcast_to(terms, y.shape))
        for place in range(1, y.shape[-1]):
            out[..., place] += factors[..., place] * out[..., place - 1]
        return out

    return Instruction("recurrence", y.shape, y.dtype, [x, y], run)
