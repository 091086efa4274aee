"""The even distribution on an interval."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.creation.cast import cast
from minipaddle.ops.math.exponential import log
from minipaddle.ops.random.sample import uniform
from minipaddle.paddle.distribution.distribution import Distribution, like, pair


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
