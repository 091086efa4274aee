"""How variables change together: covariance, and correlation."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.eager import current
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import sizes
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.linalg.einsum import einsum_op
from minipaddle.ops.linalg.matrix import adjoint, as_column, as_row
from minipaddle.ops.math.clip import clip
from minipaddle.ops.math.complex import is_complex
from minipaddle.ops.math.exponential import sqrt
from minipaddle.ops.reduction.sum import cast_to, sum
from minipaddle.ops.views.reshape import reshape2, squeeze
from minipaddle.ops.views.transpose import t


def cov(
    x: Value,
    rowvar: bool = True,
    ddof: bool = True,
    fweights: Value | None = None,
    aweights: Value | None = None,
    name: str | None = None,
) -> Value:
    """Return the covariances of variables, each with each; that of one variable is its variance.

    Args:
        x: [variables, observations], or the observations of one variable.
        rowvar: whether a row is a variable; otherwise a column is.
        ddof: whether to divide by the number of observations less one.
        fweights: how often each observation was made, integers.
        aweights: how much each observation weighs.
        name: ignored.

    Raises:
        ValueError: for more than two axes, or weights that do not fit, or are negative.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/cov_en.html
    """
    _checked("cov", x)
    rows = reshape2(x, (1, -1)) if x.ndim == 1 else x if rowvar or x.shape[0] == 1 else t(x)
    count = sizes(rows)[1]
    weights = None
    for argument, given in (("fweights", fweights), ("aweights", aweights)):
        if given is not None:
            _checked_weights(argument, given, rows)
            given = cast_to(given, x.dtype)
            weights = given if weights is None else weights * given
    if weights is None:
        mean, total = sum(rows, 1) / count, count
        weighted = rows - as_column(mean)
        freedom: Any = count - 1 if ddof else count
    else:
        total = sum(weights)
        mean = sum(rows * weights, 1) / total
        weighted = (rows - as_column(mean)) * weights
        if not ddof:
            freedom = total
        elif aweights is None:
            freedom = total - 1
        else:
            freedom = total - sum(weights * cast_to(aweights, x.dtype)) / total
    return squeeze((rows - as_column(mean)) @ adjoint(weighted) / freedom)


def corrcoef(x: Value, rowvar: bool = True, name: str | None = None) -> Value:
    """Return the correlations of variables, each with each: their covariances, divided by both standard deviations.

    Args:
        x: [variables, observations], or the observations of one variable.
        rowvar: whether a row is a variable; otherwise a column is.
        name: ignored.

    Raises:
        ValueError: for more than two axes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/corrcoef_en.html
    """
    _checked("corrcoef", x)
    found = cov(x, rowvar)
    if found.ndim == 0:
        return found / found
    deviation = sqrt(einsum_op([found], "ii->i"))
    found = found / as_column(deviation) / as_row(deviation)
    return found if is_complex(found) else clip(found, -1, 1)


def _checked(function: str, x: Value) -> None:
    if not 1 <= x.ndim <= 2:
        raise ValueError(
            f"Input(x) only support N-D (1<=N<=2) tensor in {function}, but received length of Input(input) is "
            f"{x.ndim}."
        )
    if numpy_dtype(x).kind not in "fc":
        raise failure(
            TypeError, f"The dtype of x in {function} must be float32 or float64, but is {x.dtype}."
        )


def _checked_weights(argument: str, weights: Value, rows: Value) -> None:
    if weights.ndim > 1:
        raise ValueError(
            f"Input({argument}) only support N-D (N<=1) tensor in cov, but received shape of Input(input) is "
            f"{weights.ndim}."
        )
    if weights.shape[0] != rows.shape[1]:
        raise ValueError(
            f"The number of Input({argument}) should equal to x's dim[1]: {rows.shape[1]}, but received size of "
            f"Input({argument}) is {weights.shape[0]}."
        )
    if current.get().dynamic and weights.shape[0]:
        least = np.asarray(weights).min()
        if least < 0:
            raise ValueError(
                f"The value of Input({argument}) cannot be negative, but received min of Input({argument}) is "
                f"{least}."
            )
        if argument == "fweights" and numpy_dtype(weights).kind not in "iu":
            raise ValueError("Input(fweights) must be integers.")
