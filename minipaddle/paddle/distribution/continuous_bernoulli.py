"""The distribution between no and yes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy, default_float
from minipaddle.engine.core.errors import failure
from minipaddle.ops.creation.full import full, ones_like, zeros_like
from minipaddle.ops.math.clip import clip
from minipaddle.ops.math.exponential import log, log1p
from minipaddle.ops.random.sample import rand
from minipaddle.ops.search.where import where
from minipaddle.paddle.distribution.distribution import Distribution


class ContinuousBernoulli(Distribution):
    """The distribution over 0 to 1 with a density proportional to probs^x (1 - probs)^(1 - x).

    Near one half, between the two numbers `lims`, the exact formulas divide by almost nothing: there a few terms of
    their Taylor series stand for them.
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/ContinuousBernoulli_en.html)
    """

    probs: Any

    def __init__(self, probs: Any, lims: tuple[float, float] = (0.499, 0.501)) -> None:
        given = full([1], probs, default_float()) if isinstance(probs, (float, int)) else probs
        self.dtype = given.dtype
        least = float(np.finfo(as_numpy(given.dtype)).eps)
        self.probs = clip(given, least, 1 - least)
        self.lims = lims
        self.is_far = (self.probs <= lims[0]).logical_or(self.probs > lims[1])
        """Where the exact formulas serve."""
        self._safe = where(self.is_far, self.probs, full(self.probs.shape, lims[0], self.dtype))
        super().__init__(self.probs.shape)

    @property
    def mean(self) -> Any:
        """The mean."""
        safe, x = self._safe, self.probs - 0.5
        exact = safe / (2 * safe - 1) + 1 / (2 * _inverse_tanh(1 - 2 * safe))
        return where(self.is_far, exact, 0.5 + (1 / 3 + 16 / 45 * x.square()) * x)

    @property
    def variance(self) -> Any:
        """The variance."""
        safe, x = self._safe, (self.probs - 0.5).square()
        exact = safe * (safe - 1) / (1 - 2 * safe).square() + 1 / (log1p(-safe) - log(safe)).square()
        return where(self.is_far, exact, 1 / 12 - (1 / 15 - 128 / 945 * x) * x)

    def rsample(self, shape: Any = ()) -> Any:
        """Draw so that gradients reach `probs`: the quantiles of uniform numbers.

        Raises:
            TypeError: **must be Sequence**.
        """
        if not isinstance(shape, Sequence):
            raise failure(TypeError, "sample shape must be Sequence object.")
        return self.icdf(rand(self.extended(shape), self.dtype))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density at `value`, from 0 to 1."""
        value = value.astype(self.dtype)
        return self._log_constant() + (value * log(self.probs) + (1 - value) * log(1 - self.probs))

    def entropy(self) -> Any:
        """Return the entropy."""
        yes, no = log(self.probs), log1p(-self.probs)
        found = -self._log_constant() + self.mean * (no - yes) - no
        return where(self.probs == 0.5, zeros_like(self.probs), found)

    def cdf(self, value: Any) -> Any:
        """Return the probability of what is not above `value`."""
        value, safe = value.astype(self.dtype), self._safe
        exact = (safe.pow(value) * (1 - safe).pow(1 - value) + safe - 1) / (2 * safe - 1)
        inside = where(self.is_far, exact, value)
        return where(value <= 0, zeros_like(value), where(value >= 1, ones_like(value), inside))

    def icdf(self, value: Any) -> Any:
        """Return the number that is not exceeded with the probability `value`."""
        value, safe = value.astype(self.dtype), self._safe
        exact = (log1p(-safe + value * (2 * safe - 1)) - log1p(-safe)) / (log(safe) - log1p(-safe))
        return where(self.is_far, exact, value)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one.

        Raises:
            ValueError: **should share the same**, if the batch shapes differ.
        """
        if self.batch_shape != other.batch_shape:
            raise failure(
                ValueError,
                "KL divergence of two Continuous Bernoulli distributions should share the same `batch_shape`.",
            )
        yes, no = log(other.probs), log1p(-other.probs)
        return -self.entropy() - (other._log_constant() + self.mean * (yes - no) + no)

    def _log_constant(self) -> Any:
        """Return the logarithm of the factor that makes the density a density."""
        safe, x = self._safe, (self.probs - 0.5).square()
        exact = log(2 * _inverse_tanh(1 - 2 * safe).abs()) - log((1 - 2 * safe).abs())
        return where(self.is_far, exact, float(np.log(2)) + (4 / 3 + 104 / 45 * x) * x)


def _inverse_tanh(x: Any) -> Any:
    """Return the inverse of the hyperbolic tangent."""
    return 0.5 * (log1p(x) - log1p(-x))
