"""The error function, which NumPy lacks."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array

REACH = 3.9
"""From this number on, erf is 1 in float32."""


def erf(x: Array) -> Any:
    """Return the error function of each element.

    float32 goes through :func:`tanh_of_polynomial`, exact to 1e-7 in an eighth of the time: the GELU of a
    transformer would otherwise take longer than its matrix products; float16 takes the same way. float64 goes to SciPy.
    """
    if x.dtype == np.float32:
        return tanh_of_polynomial(x)
    if x.dtype == np.float16:
        return tanh_of_polynomial(x.astype(np.float32)).astype(np.float16)
    from scipy import special

    return special.erf(x)


def tanh_of_polynomial(x: Array) -> Any:
    """Compute ``tanh(x q(x x))``, which is erf: both run from -1 to 1, and q bends one into the other."""
    square = np.minimum(x * x, np.float32(REACH * REACH))
    highest, *others, last = bend()
    q = square * highest
    for coefficient in others:
        q += coefficient
        q *= square
    q += last
    q *= x
    return np.tanh(q)


@cache
def bend() -> list[np.float32]:
    """Return the coefficients of q, the highest first.

    ``artanh(erf x) / x`` is smooth in x x, so 13 are enough. They are fitted on first use, in 1 ms, to
    Python's own ``math.erf``, which is exact and slow.
    """
    squares = (1 + np.polynomial.chebyshev.chebpts1(400)) / 2 * REACH**2
    values = [(math.log1p(math.erf(x)) - math.log(math.erfc(x))) / (2 * x) for x in np.sqrt(squares)]
    fitted = np.polynomial.Chebyshev.fit(squares, values, 12, domain=[0, REACH**2])
    return list(fitted.convert(kind=np.polynomial.Polynomial).coef.astype(np.float32)[::-1])
