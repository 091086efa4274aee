"""Complex numbers made of two real ones, and taken apart: complex, as_complex, as_real."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, failure, listed, operator, real_of, tried_with
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.math.complex import imag, real
from minipaddle.ops.reduction.sum import unbroadcast


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the complex type of two numbers of this type."""
    return np.result_type(dtype, np.complex64)


def _complex_infer(x: Meta, y: Meta) -> Meta:
    if x.dtype != y.dtype:
        raise failure(
            ValueError,
            f"The type of data we are trying to retrieve ({x.dtype}) does not match the type of data ({y.dtype}) "
            "currently contained in the container.",
            "both parts are of one type: float32 or float64",
        )
    return Meta(broadcast_shapes(x.shape, y.shape), _wide(x.dtype))


@listed(inputs="X, Y")
@operator("complex", kinds="f", infer=_complex_infer)
def complex(real: Array, imag: Array) -> Array:
    """Return complex numbers with these real and imaginary parts, which broadcast."""
    if real.dtype != imag.dtype:
        raise ValueError  # worded by the shape rule
    out = np.empty(np.broadcast_shapes(real.shape, imag.shape), _wide(real.dtype))
    out.real, out.imag = real, imag
    return out


complex.gradient("real", unbroadcast=unbroadcast)(lambda dy: real(dy))
complex.gradient("imag", unbroadcast=unbroadcast)(lambda dy: imag(dy))


def _as_complex_infer(x: Meta) -> Meta:
    if not x.ndim or x.shape[-1] not in (2, -1):
        raise failure(
            ValueError,
            "The size of the last dimension of input(X) does not equals 2. Expected the size of last dimension of "
            f"input(X) to be 2, but received shape {list(x.shape)}.",
        )
    return Meta(x.shape[:-1], _wide(x.dtype))


@tried_with(lambda rng: ([rng.uniform(0.2, 0.9, (3, 2))], {}))
@operator("as_complex", kinds="f", infer=_as_complex_infer, view=True)
def as_complex(x: Array) -> Array:
    """Read pairs along the last axis as complex numbers; they share the memory of `x`."""
    if x.ndim == 0 or x.shape[-1] != 2:
        raise ValueError  # worded by the shape rule
    return np.ascontiguousarray(x).view(_wide(x.dtype))[..., 0]


@tried_with(lambda rng: ([rng.uniform(0.2, 0.9, (2, 3)) + 1j * rng.uniform(0.2, 0.9, (2, 3))], {}))
@operator("as_real", kinds="c", infer=lambda x: Meta((*x.shape, 2), real_of(x.dtype)), view=True)
def as_real(x: Array) -> Array:
    """Read complex numbers as pairs along a new last axis, which share their memory."""
    return np.ascontiguousarray(x)[..., None].view(real_of(x.dtype)).reshape(*x.shape, 2)


as_complex.gradient("x", program=True)(lambda dy: as_real(dy))
as_real.gradient("x", program=True)(lambda dy: as_complex(dy))
