"""Meta: shape and dtype of a value, without its numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "Attrs", "Meta", "Shape", "Unknown", "meta_of"]

Array = npt.NDArray[Any]
Shape = tuple[int, ...]
Attrs = dict[str, Any]


class Unknown(int):
    """A -1 in a shape argument that stands for a size known later, not for "work it out"."""

    __slots__ = ()


class Meta(NamedTuple):
    """What a shape rule knows of a value: its shape (-1 where it is not known yet) and NumPy dtype."""

    shape: Shape
    dtype: np.dtype[Any]

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)


def meta_of(array: Any) -> Meta:
    """Return the Meta of an array."""
    return Meta(array.shape, array.dtype)
