"""The gamma function: its logarithm, the derivatives of that, and the incomplete integrals.

The kernels are SciPy's, which computes float32 in double precision and rounds once.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.core.eager import current
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.infer_meta import broadcast
from minipaddle.ops.common.scipy import special
from minipaddle.ops.creation.promotion import floating, promote
from minipaddle.ops.math.exponential import exp, log
from minipaddle.ops.reduction.sum import unbroadcast

MANY = 1 << 16
"""More than this many terms nobody waits for."""


@operator("lgamma", "X -> Out", kinds="biuf", prepare=floating, latex=r"\ln|\Gamma(x)|")
def lgamma(x: Array) -> Any:
    """Return the logarithm of the size of the gamma function; integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/lgamma_en.html
    """
    return special("gammaln", x)


@lgamma.gradient("x")
def _(dy: Value, x: Value) -> Value:
    return dy * digamma(x)


@operator("gammaln", "x -> out", kinds="f", latex=r"\ln|\Gamma(x)|")
def gammaln(x: Array) -> Array:
    """Return the logarithm of the size of the gamma function, of floats.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/gammaln_en.html
    """
    return special("gammaln", x)


@gammaln.gradient("x")
def _(dy: Value, x: Value) -> Value:
    return dy * digamma(x)


@operator("digamma", "X -> Out", kinds="biuf", prepare=floating, latex=r"\psi(x)")
def digamma(x: Array) -> Any:
    """Return the derivative of the logarithm of the gamma function; integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/digamma_en.html
    """
    return special("psi", x)


@digamma.gradient("x")
def _(dy: Value, x: Value) -> Value:
    return dy * polygamma_op(x, 1)


@operator("polygamma", "x -> out", kinds="biuf", prepare=floating, latex=r"\psi^{(n)}(x)")
def polygamma_op(x: Array, n: int = 1) -> Array:
    """Return the n-th derivative of :func:`digamma`; n is 1 or more."""
    return special("polygamma", n, x)


@polygamma_op.gradient("x")
def _(dy: Value, x: Value, n: int) -> Value:
    return dy * polygamma_op(x, n + 1)


def polygamma(x: Value, n: int, name: str | None = None) -> Value:
    """Return the n-th derivative of :func:`digamma`, of each element.

    Args:
        x: tensor of any shape; integers give float32.
        n: how many times to differentiate; 0 is :func:`digamma` itself.
        name: ignored.

    Raises:
        TypeError: if `n` is no int.
        ValueError: if it is negative.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/polygamma_en.html
    """
    if not isinstance(n, int):
        raise TypeError(f"The input of n must be int type, but received: {type(n)}")
    if n < 0:
        raise ValueError(f"The input of n must be greater than or equal to 0. But received n = {n}")
    return polygamma_op(x, n) if n else digamma(x)


def multigammaln(x: Any, p: int, name: str | None = None) -> Any:
    """Return the logarithm of the multivariate gamma function of dimension `p`, of each element.

    Raises:
        AssertionError: if `p` is less than 1, or more than 65,536.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/multigammaln_en.html
    """
    assert p >= 1, f"The p must be greater than or equal to 1, But received p is {p}"
    assert p <= MANY, f"The p must be at most {MANY}, as many logarithms are added up, But received p is {p}"
    total = p * (p - 1) * math.log(math.pi) / 4
    for step in range(p):
        total = lgamma(x - 0.5 * step) + total
    return total


# -- incomplete ----------------------------------------------------------------------------------------------


@operator("gammaincc", "x, y -> out", kinds="f", infer=broadcast, prepare=promote, latex=r"Q(x, y)")
def gammaincc_op(x: Array, y: Array) -> Array:
    """Return the upper incomplete gamma integral from y on, as a part of the whole."""
    return special("gammaincc", x, y)


@gammaincc_op.gradient("y", unbroadcast=unbroadcast)
def _(dy: Value, x: Value, y: Value) -> Value:
    return -dy * exp((x - 1.0) * log(y) - y - lgamma(x))


def gammaincc(x: Value, y: Value, name: str | None = None) -> Value:
    """Return the upper incomplete gamma integral: of the whole, the part from `y` on.

    Args:
        x: tensor of floats, none of them negative; gradients do not flow to it, as in Paddle.
        y: tensor of floats, none of them negative, whose shape goes with that of `x`.
        name: ignored.

    Raises:
        ValueError: for a negative number.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/gammaincc_en.html
    """
    for argument, value in (("x", x), ("y", y)):
        if current.get().dynamic and bool(np.any(np.less(np.asarray(value), 0))):
            raise failure(ValueError, f"The input argument {argument} must be greater than or equal to 0.")
    return gammaincc_op(x, y)


def gammainc(x: Value, y: Value, name: str | None = None) -> Value:
    """Return the lower incomplete gamma integral: of the whole, the part up to `y`; see :func:`gammaincc`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/gammainc_en.html
    """
    return 1.0 - gammaincc(x, y)
