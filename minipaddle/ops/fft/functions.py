"""The functions of ``paddle.fft``: four transforms, each along one axis, two or several; and their frequencies.

``fft`` and ``ifft`` take any numbers, ``rfft`` real ones, ``irfft`` returns real ones. Sizes, axes and
types are handled once, here; the numbers and gradients come from three operators, below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy, default_float, real_of
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.range import arange
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, operator, tried_with
from minipaddle.ops.definition.arguments import axis_in, known_size
from minipaddle.ops.definition.program_printing import Listing, listed
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.manipulation.tile import roll
from minipaddle.ops.math.complex import real
from minipaddle.ops.nn.pad import pad
from minipaddle.ops.reduction.sum import cast_to

Where = tuple[list[int] | None, list[int]]
"""Sizes (None: unchanged) and axes of a transform, counted from the front."""

# -- arguments ------------------------------------------------------------------------------------------------


def _along_one(x: Value, n: int | None, axis: int | None) -> Where:
    """Return size and axis of a transform along one axis, as lists."""
    axis = -1 if axis is None else axis
    if not isinstance(axis, int):
        raise ValueError(f"Invalid FFT axis ({axis}), it should be an integer.")
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"Invalid FFT axis ({axis}), it should be in range [-{x.ndim}, {x.ndim})")
    if n is None:
        return None, [axis % x.ndim]
    if not isinstance(n, int):
        raise ValueError(f"Invalid FFT argument n({n}), it should be an integer.")
    if n <= 0:
        raise ValueError(f"Invalid FFT argument n({n}), it should be positive.")
    return [n], [axis % x.ndim]


def _along_several(x: Value, s: Any, axes: Any) -> Where:
    """Return sizes and axes, counted from the front; the last one stays the last."""
    for name, given in (("argument s", s), ("axes", axes)):
        if given is None:
            continue
        if not isinstance(given, Sequence):
            raise ValueError(f"Invalid FFT {name} ({given}), it should be a sequence of integers.")
        if len(given) > x.ndim:
            raise ValueError(
                f"Length of FFT {name} should not be larger than the rank of input. Received {given}, rank of "
                f"x: {x.ndim}"
            )
    for size in s or ():
        if not isinstance(size, int) or size <= 0:
            raise ValueError(f"FFT sizes {s} contains invalid value ({size})")
    if axes is None:
        return (None if s is None else list(s)), list(range(x.ndim - len(s) if s is not None else 0, x.ndim))
    for axis in axes:
        if not isinstance(axis, int) or not -x.ndim <= axis < x.ndim:
            raise ValueError(
                f"FFT axes {axes} contains invalid value ({axis}), it should be in range [-{x.ndim}, {x.ndim})"
            )
    if s is not None and len(s) != len(axes):
        raise ValueError(f"Length of s ({len(s)}) and length of axes ({len(axes)}) does not match.")
    places = [axis % x.ndim for axis in axes]
    order = [*np.argsort(places[:-1]).tolist(), len(places) - 1]
    return (None if s is None else [s[i] for i in order]), [places[i] for i in order]


def _check_two(x: Value, s: Any, axes: Any) -> None:
    """Check that there are two axes."""
    if x.ndim < 2:
        raise ValueError(f"The rank of the input ({x.ndim}) should >= 2")
    for name, given in (("s", s), ("axes", axes)):
        if given is not None and (not isinstance(given, Sequence) or len(given) != 2):
            raise ValueError(f"Invalid FFT argument {name} ({given}), it should be a sequence of 2 integers.")


def _resized(x: Value, s: list[int] | None, axes: list[int]) -> Value:
    """Return `x`, cut or filled up with zeros to the sizes `s`."""
    if s is None:
        return x
    wanted = dict(zip(axes, s, strict=True))
    for axis in wanted:
        known_size(x, axis)
    if any(size < x.shape[axis] for axis, size in wanted.items()):
        x = x[tuple([slice(wanted.get(axis)) for axis in range(x.ndim)])]
    if any(size > x.shape[axis] for axis, size in wanted.items()):
        x = pad(x, tuple([(0, wanted.get(axis, size) - size) for axis, size in enumerate(x.shape)]))
    return x


# -- transforms -----------------------------------------------------------------------------------------------


def _transformed(x: Value, where: Where, norm: str, kind: str) -> Value:
    """Return the transform of a kind: "fft", "ifft", "rfft" or "irfft"."""
    s, axes = where
    if norm not in OTHER_SIDE:
        raise ValueError(f"Unexpected norm: {norm}. Norm should be forward, backward or ortho")
    x = x if numpy_dtype(x).kind in "fc" else cast(x, default_float())
    real = numpy_dtype(x).kind != "c"
    if kind == "rfft" or (real and kind != "irfft"):
        return fft_r2c(_resized(x, s, axes), tuple(axes), norm, kind != "ifft", kind == "rfft")
    x = cast(x, np.result_type(numpy_dtype(x), np.complex64)) if real else x
    if kind != "irfft":
        return fft_c2c(_resized(x, s, axes), tuple(sorted(axes)), norm, kind == "fft")
    half = None if s is None else [*s[:-1], s[-1] // 2 + 1]
    return fft_c2r(_resized(x, half, axes), tuple(axes), norm, s[-1] if s else 0)


_TEXT = """Return the {what} along {along}.

