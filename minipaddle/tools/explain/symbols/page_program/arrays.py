"""Trees that a program has beyond those of formulas: what depends on the order of numbers, or runs along an axis.

Each is one instruction of the same name, which says what it gives; text shows such operators by their names.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Shape
from minipaddle.tools.explain.symbols.tree import Tree

_INT64 = np.dtype("int64")


class Instruction(Tree):
    """A tree that is one instruction: its `kind`, the numbers of its parts, and `options` as JSON has them."""

    kind: str
    options: tuple[Any, ...] = ()


class Order(Instruction):
    """The places along the last axis that put the elements in order; equal ones keep theirs, NaN is the largest."""

    kind = "order"

    def __init__(self, part: Tree, descending: bool) -> None:
        super().__init__(part.shape, _INT64, (part,))
        self.options = (descending,)

    def compute(self, *values: Any) -> Any:
        """Sort the places."""
        if not self.options[0]:
            return np.argsort(values[0], -1, kind="stable")
        backwards = np.flip(np.argsort(np.flip(values[0], -1), -1, kind="stable"), -1)
        return self.shape[-1] - 1 - backwards


class Pick(Instruction):
    """The elements of a part at places, counted along memory, that may change."""

    kind = "pick"

    def __init__(self, part: Tree, places: Tree) -> None:
        super().__init__(places.shape, part.dtype, (part, places))

    def compute(self, *values: Any) -> Any:
        """Pick them."""
        return np.ravel(values[0])[np.asarray(values[1])]


class Put(Instruction):
    """Zeros of a shape, to which the elements of a part are added at places that may change."""

    kind = "put"

    def __init__(self, part: Tree, places: Tree, shape: Shape) -> None:
        super().__init__(shape, part.dtype, (part, places))

    def compute(self, *values: Any) -> Any:
        """Add them."""
        found = np.zeros(self.size, self.dtype)
        np.add.at(found, np.ravel(values[1]), np.ravel(values[0]))
        return found.reshape(self.shape)


class Join(Instruction):
    """All elements of several parts in a row."""

    kind = "join"

    def __init__(self, parts: Sequence[Tree]) -> None:
        dtype = np.result_type(*[part.dtype for part in parts])
        super().__init__((sum(part.size for part in parts),), dtype, tuple(parts))

    def compute(self, *values: Any) -> Any:
        """Join them."""
        return np.concatenate(
            [np.ravel(np.broadcast_to(one, part.shape)) for one, part in zip(values, self.parts)]
        )


class Recurrence(Instruction):
    """``s[i] = y[i] + x[i] * s[i - 1]`` along the last axis; the first is ``y[0]``."""

    kind = "recurrence"

    def __init__(self, x: Tree, y: Tree) -> None:
        super().__init__(y.shape, y.dtype, (x, y))

    def compute(self, *values: Any) -> Any:
        """Go along."""
        x, out = np.broadcast_to(values[0], self.shape), np.array(np.broadcast_to(values[1], self.shape))
        for place in range(1, self.shape[-1]):
            out[..., place] += x[..., place] * out[..., place - 1]
        return out
