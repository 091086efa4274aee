"""What the functions of ``paddle.fft`` make of their arguments: sizes, axes, types; and which transform they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import default_float
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import known_size
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.fft.transform import OTHER_SIDE, fft_c2c, fft_c2r, fft_r2c
from minipaddle.ops.nn.pad import pad

Where = tuple[list[int] | None, list[int]]
"""Sizes (None: as they are) and axes of a transform, counted from the front."""


def _is_real(x: Value) -> bool:
    return numpy_dtype(x).kind != "c"


def _floating(x: Value) -> Value:
    """Return integers as floats."""
    return x if numpy_dtype(x).kind in "fc" else cast(x, default_float())


def _complex(x: Value) -> Value:
    """Return real numbers as complex ones."""
    x = _floating(x)
    return cast(x, np.result_type(numpy_dtype(x), np.complex64)) if _is_real(x) else x


def _checked_norm(norm: str) -> str:
    if norm not in OTHER_SIDE:
        raise ValueError(f"Unexpected norm: {norm}. Norm should be forward, backward or ortho")
    return norm


def along_one(x: Value, n: int | None, axis: int | None) -> Where:
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


def along_several(x: Value, s: Any, axes: Any) -> Where:
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


def check_two(x: Value, s: Any, axes: Any) -> None:
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


def c2c(x: Value, where: Where, norm: str, forward: bool) -> Value:
    """Return the transform of complex numbers."""
    s, axes = where
    return fft_c2c(_resized(_complex(x), s, axes), tuple(sorted(axes)), _checked_norm(norm), forward)


def r2c(x: Value, where: Where, norm: str, forward: bool, onesided: bool) -> Value:
    """Return the transform of real numbers."""
    s, axes = where
    return fft_r2c(_resized(_floating(x), s, axes), tuple(axes), _checked_norm(norm), forward, onesided)


def c2r(x: Value, where: Where, norm: str, forward: bool) -> Value:
    """Return the transform whose numbers are real."""
    s, axes = where
    half = None if s is None else [*s[:-1], s[-1] // 2 + 1]
    x = _resized(_complex(x), half, axes)
    return fft_c2r(x, tuple(axes), _checked_norm(norm), forward, s[-1] if s else 0)


def any_to_complex(x: Value, where: Where, norm: str, forward: bool) -> Value:
    """Return the transform of any numbers."""
    return r2c(x, where, norm, forward, False) if _is_real(x) else c2c(x, where, norm, forward)


# -- the functions of paddle.fft: six transforms, each with the arguments of one axis, of several, and of two --------

Transform = Callable[[Any, Where, str], Any]
_NORM = """norm: "backward" (the way back is divided by n), "forward", or "ortho" (each by the root of n)."""
_PAGE = "https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/{name}_en.html"
_TEXT = """{first}

Args:
    x: tensor.
{where}
    {norm}
    name: ignored.

Raises:
    ValueError: {refused}.

{page}"""


def _named(
    made: Callable[..., Any], name: str, of: Transform, where: str, refused: str
) -> Callable[..., Any]:
    """Return the function `made` with the name, the module and the documentation that users see."""
    first = (of.__doc__ or "").partition("\n")[0]
    page = _PAGE.format(name=name)
    made.__doc__ = _TEXT.format(first=first, where=where, norm=_NORM, refused=refused, page=page)
    made.__name__ = made.__qualname__ = name
    made.__module__ = of.__module__
    return made


def of_one_axis(transform: Transform) -> Callable[..., Any]:
    """Return a transform as a function of size and axis."""

    def made(
        x: Value, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None
    ) -> Value:
        return transform(x, along_one(x, n, axis), norm)

    where = "    n: size to cut `x` to, or to fill it up to with zeros; None: as it is.\n    axis: where."
    return _named(made, transform.__name__, transform, where, "for another `norm`, `n` or `axis`")


def of_several_axes(transform: Transform) -> Callable[..., Any]:
    """Return a transform as a function of sizes and axes."""

    def made(
        x: Value, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None
    ) -> Value:
        return transform(x, along_several(x, s, axes), norm)

    where = (
        "    s: sizes to cut `x` to, or to fill it up to with zeros; None: as they are.\n"
        "    axes: where; None: the last ones, as many as `s` has, or all."
    )
    refused = "for another `norm`, or sizes and axes that do not fit"
    return _named(made, transform.__name__, transform, where, refused)


def of_two_axes(several: Callable[..., Any]) -> Callable[..., Any]:
    """Return a transform of several axes as one of two."""

    def made(
        x: Value, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None
    ) -> Value:
        check_two(x, s, axes)
        return several(x, s, axes, norm)

    where = "    s: two sizes to cut `x` to, or to fill it up to with zeros.\n    axes: two axes."
    refused = "for another `norm`, or if there are not two axes, or not two sizes"
    return _named(made, f"{several.__name__[:-1]}2", several, where, refused)
