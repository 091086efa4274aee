"""What the functions of ``paddle.fft`` make of their arguments: sizes, axes, types; and which transform they mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.core.dtype import default_float, promoted
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.fft.transform import OTHER_SIDE, fft_c2c, fft_c2r, fft_r2c
from minipaddle.ops.nn.pad import pad
from minipaddle.ops.reduction.sum import written_to


def _is_real(x: Any) -> bool:
    return numpy_dtype(x).kind != "c"


def _floating(x: Any) -> Any:
    """Return integers as floats."""
    return x if numpy_dtype(x).kind in "fc" else cast(x, default_float())


def _complex(x: Any) -> Any:
    """Return real numbers as complex ones."""
    x = _floating(x)
    return cast(x, promoted(numpy_dtype(x), np.complex64)) if _is_real(x) else x


def _checked_norm(norm: str) -> str:
    if norm not in OTHER_SIDE:
        raise ValueError(f"Unexpected norm: {norm}. Norm should be forward, backward or ortho")
    return norm


def along_one(x: Any, n: int | None, axis: int | None) -> tuple[list[int] | None, list[int]]:
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


def along_several(x: Any, s: Any, axes: Any) -> tuple[list[int] | None, list[int]]:
    """Return sizes and axes, counted from the front; the last one stays the last."""
    if s is not None:
        if not isinstance(s, Sequence):
            raise ValueError(f"Invalid FFT argument s({s}), it should be a sequence of integers.")
        if len(s) > x.ndim:
            raise ValueError(
                "Length of FFT argument s should not be larger than the rank of input. Received s: "
                f"{s}, rank of x: {x.ndim}"
            )
        for size in s:
            if not isinstance(size, int) or size <= 0:
                raise ValueError(f"FFT sizes {s} contains invalid value ({size})")
    if axes is None:
        return (None if s is None else list(s)), list(range(x.ndim - len(s) if s is not None else 0, x.ndim))
    if not isinstance(axes, Sequence):
        raise ValueError(f"Invalid FFT axes ({axes}), it should be a sequence of integers.")
    if len(axes) > x.ndim:
        raise ValueError(
            "Length of fft axes should not be larger than the rank of input. Received, len of axes: "
            f"{len(axes)}, rank of x: {x.ndim}"
        )
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


def check_two(x: Any, s: Any, axes: Any) -> None:
    """Check that there are two axes."""
    if x.ndim < 2:
        raise ValueError(f"The rank of the input ({x.ndim}) should >= 2")
    for name, given in (("s", s), ("axes", axes)):
        if given is not None and (not isinstance(given, Sequence) or len(given) != 2):
            raise ValueError(f"Invalid FFT argument {name} ({given}), it should be a sequence of 2 integers.")


def _resized(x: Any, s: list[int] | None, axes: list[int]) -> Any:
    """Return `x`, cut or filled up with zeros to the sizes `s`."""
    if s is None:
        return x
    wanted = dict(zip(axes, s, strict=True))
    if any(size < x.shape[axis] for axis, size in wanted.items()):
        x = x[tuple([slice(0, min(wanted.get(axis, size), size)) for axis, size in enumerate(x.shape)])]
    if any(size > x.shape[axis] for axis, size in wanted.items()):
        x = pad(x, tuple([(0, wanted.get(axis, size) - size) for axis, size in enumerate(x.shape)]))
    return x


def c2c(x: Any, where: tuple[Any, list[int]], norm: str, forward: bool, out: Any) -> Any:
    """Return the transform of complex numbers; `where` is what :func:`along_one` has said."""
    s, axes = where
    x = _resized(_complex(x), s, axes)
    return written_to(fft_c2c(x, tuple(sorted(axes)), _checked_norm(norm), forward), out)


def r2c(x: Any, where: tuple[Any, list[int]], norm: str, forward: bool, onesided: bool, out: Any) -> Any:
    """Return the transform of real numbers; `where` is what :func:`along_one` has said."""
    s, axes = where
    x = _resized(_floating(x), s, axes)
    return written_to(fft_r2c(x, tuple(axes), _checked_norm(norm), forward, onesided), out)


def c2r(x: Any, where: tuple[Any, list[int]], norm: str, forward: bool, out: Any) -> Any:
    """Return the transform whose numbers are real; `where` is what :func:`along_one` has said."""
    s, axes = where
    half = None if s is None else [*s[:-1], s[-1] // 2 + 1]
    x = _resized(_complex(x), half, axes)
    return written_to(fft_c2r(x, tuple(axes), _checked_norm(norm), forward, s[-1] if s else 0), out)


def any_to_complex(x: Any, where: tuple[Any, list[int]], norm: str, forward: bool, out: Any) -> Any:
    """Return the transform of any numbers; `where` is what :func:`along_one` has said."""
    return r2c(x, where, norm, forward, False, out) if _is_real(x) else c2c(x, where, norm, forward, out)
