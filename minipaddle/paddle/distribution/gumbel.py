"""The distribution of the largest of many numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.ops.creation.full import full_like
from minipaddle.ops.math.exponential import exp, log, sqrt
from minipaddle.ops.random.sample import uniform
from minipaddle.paddle.distribution.location import AtPlace


class Gumbel(AtPlace):
    """The distribution of the largest of many numbers.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Gumbel_en.html)
    """

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.loc + self.scale * np.euler_gamma

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.scale.pow(2) * (math.pi * math.pi) / 6

    @property
    def stddev(self) -> Any:
        """The standard deviation."""
        return sqrt(self.variance)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        return log(self.prob(value))

    def prob(self, value: Any) -> Any:
        """Return the density."""
        away = (self.loc - value.astype(self.loc.dtype)) / self.scale
        return exp(away - exp(away)) / self.scale

    def cdf(self, value: Any) -> Any:
        """Return the probability of what is not above `value`."""
        return exp(-exp(-(value - self.loc.astype(value.dtype)) / self.scale.astype(value.dtype)))

    def entropy(self) -> Any:
        """Return the entropy."""
        return log(self.scale) + 1 + np.euler_gamma

    def rsample(self, shape: Any = ()) -> Any:
        """Draw so that gradients reach `loc` and `scale`."""
        limits = np.finfo("float32")
        low, high = full_like(self.loc, float(limits.tiny)), full_like(self.loc, float(1 - limits.eps))
        parts = uniform(self.extended(shape), self.loc.dtype, 0.0, 1.0) * (high - low) + low
        return self.loc - self.scale * log(-log(parts))
