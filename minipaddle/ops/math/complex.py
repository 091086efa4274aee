"""What only complex numbers have: a conjugate, two parts, a direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.definition import Array, Attrs, Meta, Value, failure, operator, real_of, tried_with


def is_complex(value: Any) -> bool:
    """Return whether the elements of an array, a Tensor or a Variable are complex."""
    return numpy_dtype(value).kind == "c"


def _complex_example(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.uniform(0.2, 0.9, (2, 3)) + 1j * rng.uniform(0.2, 0.9, (2, 3))], {}


def _part(x: Meta) -> Meta:
    """Shape rule: the real type of a complex one."""
    if x.dtype.kind != "c":
        raise failure(
            RuntimeError, f"The kernel is not registered for {x.dtype}: only complex numbers have parts."
        )
    return Meta(x.shape, real_of(x.dtype))


@operator("conj")
def conj(x: Array) -> Any:
    """Return the complex conjugate of every element; real numbers are their own."""
    return np.conjugate(x)


conj.gradient("x", program=True)(lambda dy: conj(dy))


@tried_with(_complex_example)
@operator("real", infer=_part)
def real(x: Array) -> Any:
    """Return the real part of every element."""
    if x.dtype.kind != "c":
        raise TypeError  # worded by the shape rule
    return x.real.copy()


real.gradient("x")(lambda dy: _as_complex(dy))


@tried_with(_complex_example)
@operator("imag", infer=_part)
def imag(x: Array) -> Array:
    """Return the imaginary part of every element."""
    if x.dtype.kind != "c":
        raise TypeError  # worded by the shape rule
    return x.imag.copy()


imag.gradient("x")(lambda dy: _as_complex(dy) * 1j)


def _as_complex(x: Any) -> Any:
    """Return real numbers as complex ones of the same precision."""
    return cast(x, np.result_type(numpy_dtype(x), np.complex64))


def _of_floats(x: Meta) -> Meta:
    """Shape rule of :func:`sgn`."""
    if x.dtype.kind not in "fc":
        raise failure(
            TypeError,
            f"The dtype of input must be float16, float32, float64, complex64 or complex128, but is {x.dtype}.",
            "paddle.sign takes integers",
        )
    return x


@operator("sgn", infer=_of_floats)
def sgn(x: Array) -> Any:
    """Return the direction of every element: a complex number of size 1, or -1 or 1; 0 for 0."""
    if x.dtype.kind not in "fc":
        raise TypeError  # worded by the shape rule
    return np.sign(x)


@sgn.gradient("x", conjugate=False)
def _(dy: Value, x: Value, out: Value) -> Value:
    if not is_complex(x):
        return dy * 0.0
    # along x the direction stays; across, it turns by one over the size
    size = cast(real(x * conj(out)), x.dtype)
    along = cast(real(dy * conj(out)), x.dtype) * out
    return (dy - along) / (size + cast(size == 0, x.dtype)) * cast(size != 0, x.dtype)
