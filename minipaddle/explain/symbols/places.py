"""Trees of the same elements in other places: reshape, transpose, broadcast, index, and the opposite of an index."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.meta import Array, Shape
from minipaddle.explain.symbols.tree import Const, Places, Tree, aligned


class Move(Tree):
    """The same elements in other places."""

    def origin(self, *places: Any) -> Places:
        """Return the places in the part that the elements at `places` come from."""
        raise NotImplementedError

    def at(self, *places: Any) -> Any:
        """Return the elements where they come from."""
        found = self.parts[0].at(*self.origin(*places))
        return np.broadcast_to(found, np.broadcast_shapes(*[np.shape(place) for place in places]))


class Reshape(Move):
    """The same elements in the same order, under another shape."""

    def __init__(self, part: Tree, shape: Shape) -> None:
        super().__init__(shape, part.dtype, (part,))

    def compute(self, *values: Any) -> Any:
        """Reshape the whole array."""
        return np.reshape(values[0], self.shape)

    def origin(self, *places: Any) -> Places:
        """Count the elements before, and divide by the other shape."""
        flat = np.ravel_multi_index(tuple(np.broadcast_arrays(*places)), self.shape) if places else 0
        return tuple(np.unravel_index(flat, self.parts[0].shape)) if self.parts[0].shape else ()


class Transpose(Move):
    """The axes in another order: axis ``perm[i]`` of the part is axis i."""

    def __init__(self, part: Tree, perm: tuple[int, ...]) -> None:
        super().__init__(tuple([part.shape[axis] for axis in perm]), part.dtype, (part,))
        self.perm = perm

    def compute(self, *values: Any) -> Any:
        """Transpose the whole array."""
        return np.transpose(values[0], self.perm)

    def origin(self, *places: Any) -> Places:
        """Put the indices in the order of the part."""
        return tuple([places[self.perm.index(axis)] for axis in range(len(places))])


class Broadcast(Move):
    """Axes of size 1, or none, repeated."""

    def __init__(self, part: Tree, shape: Shape) -> None:
        super().__init__(shape, part.dtype, (part,))

    def compute(self, *values: Any) -> Any:
        """Repeat the whole array."""
        return np.broadcast_to(values[0], self.shape)

    def origin(self, *places: Any) -> Places:
        """Drop the indices of what is repeated."""
        return aligned(places, self.parts[0].shape)


class Index(Move):
    """Elements picked by numbers, slices, and integer or bool trees; `key` has one item per index as in Python."""

    def __init__(self, part: Tree, key: tuple[Any, ...]) -> None:
        self.key = key
        basic = not any(isinstance(item, Tree) for item in key)
        self.source = np.arange(part.size).reshape(part.shape)[self._plain()]
        self.basic = basic
        super().__init__(
            self.source.shape, part.dtype, (part, *[item for item in key if isinstance(item, Tree)])
        )

    def _plain(self) -> tuple[Any, ...]:
        return tuple([np.asarray(item.value) if isinstance(item, Tree) else item for item in self.key])

    def compute(self, *values: Any) -> Any:
        """Index the whole array."""
        return np.asarray(values[0])[self._plain()]

    def origin(self, *places: Any) -> Places:
        """Look up where the elements come from."""
        return tuple(np.unravel_index(self.source[places], self.parts[0].shape))


class Scatter(Tree):
    """Zeros of a `shape` to which the elements of the part are added at the places of an index."""

    def __init__(self, part: Tree, key: tuple[Any, ...], shape: Shape) -> None:
        self.index = Index(Const(0.0, shape, part.dtype), key)
        super().__init__(shape, part.dtype, (part, *self.index.parts[1:]))

    def compute(self, *values: Any) -> Any:
        """Add up, in the order of the places."""
        found = np.zeros(self.size, self.dtype)
        np.add.at(
            found, self.index.source.reshape(-1), np.broadcast_to(values[0], self.index.shape).reshape(-1)
        )
        return found.reshape(self.shape)

    def arriving(self, *places: Any) -> Array:
        """Return the elements that are added at one place."""
        flat = np.ravel_multi_index(places, self.shape) if places else 0
        found = np.nonzero(self.index.source == flat)
        return np.asarray(self.parts[0].at(*aligned(found, self.parts[0].shape)))
