"""Size and TensorSize: the types of ``Tensor.shape`` and ``Tensor.size``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


class Size(list[int]):
    """A shape: a list of sizes that also compares equal to a tuple, and adds to one, as ``paddle.Size`` does."""

    __slots__ = ()

    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape."""
        return math.prod(self)

    def __eq__(self, other: object) -> bool:
        return list.__eq__(self, list(other) if isinstance(other, tuple) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __add__(self, other: Any) -> Any:
        return Size([*self, *other]) if isinstance(other, (list, tuple)) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return Size([*other, *self]) if isinstance(other, (list, tuple)) else NotImplemented

    def __mul__(self, times: Any) -> Size:
        return Size(list.__mul__(self, times))

    __rmul__ = __mul__

    def __getitem__(self, index: Any) -> Any:
        found = list.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found

    def __repr__(self) -> str:
        return f"paddle.Size({list.__repr__(self)})"


class TensorSize(int):
    """A number of elements, which can also be called: as ``x.size`` it is read, as ``x.size(0)`` it is asked."""

    def __new__(cls, shape: Sequence[int]) -> TensorSize:
        """Return the number of elements of a tensor of this shape."""
        return super().__new__(cls, math.prod(shape))

    def __init__(self, shape: Sequence[int]) -> None:
        self.as_shape = Size(shape)

    def __call__(self, dim: Any = None) -> Any:
        """Return the size of the axis `dim`; without it, of all axes."""
        return self.as_shape if dim is None else self.as_shape[dim]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Count as an int does in NumPy: in the type of the array beside it; a subclass would make it float64."""
        plain = [int(one) if isinstance(one, TensorSize) else one for one in inputs]
        return getattr(ufunc, method)(*plain, **options)

    def __reduce__(self) -> Any:
        return int, (int(self),)  # a checkpoint holds a number, which every version reads
