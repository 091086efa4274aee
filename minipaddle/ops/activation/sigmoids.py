"""The sigmoid, and smooth activations built on it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.ops.activation.rectifiers import step
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.definition import Array, Listing, Value, formula, listed, mark, operator
from minipaddle.ops.definition.lesson import saturates
from minipaddle.ops.math.complex import conj, is_complex, real, sgn
from minipaddle.ops.math.exponential import erf, exp, tanh
from minipaddle.ops.math.rounding import abs

ROOT_HALF = math.sqrt(1 / 2)  # in the distribution function of the normal distribution
ROOT_TWO_OVER_PI = math.sqrt(2 / math.pi)
CUBIC = 0.044715  # fitted to it in the paper on GELU (arXiv 1606.08415)


@operator("sigmoid", prepare=floating)
def sigmoid(x: Array) -> Any:
    """Squash every element into (0, 1); far from 0 it saturates without overflow."""
    out = np.exp(-x)
    out += 1
    return np.reciprocal(out)


mark("gives probabilities", sigmoid)
sigmoid.gradient("x")(lambda dy, out: dy * (out - out * out))
saturates(sigmoid, lambda out: out * (1 - out), 0.25)


@listed(kind="log_sigmoid")
@operator("logsigmoid", name="log_sigmoid", prepare=floating)
def log_sigmoid(x: Array) -> Any:
    """Logarithm of `sigmoid`, exact where `sigmoid` underflows to 0."""
    if x.dtype.kind == "c":
        return -np.log1p(np.exp(-x))
    return np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))


log_sigmoid.gradient("x")(lambda dy, x: dy * sigmoid(-x))


@operator("silu", prepare=floating)
def silu(x: Array) -> Any:
    """Multiply every element by its sigmoid."""
    divisor = np.exp(-x)
    divisor += 1
    return x / divisor


@silu.gradient("x")
def _(dy: Value, x: Value, out: Value) -> Value:
    gate = sigmoid(x)
    return dy * (gate + out * (1 - gate))


@operator("swish", kinds="biuf", prepare=floating)
def swish(x: Array) -> Array:
    """Multiply every element by its sigmoid: the same as `silu`."""
    return silu.kernel(x)


@swish.gradient("x")
def _(dy: Value, x: Value) -> Value:
    gate = sigmoid(x)
    return dy * (gate + x * gate * (1 - gate))


def _log_one_plus_exp(x: Array) -> Any:
    """ln(1 + e^x) without overflow."""
    if x.dtype.kind == "c":
        return np.log1p(np.exp(x))
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


@operator("softplus", prepare=floating)
def softplus(x: Array, *, beta: float = 1.0, threshold: float = 20.0) -> Array:
    """Smooth `relu`: ``ln(1 + exp(beta x)) / beta``; where ``beta x`` is above `threshold`, `x` itself."""
    scaled = x * beta
    return np.where(scaled > threshold, x, _log_one_plus_exp(scaled) / beta)


@softplus.gradient("x")
def _(dy: Value, x: Value, beta: float, threshold: float) -> Value:
    scaled = x * beta
    straight = step((real(scaled) if is_complex(x) else scaled) - threshold)
    return dy * (straight + (1 - straight) * sigmoid(scaled))


@listed(Listing(threshold=20.0))
@operator("mish", kinds="biuf", prepare=floating)
def mish(x: Array) -> Any:
    """Multiply every element by the tanh of its `softplus`."""
    return x * np.tanh(_log_one_plus_exp(x))


@mish.gradient("x")
def _(dy: Value, x: Value) -> Value:
    gate = tanh(softplus(x))
    return dy * (gate + x * sigmoid(x) * (1 - gate * gate))


@operator("softsign", prepare=floating)
def softsign(x: Array) -> Any:
    """Squash every element into (-1, 1), more slowly than tanh."""
    return x / (np.abs(x) + 1)


@softsign.gradient("x", conjugate=False)
def _(dy: Value, x: Value) -> Value:
    divisor = abs(x) + 1
    if is_complex(x):  # the divisor depends on the size of x alone
        return dy / divisor - sgn(x) * (real(conj(dy) * x) / (divisor * divisor))
    return dy / (divisor * divisor)


def _readable_gelu(x: Any, approximate: bool) -> Any:
    """Return the result by a formula that shows the probability in one piece."""
    if approximate:
        return x * (1 + np.tanh(ROOT_TWO_OVER_PI * (x + CUBIC * x**3))) / 2
    return x * (1 + erf(x / math.sqrt(2))) / 2


@operator("gelu", kinds="biuf", prepare=floating)
def gelu(x: Array, *, approximate: bool = False) -> Any:
    """Multiply every element by the probability that a normal number is below it.

    With `approximate` that probability is ``(1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2``.
    """
    if approximate:
        out = np.tanh((x * x * CUBIC + 1) * x * ROOT_TWO_OVER_PI)
        out += 1
        return out * (x * 0.5)
    out = erf.kernel(x * ROOT_HALF)
    out += 1
    return out * x * 0.5


formula(gelu, _readable_gelu)
mark("levels out", sigmoid, log_sigmoid, silu, swish, gelu)


@gelu.gradient("x")
def _(dy: Value, x: Value, approximate: bool) -> Value:
    if approximate:
        squashed = tanh((x * x * CUBIC + 1) * x * ROOT_TWO_OVER_PI)
        inner = (x * x * (3 * CUBIC) + 1) * (0.5 * ROOT_TWO_OVER_PI)
        return dy * (squashed * 0.5 + 0.5 + x * inner * (1 - squashed * squashed))
    return dy * (erf(x * ROOT_HALF) * 0.5 + 0.5 + x * (exp(x * x * -0.5) * (0.5 * ROOT_TWO_OVER_PI)))
