"""Distributions of whole numbers: successes among tries, failures before one, events in a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.autograd.grad_mode import no_grad
from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.dtype import as_numpy, default_float
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.convert import array_from
from minipaddle.ops.creation.range import arange
from minipaddle.ops.math.clip import clip
from minipaddle.ops.math.exponential import exp, log, log1p, sqrt
from minipaddle.ops.math.gamma import lgamma
from minipaddle.ops.math.minimum import maximum
from minipaddle.ops.math.power import pow
from minipaddle.ops.math.rounding import floor
from minipaddle.ops.random.sample import uniform
from minipaddle.ops.reduction.broadcast import broadcast_to
from minipaddle.ops.sampling import distributions as draws
from minipaddle.paddle.distribution.distribution import Distribution, real_or_tensor, same_kind, together

_LEAST = float(np.finfo("float32").tiny)


def _finite(found: Any, dtype: Any) -> Any:
    """Return logarithms of probabilities with what is impossible at the least number of the type, and nan at 0."""
    limits = np.finfo(as_numpy(dtype))
    array = found.array
    if np.isfinite(array).all():
        return found
    wrong = ~np.isfinite(array)
    instead = np.where(np.isnan(array), 0, np.where(array > 0, limits.max, -limits.eps)).astype(array.dtype)
    keep = Tensor(np.where(wrong, 0, 1).astype(array.dtype))
    safe = Tensor(np.where(wrong, instead, 0).astype(array.dtype))
    return found.masked_fill(Tensor(wrong), 0.0) * keep + safe


def _sequence(shape: Any) -> tuple[int, ...]:
    """Return the shape of draws as a tuple.

    Raises:
        TypeError: **must be Sequence**.
    """
    if not isinstance(shape, Sequence):
        raise failure(TypeError, "sample shape must be Sequence object.")
    return tuple(int(size) for size in shape)


class Geometric(Distribution):
    """The distribution of how many tries fail before one succeeds, each with the chance `probs`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Geometric_en.html)

    Raises:
        TypeError: **Expected type of probs**.
        ValueError: unless 0 < probs <= 1.
    """

    probs: Any

    def __init__(self, probs: Any) -> None:
        self.probs = real_or_tensor("probs", probs)
        if isinstance(self.probs, Tensor) and not ((self.probs.array > 0) & (self.probs.array <= 1)).all():
            raise failure(ValueError, "Expected parameter probs of distribution Geometric to be in (0, 1].")
        super().__init__(self.probs.shape)

    @property
    def mean(self) -> Any:
        """The mean."""
        return 1.0 / self.probs - 1.0

    @property
    def variance(self) -> Any:
        """The variance."""
        return (1.0 / self.probs - 1.0) / self.probs

    @property
    def stddev(self) -> Any:
        """The standard deviation."""
        return sqrt(self.variance)

    def pmf(self, k: Any) -> Any:
        """Return the probability of `k` failures.

        Raises:
            TypeError: **Expected type of k**.
        """
        return pow(1.0 - self.probs, self._count(k)) * self.probs

    def log_pmf(self, k: Any) -> Any:
        """Return the logarithm of the probability of `k` failures."""
        return log(self.pmf(k))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the probability of `value` failures."""
        return self.log_pmf(value)

    def rsample(self, shape: Any = ()) -> Any:
        """Draw numbers of failures."""
        parts = uniform(self.extended(shape), self.probs.dtype, _LEAST, 1.0)
        return floor(log(parts) / log1p(-self.probs))

    def entropy(self) -> Any:
        """Return the entropy."""
        other = 1.0 - self.probs
        return -(other * log(other) + self.probs * log(self.probs)) / self.probs

    def cdf(self, k: Any) -> Any:
        """Return the probability of at most `k` failures."""
        return 1.0 - pow(1.0 - self.probs, self._count(k) + 1)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one, as Paddle defines it: that of a single try.

        Raises:
            TypeError: **Expected type of other**.
        """
        same_kind(self, other)
        p, q = self.probs, other.probs
        return p * log(p / q) + (1.0 - p) * log((1.0 - p) / (1.0 - q))

    @staticmethod
    def _count(k: Any) -> Any:
        if not isinstance(k, (int, Value)):
            raise failure(
                TypeError, f"Expected type of k is number.Real|framework.Variable|Value, but got {type(k)}"
            )
        return k


class Poisson(Distribution):
    """The distribution of how often something happens that happens `rate` times on average.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Poisson_en.html)

    Raises:
        ValueError: for a rate below 0.
    """

    def __init__(self, rate: Any) -> None:
        if not isinstance(rate, Value):
            rate = Tensor(array_from([rate], default_float()))
        if not (rate.array >= 0).all():
            raise failure(ValueError, "Every element of input parameter `rate` should be nonnegative.")
        self.rate = rate
        self.dtype = rate.dtype.name
        super().__init__(rate.shape)

    @property
    def mean(self) -> Any:
        """`rate`."""
        return self.rate

    @property
    def variance(self) -> Any:
        """`rate`."""
        return self.rate

    def sample(self, shape: Any = ()) -> Any:
        """Draw."""
        with no_grad():
            return draws.poisson(broadcast_to(self.rate, self.extended(_sequence(shape))))

    def _support(self, rate: Any) -> Any:
        """Return the numbers from 0 up that are not too improbable to count."""
        largest = float(rate.array.max())
        upper = int(largest + 30 * (math.sqrt(largest) if largest >= 1 else 1))
        return arange(0, upper, dtype=self.dtype)

    def entropy(self) -> Any:
        """Return the entropy, as a sum over the numbers that count."""
        found = self.log_prob(self._support(self.rate).reshape([-1] + [1] * len(self._batch_shape)))
        return -(exp(found) * found).sum(0) * cast(self.rate != 0, self.dtype)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the probability."""
        value = cast(value, self.dtype)
        return _finite(-self.rate + value * log(self.rate) - lgamma(value + 1), self.dtype)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one, as a sum over the numbers that count.

        Raises:
            ValueError: **share the same `batch_shape`**.
        """
        if self.batch_shape != other.batch_shape:
            raise failure(
                ValueError, "KL divergence of two poisson distributions should share the same `batch_shape`."
            )
        support = self._support(maximum(self.rate, other.rate))[:-1].reshape(
            [-1] + [1] * len(self._batch_shape)
        )
        mine, others = self.log_prob(support), other.log_prob(support)
        return (exp(mine) * (mine - others)).sum(0)


class Binomial(Distribution):
    """The distribution of how many of `total_count` tries succeed, each with the chance `probs`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Binomial_en.html)

    Raises:
        ValueError: for counts below 1 or chances beyond 0 and 1.
    """

    probs: Any

    def __init__(self, total_count: Any, probs: Any) -> None:
        chances = probs if isinstance(probs, Value) else Tensor(array_from(probs, default_float()))
        self.dtype = chances.dtype.name
        count = total_count if isinstance(total_count, Value) else Tensor(array_from(total_count, self.dtype))
        self.total_count, self.probs = together(cast(count, self.dtype), chances)
        if not (self.total_count.array >= 1).all():
            raise failure(
                ValueError, "Every element of input parameter `total_count` should be at least one."
            )
        if not ((self.probs.array >= 0) & (self.probs.array <= 1)).all():
            raise failure(
                ValueError, "Every element of input parameter `probs` should be a probability: in [0, 1]."
            )
        super().__init__(self.total_count.shape)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.total_count * self.probs

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, shape: Any = ()) -> Any:
        """Draw."""
        wide = self.extended(_sequence(shape))
        with no_grad():
            tries, chances = broadcast_to(self.total_count, wide), broadcast_to(self.probs, wide)
            return cast(draws.binomial(cast(tries, "int32"), chances), self.dtype)

    def _support(self) -> Any:
        """Return all numbers there may be, along a new first axis."""
        most = int(self.total_count.array.max())
        return arange(1 + most, dtype=self.dtype).reshape([-1] + [1] * len(self._batch_shape))

    def entropy(self) -> Any:
        """Return the entropy."""
        found = self.log_prob(self._support())
        return -(exp(found) * found).sum(0)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the probability."""
        value, count = cast(value, self.dtype), self.total_count
        least = float(np.finfo(self.dtype).eps)
        chances = clip(self.probs, least, 1 - least)
        ways = lgamma(count + 1.0) - lgamma(count - value + 1.0) - lgamma(value + 1.0)
        return _finite(ways + value * log(chances) + (count - value) * log(1 - chances), self.dtype)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one of as many tries."""
        support = self._support()
        mine, others = self.log_prob(support), other.log_prob(support)
        return (exp(mine) * (mine - others)).sum(0)
