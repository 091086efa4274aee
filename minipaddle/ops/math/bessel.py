"""The modified Bessel functions of the first kind, also divided by e^|x|. The kernels are SciPy's."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.engine.core.meta import Array
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.scipy import special
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.math.rounding import sign
from minipaddle.ops.math.trigonometry import sin
from minipaddle.ops.reduction.sum import cast_to


@operator("i0", "x -> out", kinds="biuf", prepare=floating, latex="I_0(x)")
def i0(x: Array) -> Array:
    """Return the modified Bessel function of order 0 of each element; integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/i0_en.html
    """
    return special("i0", x)


@i0.gradient("x")
def _(dy: Value, x: Value) -> Value:
    return dy * i1(x)


@operator("i0e", "x -> out", kinds="biuf", prepare=floating, latex="e^{-|x|} I_0(x)")
def i0e(x: Array) -> Array:
    """Return :func:`i0` of each element divided by e^|x|, which does not overflow.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/i0e_en.html
    """
    return special("i0e", x)


@i0e.gradient("x")
def _(dy: Value, x: Value, out: Value) -> Value:
    return dy * (i1e(x) - sign(x) * out)


@operator("i1", "x -> out", kinds="biuf", prepare=floating, latex="I_1(x)")
def i1(x: Array) -> Array:
    """Return the modified Bessel function of order 1 of each element; integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/i1_en.html
    """
    return special("i1", x)


def _over(out: Any, x: Any) -> Any:
    """Return ``out / x``, and at 0 the slope of `out` there: one half."""
    zero = cast_to(x == 0, x.dtype)
    return (out + zero * 0.5) / (x + zero)


@i1.gradient("x")
def _(dy: Value, x: Value, out: Value) -> Value:
    return dy * (i0(x) - _over(out, x))


@operator("i1e", "x -> out", kinds="biuf", prepare=floating, latex="e^{-|x|} I_1(x)")
def i1e(x: Array) -> Array:
    """Return :func:`i1` of each element divided by e^|x|, which does not overflow.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/i1e_en.html
    """
    return special("i1e", x)


@i1e.gradient("x")
def _(dy: Value, x: Value, out: Value) -> Value:
    return dy * (i0e(x) - sign(x) * out - _over(out, x))


def sinc(x: Value, name: str | None = None) -> Value:
    """Return ``sin(pi x) / (pi x)`` of each element, the spherical Bessel function of order 0; 1 at 0.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/sinc_en.html
    """
    angle = x * math.pi
    zero = cast_to(angle == 0, angle.dtype)
    return (sin(angle) + zero) / (angle + zero)
