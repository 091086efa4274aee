"""Meta: shape and dtype of a value, without its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Shape = tuple[int, ...]
Attrs = dict[str, Any]


class Unknown(int):
    """A -1 in a shape argument that stands for a size known later, not for "compute it"."""

    __slots__ = ()


class Meta(NamedTuple):
    """A value as a shape rule sees it: its shape (-1 for an unknown size) and NumPy dtype."""

    shape: Shape
    dtype: np.dtype[Any]

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    def fits(self, other: Meta) -> bool:
        """Return whether the shapes may be equal; see :func:`sizes_fit`."""
        return sizes_fit(self.shape, other.shape)


def sizes_fit(one: Shape, other: Shape) -> bool:
    """Return whether two shapes may be equal: -1 stands for any size.

    >>> sizes_fit((2, 3), (-1, 3)), sizes_fit((2, 3), (3,))
    (True, False)
    """
    return len(one) == len(other) and all(a == b or -1 in (a, b) for a, b in zip(one, other, strict=True))


def meta_of(array: Any) -> Meta:
    """Return the Meta of an array."""
    return Meta(array.shape, array.dtype)


@dataclass(frozen=True)
class CPUPlace:
    """The only device, the CPU."""

    def is_cpu_place(self) -> bool:
        """Return True."""
        return True

    def is_gpu_place(self) -> bool:
        """Return False."""
        return False

    def __repr__(self) -> str:
        return "Place(cpu)"
