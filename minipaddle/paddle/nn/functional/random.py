"""Functions that draw, beside dropout: its kin, the Gumbel softmax, the leaky ReLU with slopes left to chance."""

from __future__ import annotations

import warnings
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.activation import random as drawing
from minipaddle.paddle.nn.functional.common import alpha_dropout, dropout


def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Zero whole channels of [N, C, L] or [C, L] with probability `p` while `training`; the last N are zeroed together.

    As in Paddle, chance is drawn along the channels only.

    Raises:
        ValueError: **dropout probability must be**.
        RuntimeError: **expects 2D or 3D input**.
    """
    if not 0 <= p <= 1:
        raise failure(ValueError, f"dropout probability must be in [0, 1], got {p}")
    ndim = len(input.shape)
    if ndim not in (2, 3):
        raise failure(RuntimeError, f"dropout1d expects 2D or 3D input, got {ndim}D")
    if inplace:
        warnings.warn("inplace=True is ignored by dropout1d, as in Paddle.", stacklevel=2)
    if ndim == 2:
        return dropout(input.unsqueeze(0), p, 1, training).squeeze(0)
    return dropout(input, p, 1, training)


def dropout3d(
    x: Any, p: float = 0.5, training: bool = True, data_format: str = "NCDHW", name: str | None = None
) -> Any:
    """Zero whole channels of [N, C, D, H, W] with probability `p` while `training`.

    Raises:
        ValueError: **dimensions of x should be 5**, or for another `data_format` than NCDHW and NDHWC.
    """
    if len(x.shape) != 5:
        raise failure(ValueError, f"dimensions of x should be 5, but received {len(x.shape)} != 5")
    if data_format not in ("NCDHW", "NDHWC"):
        raise failure(
            ValueError,
            f"Attr(data_format) should be 'NCDHW' or 'NDHWC'. Received Attr(data_format): {data_format}.",
        )
    return dropout(x, p, [0, 1] if data_format == "NCDHW" else [0, 4], training)


def feature_alpha_dropout(x: Any, p: float = 0.5, training: bool = True, name: str | None = None) -> Any:
    """Dropout for SELU that takes whole channels of [N, C, ...]; see :func:`alpha_dropout`.

    Raises:
        ValueError: **p argument**, **at least 2D input**.
    """
    if training and 0 < p < 1 and len(x.shape) < 2:
        raise failure(ValueError, "Feature alpha dropout needs at least 2D input.")
    return alpha_dropout(x, p, training, axis=(0, 1))


def gumbel_softmax(
    x: Value, temperature: float = 1.0, hard: bool = False, axis: int = -1, name: str | None = None
) -> Any:
    """Draw from categories so that a gradient passes: the softmax of `x` plus Gumbel noise.

    Args:
        x: logarithms of chances, float32 or float64, any shape.
        temperature: the lower, the nearer the result is to a single one among zeros.
        hard: return that one among zeros; the gradient is that of the shares.
        axis: along which the shares sum to 1.
        name: not used.

    Raises:
        ValueError: **temperature must be greater than 0**, or for an axis that `x` does not have.
    """
    if hard and len(x.shape):
        return drawing.gumbel_softmax_hard(x, temperature=temperature, axis=axis)[0]
    return drawing.gumbel_softmax(x, temperature=temperature, axis=axis)


def rrelu(
    x: Any, lower: Any = 1 / 8, upper: Any = 1 / 3, training: bool = True, name: str | None = None
) -> Any:
    """Leaky ReLU whose slopes below 0 are drawn from [lower, upper) while `training`, else their mean.

    Raises:
        TypeError: **must be float type**.
        ValueError: unless 0 <= lower <= upper <= 1.
    """
    if not isinstance(lower, float) or not isinstance(upper, float):
        raise failure(
            TypeError,
            f"The lower and upper values must be float type. Received: lower {lower}, upper {upper}.",
        )
    if not 0 <= lower <= 1:
        raise failure(
            ValueError, f"The lower value must be no less than zero or greater than one. Received: {lower}."
        )
    if upper < lower:
        raise failure(
            ValueError,
            f"The upper value must be greater than lower value. Received: lower {lower}, upper {upper}.",
        )
    if upper > 1:
        raise failure(ValueError, f"The upper value must be no greater than one. Received: {upper}.")
    return drawing.rrelu(x, lower=lower, upper=upper, is_test=not training)[0]
