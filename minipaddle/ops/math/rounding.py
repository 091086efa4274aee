"""Absolute value, sign and rounding.

Piecewise constant functions have the gradient zero; they do not stop gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import real_of
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.definition import Array, Attrs, Listing, Meta, Value, listed, mark, operator, tried_with
from minipaddle.ops.definition.infer_meta import elementary
from minipaddle.ops.math.complex import is_complex, sgn


@operator("abs", infer=lambda x: Meta(x.shape, real_of(x.dtype)))
def abs(x: Array) -> Any:
    """Absolute value, a real number; the slope at 0 is 0."""
    return np.abs(x)


mark("elementwise", abs)


@abs.gradient("x", conjugate=False)
def _(dy: Value, x: Value) -> Value:
    return cast(dy, x.dtype) * sgn(x) if is_complex(x) else dy * sign(x)


def _zero(dy: Value) -> Value:
    """Gradient rule of a piecewise constant function."""
    return zeros_like(dy)


def _off_whole_numbers(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.integers(-3, 3, (2, 3)) + rng.uniform(0.1, 0.4, (2, 3))], {}


sign = elementary("sign", lambda x: np.sign(x), "-1, 0 or 1.", kinds="iufc")
sign.gradient("x", program=lambda dy: dy * 0.0)(_zero)

floor = tried_with(_off_whole_numbers)(
    elementary("floor", lambda x: np.floor(x), "Round down.", kinds="biuf")
)
floor.gradient("x")(_zero)

ceil = tried_with(_off_whole_numbers)(elementary("ceil", lambda x: np.ceil(x), "Round up.", kinds="biuf"))
ceil.gradient("x")(_zero)


@listed(Listing("decimals"))
@tried_with(_off_whole_numbers)
@operator("round")
def round(x: Array, *, decimals: int = 0) -> Any:
    """Round to `decimals` places; halves go to the even neighbour."""
    return np.round(x, decimals)


round.gradient("x")(_zero)
mark("flat", sign, floor, ceil, round)