Args:
    {sizes}: what to cut `x` to, or to fill it up to with zeros; None: as it is.
    norm: "backward" (the way back is divided by n), "forward", or "ortho" (each by the root of n).
"""


def _family(kind: str, what: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Return one transform as functions of one axis, of two, and of several."""

    def one(
        x: Value, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None
    ) -> Value:
        return _transformed(x, _along_one(x, n, axis), norm, kind)

    def two(
        x: Value, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None
    ) -> Value:
        _check_two(x, s, axes)
        return several(x, s, axes, norm)

    def several(
        x: Value, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None
    ) -> Value:
        return _transformed(x, _along_several(x, s, axes), norm, kind)

    for made, end, along in ((one, "", "one axis"), (two, "2", "two axes"), (several, "n", "several axes")):
        made.__name__ = made.__qualname__ = kind + end
        made.__doc__ = _TEXT.format(what=what, along=along, sizes="s" if end else "n")
    return one, two, several


fft, fft2, fftn = _family("fft", "Fourier transform of any numbers")
ifft, ifft2, ifftn = _family("ifft", "inverse Fourier transform of any numbers")
rfft, rfft2, rfftn = _family(
    "rfft", "Fourier transform of real numbers, without the half that mirrors the other,"
)
irfft, irfft2, irfftn = _family("irfft", "inverse of ``rfft``: real numbers, of the half of their transform,")

# -- frequencies ----------------------------------------------------------------------------------------------


def _steps(first: int, last: int, n: int, d: float, dtype: Any) -> Value:
    if d * n == 0:
        raise ValueError("d or n should not be 0.")
    chosen = default_float() if dtype is None else as_numpy(dtype)
    return roll(arange(first, last, dtype=chosen), first) * (1.0 / (n * d))


def fftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Value:
    """Return the frequency of each element of a transform of `n` samples, `d` apart: first from 0 up."""
    return _steps(-(n // 2), (n + 1) // 2, n, d, dtype)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Value:
    """Return the frequency of each element of :func:`rfft` of `n` samples, `d` apart."""
    return _steps(0, n // 2 + 1, n, d, dtype)


def _moved(x: Value, axes: Any, more: int) -> Value:
    """Return `x` with half the elements of each axis moved to its other end."""
    places = list(range(x.ndim)) if axes is None else [axes] if isinstance(axes, int) else list(axes)
    return roll(x, [(known_size(x, axis) + more) // 2 for axis in places], places)


def fftshift(x: Value, axes: Any = None, name: str | None = None) -> Value:
    """Return `x` with the frequency 0 in the middle of `axes` (an axis, several, or None for all)."""
    return _moved(x, axes, 0)


def ifftshift(x: Value, axes: Any = None, name: str | None = None) -> Value:
    """Return `x` with the frequency 0 at the beginning of `axes` again: the inverse of :func:`fftshift`."""
    return _moved(x, axes, 1)


OTHER_SIDE: dict[str, Any] = {"backward": "forward", "forward": "backward", "ortho": "ortho"}
"""The normalization for the opposite direction: 1 / n is in one of them; "ortho": its root in each."""


def _with_size(x: Meta, axis: int, size: int, dtype: np.dtype[Any]) -> Meta:
    shape = list(x.shape)
    shape[axis] = size
    return Meta(tuple(shape), dtype)


def _checked(x: Meta, axes: Shape, **attrs: Any) -> Meta:
    """Shape rule: unchanged; the axes must exist."""
    for axis in axes:
        axis_in(axis, x.ndim)
    return x


def _r2c_infer(x: Meta, axes: Shape, onesided: bool, **attrs: Any) -> Meta:
    _checked(x, axes)
    size = x.shape[axes[-1]]
    return _with_size(
        x, axes[-1], size // 2 + 1 if onesided and size != -1 else size, np.result_type(x.dtype, np.complex64)
    )


def _c2r_infer(x: Meta, axes: Shape, last_dim_size: int, **attrs: Any) -> Meta:
    _checked(x, axes)
    size = x.shape[axes[-1]]
    if size == 1 and not last_dim_size:
        raise invalid("Invalid number of data points (0) specified.", "give n, the size of the result")
    return _with_size(x, axes[-1], last_dim_size or (-1 if size == -1 else 2 * (size - 1)), real_of(x.dtype))


def _complex(shape: Shape, **attrs: Any) -> Callable[[np.random.Generator], Any]:
    """Return an example of complex numbers."""
    return lambda rng: ([rng.uniform(-1, 1, shape) + 1j * rng.uniform(-1, 1, shape)], attrs)


# -- complex to complex --------------------------------------------------------------------------------------


@tried_with(_complex((2, 4), axes=(1,)))
@operator("fft_c2c", kinds="c", infer=_checked)
def fft_c2c(x: Array, *, axes: Any, normalization: Any = "backward", forward: bool = True) -> Array:
    """Return the Fourier transform of complex numbers along `axes`; not `forward`: the inverse."""
    return (np.fft.fftn if forward else np.fft.ifftn)(x, axes=axes, norm=normalization)


@fft_c2c.gradient("x")
def _(dy: Value, axes: Any, normalization: str, forward: bool) -> Value:
    return fft_c2c(dy, axes, OTHER_SIDE[normalization], not forward)


# -- real to complex -----------------------------------------------------------------------------------------


@tried_with((2, 3, 4), within=(-1, 1), axes=(1, 2))
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
    """Return the non-redundant half of the transform; its first and middle elements are real, with +0j."""
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
    """Return the whole transform of real numbers: element -k is the conjugate of element k, in each axis."""
    last, others = axes[-1], tuple(axes[:-1])
    mirror = np.conjugate(half.swapaxes(last, -1)[..., (size - 1) // 2 : 0 : -1].swapaxes(last, -1))
    mirror = np.roll(np.flip(mirror, others), 1, others)
    return np.concatenate((half, mirror), last)


@fft_r2c.gradient("x")
def _(
    dy: Value, x_shape: Shape, x_dtype: Any, axes: Any, normalization: str, forward: bool, onesided: bool
) -> Value:
    if onesided:  # the missing half gets no gradient
        missing = [(0, 0)] * len(x_shape)
        missing[axes[-1]] = (0, x_shape[axes[-1]] - dy.shape[axes[-1]])
        dy = pad(dy, tuple(missing))
    return cast_to(real(fft_c2c(dy, axes, OTHER_SIDE[normalization], not forward)), x_dtype)


# -- complex to real -----------------------------------------------------------------------------------------


@listed(Listing(forward=False))
@tried_with(_complex((2, 3, 4), axes=(1, 2)))
@operator("fft_c2r", kinds="c", infer=_c2r_infer)
def fft_c2r(x: Array, *, axes: Any, normalization: Any = "backward", last_dim_size: int = 0) -> Array:
    """Return the real numbers whose transform has this half and its mirror image."""
    sizes = [x.shape[axis] for axis in axes]
    sizes[-1] = last_dim_size or 2 * (sizes[-1] - 1)
    return np.fft.irfftn(x, sizes, axes, normalization)


@fft_c2r.gradient("x")
def _(dy: Value, axes: Any, normalization: str) -> Value:
    axis = axes[-1] % dy.ndim
    return _twice_inside(fft_r2c(dy, axes, OTHER_SIDE[normalization]), axis, dy.shape[axis])


def _twice_inside(x: Any, axis: int, size: int) -> Any:
    """Double the elements that have a mirror image: all but the first, and, for an even `size`, the middle one."""
    before = (slice(None),) * axis
    inside = slice(1, (size + 1) // 2)
    parts = [x[(*before, slice(0, 1))], x[(*before, inside)] * 2]
    return concat(parts if size % 2 else [*parts, x[(*before, slice(size // 2, None))]], axis)
