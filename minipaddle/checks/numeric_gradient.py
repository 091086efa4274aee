"""The numeric gradient: elements of an input are moved a little, and the outputs computed again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from minipaddle.core.meta import Array

_ALL = 256
"""Up to so many elements of an input are all moved; of larger ones, some, and all together."""
_SOME = 64

Weighted = Callable[[Sequence[Array]], Array]
"""From the differentiable inputs to all elements of the outputs in a row, each times the gradient that came in."""


class Slope(NamedTuple):
    """How much all outputs together change when an input is moved."""

    total: float
    kink: float
    """How much the slopes to both sides differ."""
    parts: float
    """The sum of the changes without their signs: what cancels in the total cannot be right to more digits."""


class Slopes:
    """The numeric gradient for one input, at the elements that were moved."""

    def __init__(self, function: Weighted, arrays: Sequence[Array], which: int, step: float) -> None:
        self.function, self.arrays, self.which = function, arrays, which
        self.array = arrays[which]
        self.here = function(arrays)
        self.spots = _spots(self.array)
        self.step = step
        self.found = [self._slope(spot) for spot in self.spots]

    @property
    def whole(self) -> Array | None:
        """All of it, if every element was moved."""
        if len(self.spots) < self.array.size:
            return None
        return np.array([slope.total for slope in self.found]).reshape(self.array.shape)

    def along(self, direction: Array) -> Slope:
        """Return the slope when every element is moved at once."""
        return self._between(direction, self.step * max(1.0, float(np.abs(self.array).max(initial=0))))

    def _slope(self, spot: tuple[int, ...]) -> Slope:
        alone = np.zeros_like(self.array)
        alone[spot] = 1
        return self._between(alone, self.step * max(1.0, abs(float(self.array[spot]))))

    def _between(self, direction: Array, size: float) -> Slope:
        up, down = (
            sign * (self._at(self.array + sign * size * direction) - self.here) / size for sign in (1, -1)
        )
        rounding = 8 * float(np.finfo(self.array.dtype).eps) * abs(float(self.here.sum())) / size
        kink = float(np.abs(up - down).sum()) - rounding
        return Slope(float((up + down).sum()) / 2, kink, float(np.abs(up + down).sum()) / 2)

    def _at(self, array: Array) -> Array:
        return self.function([*self.arrays[: self.which], array, *self.arrays[self.which + 1 :]])


def _spots(array: Array) -> list[tuple[int, ...]]:
    if array.size <= _ALL:
        return list(np.ndindex(array.shape))
    chosen = np.random.default_rng(0).choice(array.size, _SOME, replace=False)
    return [tuple(int(i) for i in np.unravel_index(flat, array.shape)) for flat in sorted(chosen)]
