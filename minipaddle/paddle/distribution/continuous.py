"""The normal distribution, and the even one on an interval."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import zeros
from minipaddle.ops.math.exponential import exp, log
from minipaddle.ops.random.sample import gaussian, uniform
from minipaddle.ops.random.sample import normal as draw_normal
from minipaddle.paddle.distribution.distribution import Distribution, like, pair


class Normal(Distribution):
    """The normal distribution around `loc` with standard deviation `scale`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Normal_en.html)

    Raises:
        ValueError: **all arguments should be Tensor**, if one is.
        TypeError: **Type of input args must be**.
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = name or "Normal"
        self.loc, self.scale = pair(loc, scale)
        self.dtype = self.loc.dtype.name
        super().__init__((self.loc + self.scale).shape)

    @property
    def mean(self) -> Any:
        """`loc`."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The square of `scale`."""
        return self.scale.pow(2)

    def sample(self, shape: Any = (), seed: int = 0) -> Any:
        """Draw; a `seed` that is not 0 is for this call alone."""
        drawn = gaussian(list(self.extended(shape)), 0.0, 1.0, seed, self.dtype)
        return drawn * self.scale + self.loc

    def rsample(self, shape: Any = ()) -> Any:
        """Draw so that gradients reach `loc` and `scale`."""
        return self.loc + draw_normal(0.0, 1.0, list(self.extended(shape))) * self.scale

    def entropy(self) -> Any:
        """Return the entropy."""
        none = zeros(list(self._batch_shape), self.scale.dtype)
        return 0.5 + none + (0.5 * math.log(2 * math.pi) + log(self.scale + none))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        variance, away = self.scale * self.scale, like(self.loc, value) - self.loc
        normalizer = log(self.scale) + math.log(math.sqrt(2.0 * math.pi))
        return -1.0 * (away * away) / (2.0 * variance) - normalizer

    def prob(self, value: Any) -> Any:
        """Return the density."""
        variance, away = self.scale * self.scale, like(self.loc, value) - self.loc
        return exp(-1.0 * (away * away) / (2.0 * variance)) / (math.sqrt(2 * math.pi) * self.scale)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another normal distribution."""
        ratio = self.scale / other.scale
        ratio, away = ratio * ratio, (self.loc - other.loc) / other.scale
        return 0.5 * ratio + 0.5 * (away * away - 1.0 - log(ratio))


class Uniform(Distribution):
    """The distribution that has the same density everywhere between `low` and `high`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Uniform_en.html)

    Raises:
        ValueError: **all arguments should be Tensor**, if one is.
        TypeError: **Type of input args must be**.
    """

    def __init__(self, low: Any, high: Any, name: str | None = None) -> None:
        self.name = name or "Uniform"
        self.low, self.high = pair(low, high)
        self.dtype = self.low.dtype.name
        super().__init__((self.low + self.high).shape)

    def sample(self, shape: Any = (), seed: int = 0) -> Any:
        """Draw; a `seed` that is not 0 is for this call alone."""
        drawn = uniform(list(self.extended(shape)), self.dtype, 0.0, 1.0, seed)
        return drawn * (self.high - self.low) + self.low

    rsample = sample

    def _inside(self, value: Any) -> Any:
        """Return 1 for what lies between the two, else 0."""
        return cast(self.low < value, value.dtype) * cast(value < self.high, value.dtype)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density: -inf outside."""
        value = like(self.low, value)
        return log(self._inside(value)) - log(self.high - self.low)

    def prob(self, value: Any) -> Any:
        """Return the density: 0 outside."""
        value = like(self.low, value)
        return self._inside(value) / (self.high - self.low)

    def entropy(self) -> Any:
        """Return the entropy."""
        return log(self.high - self.low)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one, which is infinite unless it covers this."""
        covered = cast(other.low <= self.low, self.low.dtype) * cast(self.high <= other.high, self.low.dtype)
        return log((other.high - other.low) / (self.high - self.low)) - log(covered)
