"""Operators on complex numbers: conjugate, parts, angle; and complex numbers made from two real ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import real_of
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.definition import Array, Attrs, Meta, Value, failure, invalid, listed, operator, require
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.reduction.sum import stretching


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
    require(x.dtype.kind == "c")
    return x.real.copy()


real.gradient("x")(lambda dy: _as_complex(dy))


@tried_with(_complex_example)
@operator("imag", infer=_part)
def imag(x: Array) -> Array:
    """Return the imaginary part of every element."""
    require(x.dtype.kind == "c")
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
    require(x.dtype.kind in "fc")
    return np.sign(x)


@sgn.gradient("x", conjugate=False)
def _(dy: Value, x: Value, out: Value) -> Value:
    if not is_complex(x):
        return dy * 0.0
    # along x the angle is constant; across x it changes by 1 / abs(x)
    size = cast(real(x * conj(out)), x.dtype)
    along = cast(real(dy * conj(out)), x.dtype) * out
    return (dy - along) / (size + cast(size == 0, x.dtype)) * cast(size != 0, x.dtype)


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the complex type with parts of this type."""
    return np.result_type(dtype, np.complex64)


@stretching
def _complex_infer(x: Meta, y: Meta) -> Meta:
    if x.dtype != y.dtype:
        raise invalid(
            f"The type of data we are trying to retrieve ({x.dtype}) does not match the type of data ({y.dtype}) "
            "currently contained in the container.",
            "both parts are of one type: float32 or float64",
        )
    return Meta(broadcast_shapes(x.shape, y.shape), _wide(x.dtype))


@listed(inputs="X, Y")
@operator("complex", kinds="f", infer=_complex_infer)
def complex(real: Array, imag: Array) -> Array:
    """Return complex numbers with these real and imaginary parts, which broadcast."""
    require(real.dtype == imag.dtype)
    out = np.empty(np.broadcast_shapes(real.shape, imag.shape), _wide(real.dtype))
    out.real, out.imag = real, imag
    return out


complex.gradient("real")(lambda dy: real(dy))
complex.gradient("imag")(lambda dy: imag(dy))


def _as_complex_infer(x: Meta) -> Meta:
    if not x.ndim or x.shape[-1] not in (2, -1):
        raise invalid(
            "The size of the last dimension of input(X) does not equals 2. Expected the size of last dimension of "
            f"input(X) to be 2, but received shape {list(x.shape)}."
        )
    return Meta(x.shape[:-1], _wide(x.dtype))


@tried_with((3, 2))
@operator("as_complex", kinds="f", infer=_as_complex_infer, view=True)
def as_complex(x: Array) -> Array:
    """Read pairs along the last axis as complex numbers; they share the memory of `x`."""
    require(x.shape[-1:] == (2,))
    return np.ascontiguousarray(x).view(_wide(x.dtype))[..., 0]


@tried_with(_complex_example)
@operator("as_real", kinds="c", infer=lambda x: Meta((*x.shape, 2), real_of(x.dtype)), view=True)
def as_real(x: Array) -> Array:
    """Read complex numbers as pairs along a new last axis, which share their memory."""
    return np.ascontiguousarray(x)[..., None].view(real_of(x.dtype)).reshape(*x.shape, 2)


as_complex.gradient("x", program=True)(lambda dy: as_real(dy))
as_real.gradient("x", program=True)(lambda dy: as_complex(dy))
