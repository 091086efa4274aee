"""What a data type can hold, and tensors made of what others have: finfo, iinfo, from_numpy, as_tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.engine.core.dtype import DTYPES, as_numpy
from minipaddle.engine.core.errors import failure


class finfo:
    """Limits of a type of floats or complex numbers.

    Attributes:
        bits: how many bits a number takes.
        dtype: name of the type.
        eps: the step from 1 to the next number.
        max: the greatest number.
        min: the smallest number.
        resolution: the decimal resolution.
        smallest_normal: the smallest positive number with full precision; also `tiny`.
    """

    def __init__(self, dtype: Any) -> None:
        found = np.finfo(as_numpy(dtype))
        self.bits = int(found.bits)
        self.dtype = str(found.dtype)
        self.eps, self.max, self.min = float(found.eps), float(found.max), float(found.min)
        self.resolution = float(found.resolution)
        self.smallest_normal = self.tiny = float(found.tiny)

    def __repr__(self) -> str:
        return (
            f"paddle.finfo(min={self.min:g}, max={self.max:g}, eps={self.eps:g}, resolution={self.resolution:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, bits={self.bits}, dtype={self.dtype})"
        )


class iinfo:
    """Limits of a type of integers.

    Attributes:
        bits: how many bits a number takes.
        dtype: name of the type.
        max: the greatest number.
        min: the smallest number.
    """

    def __init__(self, dtype: Any) -> None:
        wanted = as_numpy(dtype)
        if wanted.kind not in "iu":
            names = [repr(one) for one in DTYPES.values() if one.numpy.kind in "iu"]
            raise failure(ValueError, f"the argument of paddle.iinfo can only be {', '.join(names)}.")
        found = np.iinfo(wanted)
        self.bits, self.dtype = int(found.bits), str(found.dtype)
        self.max, self.min = int(found.max), int(found.min)

    def __repr__(self) -> str:
        return f"paddle.iinfo(min={self.min}, max={self.max}, bits={self.bits}, dtype={self.dtype})"


def from_numpy(ndarray: Any) -> Any:
    """Return a tensor with the numbers of an array.

    Raises:
        TypeError: for something else.
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(
            f"The input type of from_numpy() must be numpy.ndarray, but received {type(ndarray)}."
        )
    return to_tensor(ndarray)


def as_tensor(
    data: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Any:
    """Return what :func:`paddle.to_tensor` makes of `data`, wanting a gradient if `requires_grad`."""
    return to_tensor(data, dtype=dtype, stop_gradient=not requires_grad)


def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False
) -> Any:
    """Return what :func:`paddle.to_tensor` makes of `obj`, wanting a gradient if `requires_grad`."""
    return as_tensor(obj, dtype, device, requires_grad)
