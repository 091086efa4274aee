"""Trees of the same elements in other places: reshape, transpose, broadcast, index, and scatter, its inverse."""

from abc import abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array, Shape
from minipaddle.tools.explain.symbols.tree import Const, Places, Tree, aligned


class Move(Tree):
    """The same elements in other places."""

    @abstractmethod
    def origin(self, *places: Any) -> Places:
        """Return the places in the part from which the elements at `places` come."""

    def at(self, *places: Any) -> Any:
        """Return the part's elements at the places of origin."""
        found = self.parts[0].at(*self.origin(*places))
        return np.broadcast_to(found, np.broadcast_shapes(*[np.shape(place) for place in places]))


class Reshape(Move):
    """The same elements in the same order, under another shape."""

    def __init__(self, part: Tree, shape: Shape) -> None:
        super().__init__(shape, part.dtype, (part,), lambda whole: np.reshape(whole, shape))

    def origin(self, *places: Any) -> Places:
        """Return the places with the same flat index in the other shape."""
        flat = np.ravel_multi_index(tuple(np.broadcast_arrays(*places)), self.shape) if places else 0
        return tuple(np.unravel_index(flat, self.parts[0].shape)) if self.parts[0].shape else ()


class Transpose(Move):
    """The axes in another order: axis ``perm[i]`` of the part is axis i."""

    def __init__(self, part: Tree, perm: tuple[int, ...]) -> None:
        shape = tuple([part.shape[axis] for axis in perm])
        super().__init__(shape, part.dtype, (part,), lambda whole: np.transpose(whole, perm))
        self.perm = perm

    def origin(self, *places: Any) -> Places:
        """Return the indices in the axis order of the part."""
        return tuple([places[self.perm.index(axis)] for axis in range(len(places))])


class Broadcast(Move):
    """Axes of size 1, or none, repeated."""

    def __init__(self, part: Tree, shape: Shape) -> None:
        super().__init__(shape, part.dtype, (part,), lambda whole: np.broadcast_to(whole, shape))

    def origin(self, *places: Any) -> Places:
        """Drop the indices along repeated axes."""
        return aligned(places, self.parts[0].shape)


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

    @cached_property
    def source(self) -> Array:
        """The flat places of the selected elements."""
        return np.asarray(np.arange(self.parts[0].size).reshape(self.parts[0].shape)[self.plain])

    def origin(self, *places: Any) -> Places:
        """Return the places of the selected elements: the key selects them from the indices along each axis."""
        shape = self.parts[0].shape
        along = [np.broadcast_to(one, shape)[self.plain] for one in np.indices(shape, sparse=True)]
        return tuple([indices[places] for indices in along])


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

    def arriving(self, *places: Any) -> Array:
        """Return the elements that are added at one place."""
        rows, part = self.index.key[0], self.parts[0]
        if len(self.index.key) == 1 and isinstance(rows, Tree) and rows.dtype.kind in "iu" and rows.ndim:
            hits = np.nonzero(np.asarray(rows.value) % self.shape[0] == places[0])
            return np.asarray(part.at(*hits, *places[1:]))
        flat = np.ravel_multi_index(places, self.shape) if places else 0
        hits = np.nonzero(np.atleast_1d(self.index.source == flat))
        return np.broadcast_to(part.at(*aligned(hits, part.shape)), hits[0].shape)

    def at(self, *places: Any) -> Any:
        """Return the sum of the elements added at each of the `places`."""
        several = np.broadcast_arrays(*places)
        found = [self.arriving(*one).sum() for one in zip(*[place.reshape(-1) for place in several])]
        return np.asarray(found, self.dtype).reshape(several[0].shape if several else ())
