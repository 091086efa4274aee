"""static.nn: products of two inputs, of neighbouring rows, and a weight divided by its largest singular value."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.engine.names.unique import unique_name
from minipaddle.ops.linalg.bilinear import bilinear
from minipaddle.ops.linalg.bilinear import row_conv as row_conv_operator
from minipaddle.ops.linalg.spectral_norm import spectral_norm as spectral_norm_operator
from minipaddle.paddle.nn.initializer import Normal
from minipaddle.paddle.nn.parameter.create import make_parameter
from minipaddle.paddle.static.build import check_variable, layer, static_only
from minipaddle.paddle.static.nn.common import NewLayer, activated
from minipaddle.paddle.static.program import Variable


def bilinear_tensor_product(
    x: Any,
    y: Any,
    size: int,
    act: str | None = None,
    name: str | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
) -> Variable:
    """Return ``x @ W[k] @ y + b[k]`` for each `k` below `size`: [N, I] and [N, J] give [N, size].

    Raises:
        TypeError: **x** is no Variable of floats.
    """
    new = NewLayer("bilinear_tensor_product", x, name, "x")
    weight = new.parameter([size, x.shape[1], y.shape[1]], param_attr)
    bias = new.parameter([1, size], bias_attr, is_bias=True)
    with layer(new.name):
        return activated(bilinear(x, y, weight, bias), act)


def row_conv(
    input: Any, future_context_size: int, param_attr: Any = None, act: str | None = None
) -> Variable:
    """Return for each row the sum of it and those that follow it, each times a row of the filter.

    Args:
        input: sequences [batch, time, width], or one [time, width].
        future_context_size: how many rows that follow count; beyond the end there are zeros.
        param_attr: a ``ParamAttr`` of the filter [future_context_size + 1, width].
        act: name of a function in ``paddle.nn.functional``.

    Raises:
        TypeError: **input** is no Variable of floats.
        ValueError: it has neither two nor three axes.
    """
    new = NewLayer("row_conv", input, None)
    x = new.x
    if x.ndim not in (2, 3):
        raise failure(ValueError, f"The input of row_conv must have 2 or 3 axes, but its shape is {x.shape}.")
    weight = new.parameter([future_context_size + 1, x.shape[-1]], param_attr)
    with layer(new.name):
        return activated(row_conv_operator(x, weight), act)


def spectral_norm(
    weight: Any, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, name: str | None = None
) -> Variable:
    """Divide a weight by its largest singular value, found by power iterations from random vectors.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/nn/spectral_norm_en.html)

    Args:
        weight: a Variable; the axes other than `dim` count as one.
        dim: which axis has the outputs.
        power_iters: how many iterations.
        eps: keeps lengths away from 0.
        name: beginning of the names.

    Raises:
        TypeError: **weight** is no Variable of floats.
    """
    static_only("spectral_norm")
    check_variable(weight, "weight", "spectral_norm", "f")
    owner = name or unique_name("spectral_norm")
    height = weight.shape[dim]
    u, v = (
        make_parameter(lambda: owner, [size], None, weight.meta.dtype, False, Normal(0.0, 1.0))
        for size in (height, math.prod(weight.shape) // height)
    )
    u.stop_gradient = v.stop_gradient = True
    with layer(owner):
        found: Variable = spectral_norm_operator(weight, u, v, dim, power_iters, eps)
        return found
