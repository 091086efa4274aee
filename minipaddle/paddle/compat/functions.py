"""Functions of tensors as PyTorch has them; each is made of Paddle's."""

from __future__ import annotations

from secrets import randbits
from typing import Any, NamedTuple

from minipaddle import ops
from minipaddle.engine.core.dtype.types import promoted
from minipaddle.engine.core.errors import failure
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.linalg.inverse import slogdet as _slogdet
from minipaddle.ops.stat.quantile import median as _median
from minipaddle.ops.stat.quantile import nanmedian as _nanmedian
from minipaddle.paddle.compat.arguments import check_out, not_paddles, put
from minipaddle.paddle.framework import settings


class MedianRetType(NamedTuple):
    """The medians along an axis, and where they are."""

    values: Any
    indices: Any


class SlogdetResult(NamedTuple):
    """The signs of determinants, and the logarithms of their sizes."""

    sign: Any
    logabsdet: Any


class SortRetType(NamedTuple):
    """What is sorted, and where it was."""

    values: Any
    indices: Any


@not_paddles("x y", "equal")
def equal(input: Any, other: Any) -> bool:
    """Return whether two tensors have the same shape and the same entries, whatever their dtypes."""
    if input.dtype != other.dtype:
        dtypes = [numpy_dtype(input), numpy_dtype(other)]
        common = promoted(*([dtype for dtype in dtypes if dtype.kind not in "biu"] or dtypes))
        input, other = input.astype(common), other.astype(common)
    return bool(ops.equal_all(input, other).item())


@not_paddles("x axis", "median")
def median(input: Any, dim: int | None = None, keepdim: bool = False, *, out: Any = None) -> Any:
    """Return the lower median of all, or with `dim` those along an axis and their places."""
    check_out(out, two=dim is not None)
    found = _median(input, axis=dim, keepdim=keepdim, mode="min")
    if dim is None:
        return put(found.astype(input.dtype), out)
    values, places = found
    return put(MedianRetType(values.astype(input.dtype), places), out)


@not_paddles("x axis", "nanmedian")
def nanmedian(input: Any, dim: int | None = None, keepdim: bool = False, *, out: Any = None) -> Any:
    """Return what :func:`median` does, of the entries that are numbers; the place among none is 0."""
    check_out(out, two=dim is not None)
    found = _nanmedian(input, axis=dim, keepdim=keepdim, mode="min")
    if dim is None:
        return put(found.astype(input.dtype), out)
    values, places = found
    return put(MedianRetType(values.astype(input.dtype), ops.maximum(places, ops.zeros_like(places))), out)


def seed() -> int:
    """Return a number that nobody foresees; the random numbers from here on are those after it."""
    number = randbits(63)
    settings.seed(number)
    return number


def slogdet(x: Any, out: Any = None) -> SlogdetResult:
    """Return the signs of the determinants of matrices, and the logarithms of their sizes."""
    found = _slogdet(x)
    result: SlogdetResult = put(SlogdetResult(found[0], found[1]), out)
    return result


@not_paddles("x axis", "sort")
def sort(
    input: Any, dim: int = -1, descending: bool = False, stable: bool = False, out: Any = None
) -> SortRetType:
    """Return the entries along an axis, the smallest first, and where each was."""
    check_out(out, two=True)
    values = ops.sort(input, dim, descending, stable)
    result: SortRetType = put(SortRetType(values, ops.argsort(input, dim, descending, stable)), out)
    return result


@not_paddles("x num_or_sections axis name", "split")
def split(tensor: Any, split_size_or_sections: Any, dim: Any = 0) -> tuple[Any, ...]:
    """Return parts of a tensor: each that long (the last may be shorter), or as long as a list says.

    Raises:
        AssertionError: **must be greater than 0**.
        TypeError: **must be int, list or tuple**.
        ValueError: **non-negative**, **The dim is expected to be in range**.
    """
    axis = int(dim)
    ndim = len(tensor.shape)
    assert axis + ndim >= 0, "(rank(x) + dim) must >= 0"
    if isinstance(split_size_or_sections, list | tuple):
        lengths = [int(length) for length in split_size_or_sections]
        for place, length in enumerate(lengths):
            if length < 0:
                raise failure(
                    ValueError,
                    "paddle.compat.split expects split_sizes have only non-negative entries, "
                    f"but got size = {length} on dim {place}",
                )
        return tuple(ops.split(tensor, lengths, axis))
    if not isinstance(split_size_or_sections, int):
        raise failure(
            TypeError,
            "The type of 'split_size_or_sections' in split must be int, list or tuple in imperative mode, "
            f"but received {type(split_size_or_sections)}.",
        )
    assert split_size_or_sections > 0, "split_size_or_sections must be greater than 0."
    if axis >= ndim:
        raise failure(ValueError, f"The dim is expected to be in range of [-{ndim}, {ndim}), but got {axis}")
    whole, rest = divmod(int(tensor.shape[axis]), split_size_or_sections)
    return tuple(ops.split(tensor, [split_size_or_sections] * whole + [rest] * bool(rest), axis))


@not_paddles("x axis", "unique")
def unique(
    input: Any,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the different entries (or slices along `dim`), and if asked for where they went and how many there are."""
    return ops.unique(input, return_inverse=return_inverse, return_counts=return_counts, axis=dim)
