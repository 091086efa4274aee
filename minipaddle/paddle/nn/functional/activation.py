"""Activations that are not single operators, or have an in-place variant; the others are in ``ops.activation``."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.names.missing import missing
from minipaddle.engine.value.value import Value
from minipaddle.ops.activation import random as drawing
from minipaddle.ops.activation.rectifiers import elu, relu
from minipaddle.ops.activation.sigmoids import gelu as gelu_op
from minipaddle.ops.activation.sigmoids import sigmoid
from minipaddle.ops.activation.sigmoids import silu as silu_op
from minipaddle.ops.definition.arguments import axis_in
from minipaddle.ops.inplace import inplace_variant
from minipaddle.ops.manipulation.split import chunk
from minipaddle.ops.math.arithmetic import multiply

elu_ = inplace_variant(elu)
relu_ = inplace_variant(relu)
_silu_ = inplace_variant(silu_op)


def gelu(x: Value, approximate: bool | str = False, name: str | None = None) -> Any:
    """Return every element times the probability that a normal number is below it.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/functional/gelu_en.html)

    Args:
        x: any float tensor.
        approximate: True or "tanh": use ``(1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2`` as the probability.

    Raises:
        TypeError: **must be bool**.
        ValueError: **the value of approximate in gelu should be 'tanh' or 'none'**.
    """
    if not isinstance(approximate, (bool, str)):
        raise TypeError(f"gelu(): argument (position 2) must be bool, but got {type(approximate).__name__}")
    if isinstance(approximate, str) and approximate not in ("tanh", "none"):
        raise invalid(
            f"the value of approximate in gelu should be 'tanh' or 'none', but received {approximate}"
        )
    return gelu_op.public(x, approximate is True or approximate == "tanh")


def silu(x: Value, inplace: bool = False, name: str | None = None) -> Any:
    """Return every element times its sigmoid; `inplace` writes the result into `x`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/functional/silu_en.html)

    Raises:
        TypeError: **must be bool**.
    """
    if not isinstance(inplace, bool):
        raise TypeError(f"silu(): argument 'inplace' must be bool, but got {type(inplace).__name__}")
    return _silu_(x) if inplace else silu_op.public(x)


def glu(x: Value, axis: int = -1, name: str | None = None) -> Any:
    """Return one half of `x` along `axis`, times the sigmoid of the other.

    Args:
        x: any float tensor, of even size along `axis`.
        axis: the axis that is half as long in the result.

    Raises:
        ValueError: **divisible**, for an odd size; **in range**, for an axis that is not there.
    """
    signal, gate = chunk(x, 2, axis_in(axis, x.ndim))
    return multiply(signal, sigmoid(gate))


def gumbel_softmax(
    x: Value, temperature: float = 1.0, hard: bool = False, axis: int = -1, name: str | None = None
) -> Any:
    """Draw from categories in a differentiable way: return the softmax of `x` plus Gumbel noise.

    Args:
        x: log probabilities, float32 or float64, any shape.
        temperature: the lower, the closer the result is to one-hot.
        hard: return one 1 among zeros; its gradient is the gradient of the softmax.
        axis: the axis along which the result sums to 1.

    Raises:
        ValueError: **temperature must be greater than 0**, or for an axis that `x` does not have.
    """
    if hard and len(x.shape):
        return drawing.gumbel_softmax_hard(x, temperature=temperature, axis=axis)[0]
    return drawing.gumbel_softmax(x, temperature=temperature, axis=axis)


__getattr__ = missing(__name__, globals())
