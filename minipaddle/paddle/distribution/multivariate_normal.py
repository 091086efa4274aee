"""The normal distribution of vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import default_float
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import full
from minipaddle.ops.creation.range import eye
from minipaddle.ops.linalg.cholesky import cholesky, triangular_solve
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.manipulation.flip import flip
from minipaddle.ops.math.exponential import log, square
from minipaddle.ops.random.sample import normal
from minipaddle.ops.reduction.broadcast import broadcast_to
from minipaddle.ops.views.transpose import swapaxes
from minipaddle.paddle.distribution.distribution import Distribution


class MultivariateNormal(Distribution):
    """The normal distribution of vectors around `loc`, told by one of three matrices.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/MultivariateNormal_en.html)

    Args:
        loc: [..., n].
        covariance_matrix: [..., n, n].
        precision_matrix: its inverse.
        scale_tril: its Cholesky factor.

    Raises:
        ValueError: **Exactly one of**, **must be at least two-dimensional**.
    """

    def __init__(
        self, loc: Any, covariance_matrix: Any = None, precision_matrix: Any = None, scale_tril: Any = None
    ) -> None:
        loc = loc if isinstance(loc, Value) else full([1], loc, default_float())
        self.dtype = loc.dtype.name
        given = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        told = {name: matrix for name, matrix in given.items() if matrix is not None}
        if len(told) != 1:
            raise failure(
                ValueError,
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.",
            )
        ((name, matrix),) = told.items()
        if len(matrix.shape) < 2:
            raise failure(
                ValueError, f"{name} must be at least two-dimensional, with optional leading batch dimensions"
            )
        matrix, loc = cast(matrix, self.dtype), loc.reshape([1]) if not loc.shape else loc
        batch = np.broadcast_shapes(tuple(matrix.shape[:-2]), tuple(loc.shape[:-1]))
        self.covariance_matrix = self.precision_matrix = self.scale_tril = None
        setattr(self, name, broadcast_to(matrix, [*batch, *matrix.shape[-2:]]))
        self.loc = broadcast_to(loc, [*batch, loc.shape[-1]])
        self._factor = _factor(name, matrix)
        super().__init__(batch, self.loc.shape[-1:])

    @property
    def mean(self) -> Any:
        """`loc`."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The variance of each component."""
        return broadcast_to(square(self._factor).sum(-1), self._batch_shape + self._event_shape)

    def rsample(self, shape: Any = ()) -> Any:
        """Draw vectors so that gradients reach `loc` and the matrix.

        Raises:
            TypeError: **must be Sequence**.
        """
        if not isinstance(shape, Sequence):
            raise failure(TypeError, "sample shape must be Sequence object.")
        drawn = cast(normal(shape=self.extended(shape)), self.dtype)
        return self.loc + matmul(self._factor, drawn.unsqueeze(-1)).squeeze(-1)

    def _half_log_det(self) -> Any:
        """Return half the logarithm of the determinant of the covariance."""
        return log((self._factor * eye(self._event_shape[0], dtype=self.dtype)).sum(-1)).sum(-1)

    def _distance(self, away: Any) -> Any:
        """Return the square of the distance of `away` from 0, in standard deviations."""
        return square(_solved(self._factor, away.unsqueeze(-1))).sum([-2, -1])

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        norm = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (norm + self._distance(cast(value, self.dtype) - self.loc)) - self._half_log_det()

    def entropy(self) -> Any:
        """Return the entropy."""
        found = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
        return broadcast_to(found, self._batch_shape) if self._batch_shape else found

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one.

        Raises:
            ValueError: **should share the same**.
        """
        if self._event_shape != other._event_shape:
            raise failure(
                ValueError,
                "KL divergence of two Multivariate Normal distributions should share the same `batch_shape` and "
                "`event_shape`.",
            )
        spread = square(_solved(other._factor, self._factor)).sum([-2, -1])
        distance = spread + other._distance(self.loc - other.loc)
        return other._half_log_det() - self._half_log_det() + 0.5 * (distance - self._event_shape[0])


def _factor(name: str, matrix: Any) -> Any:
    """Return the Cholesky factor of the covariance that a matrix of this name tells."""
    if name == "scale_tril":
        return matrix
    if name == "covariance_matrix":
        return cholesky(matrix)
    upper = swapaxes(flip(cholesky(flip(matrix, [-2, -1])), [-2, -1]), -2, -1)
    return _solved(upper, eye(matrix.shape[-1], dtype=matrix.dtype))


def _solved(lower: Any, right: Any) -> Any:
    """Return what a lower triangular matrix turns into `right`."""
    shape = np.broadcast_shapes(tuple(lower.shape[:-2]), tuple(right.shape[:-2]))
    wide = [broadcast_to(one, [*shape, *one.shape[-2:]]) for one in (lower, right)]
    return triangular_solve(*wide, upper=False)
