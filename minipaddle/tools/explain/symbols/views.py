"""Trees of the same elements in other places: reshape, transpose, broadcast, index, and scatter, its inverse."""

from functools import cached_property
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array, Shape
from minipaddle.tools.explain.symbols.tree import Const, Spot, Tree


class Move(Tree):
    """The same elements in other places."""

    @cached_property
    def origins(self) -> list[Array]:
        """For each axis of the part, the places along it from which the elements come."""
        shape = self.parts[0].shape
        along = np.indices(shape, sparse=True)
        return [np.asarray(self.run(np.broadcast_to(one, shape))) for one in along]

    def origin(self, *spot: int) -> Spot:
        """Return the place in the part from which the element at `spot` comes."""
        return tuple([along[spot] for along in self.origins])

    @property
    def source(self) -> Array:
        """The flat places in the part from which the elements come."""
        part = self.parts[0]
        return np.asarray(self.run(np.arange(part.size).reshape(part.shape)))


class Reshape(Move):
    """The same elements in the same order, under another shape."""

    def __init__(self, part: Tree, shape: Shape) -> None:
        super().__init__(shape, part.dtype, (part,), lambda whole: np.reshape(whole, shape))


class Transpose(Move):
    """The axes in another order: axis ``perm[i]`` of the part is axis i."""

    def __init__(self, part: Tree, perm: tuple[int, ...]) -> None:
        shape = tuple([part.shape[axis] for axis in perm])
        super().__init__(shape, part.dtype, (part,), lambda whole: np.transpose(whole, perm))
        self.perm = perm


class Broadcast(Move):
    """Axes of size 1, or none, repeated."""

    def __init__(self, part: Tree, shape: Shape) -> None:
        super().__init__(shape, part.dtype, (part,), lambda whole: np.broadcast_to(whole, shape))


class Index(Move):
    """Elements picked by numbers, slices, and integer or bool trees; `key` has one item per index as in Python."""

    def __init__(self, part: Tree, key: tuple[Any, ...]) -> None:
        self.key = key
        self.trees = [item for item in key if isinstance(item, Tree)]
        shape = np.broadcast_to(np.empty(()), part.shape)[self.plain].shape
        super().__init__(
            shape, part.dtype, (part, *self.trees), lambda whole, *keys: np.asarray(whole)[self.plain]
        )

    @property
    def plain(self) -> tuple[Any, ...]:
        """The key with the values of its trees, as arrays."""
        return tuple([np.asarray(item.value) if isinstance(item, Tree) else item for item in self.key])


class Scatter(Tree):
    """Zeros of a `shape` to which the elements of the part are added at the places of an index."""

    def __init__(self, part: Tree, key: tuple[Any, ...], shape: Shape) -> None:
        self.index = Index(Const(0.0, shape, part.dtype), key)
        super().__init__(shape, part.dtype, (part, *self.index.trees), self._added_up)

    def _added_up(self, values: Any, *keys: Any) -> Any:
        """Return the sums, added in the order of the places."""
        found = np.zeros(self.shape, self.dtype)
        np.add.at(found, self.index.plain, values)
        return found

    def arriving(self, *spot: int) -> Array:
        """Return the elements that are added at one place."""
        here = np.ones(self.index.shape, bool)
        for along, place in zip(self.index.origins, spot):
            here &= along == place
        return np.broadcast_to(self.parts[0].value, self.index.shape)[here]
