"""The three Fourier transforms that all others are: complex to complex, real to complex, complex to real.

Each is linear. Its gradient is the transform back with the same factor: the factor's name changes sides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Listing, Meta, Shape, Value, failure, listed, operator, real_of
from minipaddle.ops.definition.arguments import axis_in
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.math.complex import real
from minipaddle.ops.nn.pad import pad
from minipaddle.ops.reduction.sum import cast_to

OTHER_SIDE: dict[str, Any] = {"backward": "forward", "forward": "backward", "ortho": "ortho"}
"""Which direction has the factor 1 / n, seen from the other direction; "ortho": each has its root."""


def _complex_of(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.result_type(dtype, np.complex64)


def _resized(x: Meta, axis: int, size: int, dtype: np.dtype[Any]) -> Meta:
    shape = list(x.shape)
    shape[axis] = size
    return Meta(tuple(shape), dtype)


def _checked(x: Meta, axes: Shape) -> None:
    for axis in axes:
        axis_in(axis, x.ndim)


def _c2c_infer(x: Meta, *, axes: Shape, **attrs: Any) -> Meta:
    _checked(x, axes)
    return x


def _r2c_infer(x: Meta, *, axes: Shape, onesided: bool = True, **attrs: Any) -> Meta:
    _checked(x, axes)
    size = x.shape[axes[-1]]
    return _resized(x, axes[-1], size // 2 + 1 if onesided and size != -1 else size, _complex_of(x.dtype))


def _c2r_infer(x: Meta, *, axes: Shape, last_dim_size: int = 0, **attrs: Any) -> Meta:
    _checked(x, axes)
    size = x.shape[axes[-1]]
    if size == 1 and not last_dim_size:
        raise failure(
            ValueError, "Invalid number of data points (0) specified.", "give n, the size of the result"
        )
    return _resized(x, axes[-1], last_dim_size or (-1 if size == -1 else 2 * (size - 1)), real_of(x.dtype))


def _complex(shape: Shape, **attrs: Any) -> Callable[[np.random.Generator], Any]:
    """Return an example of complex numbers."""
    return lambda rng: ([rng.uniform(-1, 1, shape) + 1j * rng.uniform(-1, 1, shape)], attrs)


# -- complex to complex --------------------------------------------------------------------------------------


@tried_with(_complex((2, 4), axes=(1,)))
@operator("fft_c2c", kinds="c", infer=_c2c_infer)
def fft_c2c(x: Array, *, axes: Any, normalization: Any = "backward", forward: bool = True) -> Array:
    """Return the Fourier transform of complex numbers along `axes`; not `forward`: the one back."""
    return (np.fft.fftn if forward else np.fft.ifftn)(x, axes=axes, norm=normalization)


@fft_c2c.gradient("x")
def _(dy: Value, axes: Any, normalization: str, forward: bool) -> Value:
    return fft_c2c(dy, axes, OTHER_SIDE[normalization], not forward)


# -- real to complex -----------------------------------------------------------------------------------------


@tried_with(lambda rng: ([rng.uniform(-1, 1, (2, 3, 4))], {"axes": (1, 2)}))
@operator("fft_r2c", kinds="f", infer=_r2c_infer)
def fft_r2c(
    x: Array, *, axes: Any, normalization: Any = "backward", forward: bool = True, onesided: bool = True
) -> Array:
    """Return the Fourier transform of real numbers along `axes`; `onesided`: without the half that is a mirror."""
    if x.dtype == np.float16:
        x = x.astype(np.float32)
    half = _half(x, axes, normalization, forward)
    return half if onesided else _with_mirror(half, axes, x.shape[axes[-1]])


def _half(x: Array, axes: Shape, normalization: Any, forward: bool) -> Array:
    """Return the half of the transform that is no mirror; its first and middle places are real, as +0j says."""
    if forward:
        return np.fft.rfftn(x, axes=axes, norm=normalization)
    *others, last = axes
    half = np.conjugate(np.fft.rfft(x, axis=last, norm=OTHER_SIDE[normalization]))
    along = half.swapaxes(last, -1)
    along[..., 0].imag = 0
    if x.shape[last] % 2 == 0:
        along[..., -1].imag = 0
    return np.fft.ifftn(half, axes=others, norm=normalization) if others else half


def _with_mirror(half: Array, axes: Shape, size: int) -> Array:
    """Return the whole transform of real numbers: place -k is the conjugate of place k, in each axis."""
    last, others = axes[-1], tuple(axes[:-1])
    mirror = np.conjugate(half.swapaxes(last, -1)[..., (size - 1) // 2 : 0 : -1].swapaxes(last, -1))
    mirror = np.roll(np.flip(mirror, others), 1, others)
    return np.concatenate((half, mirror), last)


@fft_r2c.gradient("x")
def _(
    dy: Value, x_shape: Shape, x_dtype: Any, axes: Any, normalization: str, forward: bool, onesided: bool
) -> Value:
    if onesided:  # the half that is not there gets nothing
        missing = [(0, 0)] * len(x_shape)
        missing[axes[-1]] = (0, x_shape[axes[-1]] - dy.shape[axes[-1]])
        dy = pad(dy, tuple(missing))
    return cast_to(real(fft_c2c(dy, axes, OTHER_SIDE[normalization], not forward)), x_dtype)


# -- complex to real -----------------------------------------------------------------------------------------


@listed(Listing(forward=False))
@tried_with(_complex((2, 3, 4), axes=(1, 2)))
@operator("fft_c2r", kinds="c", infer=_c2r_infer)
def fft_c2r(x: Array, *, axes: Any, normalization: Any = "backward", last_dim_size: int = 0) -> Array:
    """Return the numbers, which are real, whose transform has this half and its mirror."""
    sizes = [x.shape[axis] for axis in axes]
    sizes[-1] = last_dim_size or 2 * (sizes[-1] - 1)
    return np.fft.irfftn(x, sizes, axes, normalization)


@fft_c2r.gradient("x")
def _(dy: Value, axes: Any, normalization: str) -> Value:
    axis = axes[-1] % dy.ndim
    half = fft_r2c(dy, axes, OTHER_SIDE[normalization])
    return _twice_inside(half, axis, dy.shape[axis])


def _twice_inside(x: Any, axis: int, size: int) -> Any:
    """Double what stands for its mirror, too: all but the first place, and the middle of an even `size`."""
    before = (slice(None),) * axis
    inside = slice(1, (size + 1) // 2)
    parts = [x[(*before, slice(0, 1))], x[(*before, inside)] * 2]
    return concat(parts if size % 2 else [*parts, x[(*before, slice(size // 2, None))]], axis)
