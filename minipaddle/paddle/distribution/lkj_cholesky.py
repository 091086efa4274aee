"""The distribution over the Cholesky factors of correlation matrices, of Lewandowski, Kurowicka and Joe."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.autograd.grad_mode import no_grad
from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.full import ones
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.math.clip import clip
from minipaddle.ops.random.sample import randn
from minipaddle.paddle.distribution.distribution import Distribution, parameters
from minipaddle.paddle.distribution.gamma import Beta


class LKJCholesky(Distribution):
    """The distribution over lower triangles L whose L L' is a correlation matrix of `dim` rows.

    The higher the `concentration`, the nearer is the matrix to the identity; 1.0: all are equally likely.
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/LKJCholesky_en.html)

    Args:
        dim: how many rows, at least 2.
        concentration: above 0, a float, a list of them, or a tensor.
        sample_method: how to draw: "onion", row by row, or "cvine", from partial correlations. Those of "onion" are
            Paddle's: from the third row on they spread wider than the density says.

    Raises:
        ValueError: **Expected dim greater than or equal to 2**, **must be positive**, **should be one of**.
        TypeError: **Expected dim to be an integer**, **Type of input args must be**.
    """

    def __init__(self, dim: int = 2, concentration: Any = 1.0, sample_method: str = "onion") -> None:
        (self.concentration,) = parameters(concentration)
        self.dtype = self.concentration.dtype.name
        if dim < 2:
            raise failure(ValueError, f"Expected dim greater than or equal to 2. Found dim={dim}.")
        if not isinstance(dim, int):
            raise failure(TypeError, f"Expected dim to be an integer. Found dim={dim}.")
        if isinstance(self.concentration, Tensor) and not (self.concentration.numpy() > 0).all():
            raise failure(ValueError, "The arg of `concentration` must be positive.")
        if sample_method not in ("onion", "cvine"):
            raise failure(ValueError, "`method` should be one of 'cvine' or 'onion'.")
        self.dim, self.sample_method = dim, sample_method
        super().__init__(self.concentration.shape, (dim, dim))
        marginal = (self.concentration + 0.5 * (dim - 2)).unsqueeze(-1)
        if sample_method == "onion":
            steps = np.array([0, *range(dim - 1)])
            self._beta = Beta(self._constant(steps + 0.5), marginal - self._constant(0.5 * steps))
        else:
            weights = marginal - self._constant(0.5 * np.tril_indices(dim - 1)[1])
            self._beta = Beta(weights, weights)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw, without a gradient: `sample_shape` + batch shape + [dim, dim].

        Raises:
            TypeError: **must be Sequence**.
        """
        if not isinstance(sample_shape, Sequence):
            raise failure(TypeError, "sample shape must be Sequence object.")
        with no_grad():
            return self._onion(sample_shape) if self.sample_method == "onion" else self._cvine(sample_shape)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density at the lower triangles `value`."""
        less = self.dim - 1
        rows = self._constant(self.dim - np.arange(2, self.dim + 1))
        order = 2 * (self.concentration - 1).unsqueeze(-1) + rows
        density = (order * value.diagonal(0, -1, -2)[..., 1:].log()).sum(-1)
        alpha = self.concentration + 0.5 * less
        gammas = ((alpha - 0.5).unsqueeze(-1) - self._constant(0.5 * np.arange(less))).lgamma().sum(-1)
        halves = 0.5 * less + 0.25 * less * (less - 1)
        return density - (halves * math.log(math.pi) + gammas - alpha.lgamma() * less)

    def _onion(self, shape: Any) -> Any:
        """Draw a point on a sphere for every row, and how long the row is."""
        lengths = self._beta.sample(shape).unsqueeze(-1).sqrt()
        points = randn(self.extended(shape), self.dtype).tril(-1)
        first = self._constant(np.eye(self.dim)[:, :1])  # the first row is 0 already: divided by 1, not by 0
        below = lengths * (points / (points.norm(axis=-1, keepdim=True) + first))
        left = clip(1 - below.square().sum(-1), min=float(np.finfo(as_numpy(self.dtype)).tiny))
        return below + left.sqrt().diag_embed()

    def _cvine(self, shape: Any) -> Any:
        """Draw partial correlations: each of them takes its share of what the ones on its left leave of the row."""
        rows, columns = np.tril_indices(self.dim, -1)
        places = np.zeros((len(rows), self.dim * self.dim))
        places[np.arange(len(rows)), rows * self.dim + columns] = 1
        shares = matmul(2 * self._beta.sample(shape) - 1, self._constant(places)).reshape(
            self.extended(shape)
        )
        left = (1 - shares.square()).sqrt().cumprod(-1)[..., :-1]
        before = concat([ones([*self.extended(shape)[:-1], 1], self.dtype), left], -1)
        return (shares + self._constant(np.eye(self.dim))) * before

    def _constant(self, values: Any) -> Value:
        """Return numbers as a tensor of the type of the parameters."""
        return Tensor(np.asarray(values, as_numpy(self.dtype)))
