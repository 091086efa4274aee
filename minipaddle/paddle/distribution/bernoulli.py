"""The distribution of yes and no."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.tensor.grad_mode import no_grad
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.ops.creation.full import full, ones_like, zeros_like
from minipaddle.ops.math.clip import clip
from minipaddle.ops.math.exponential import log, log1p
from minipaddle.ops.random.sample import bernoulli, rand
from minipaddle.ops.reduction.broadcast import expand
from minipaddle.ops.search.where import where
from minipaddle.paddle.distribution.distribution import Distribution, like, parameters, together
from minipaddle.paddle.nn.functional import binary_cross_entropy_with_logits, sigmoid, softplus


class Bernoulli(Distribution):
    """The distribution that gives 1 with the probability `probs`, a float or a tensor, else 0.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Bernoulli_en.html)

    Raises:
        TypeError: **Type of input args must be**.
    """

    probs: Any

    def __init__(self, probs: Any, name: str | None = None) -> None:
        self.name = name or "Bernoulli"
        (given,) = parameters(probs)
        self.dtype = given.dtype.name
        least = float(np.finfo(as_numpy(self.dtype)).eps)
        self.probs = clip(given, least, 1 - least)
        self.logits = log(self.probs) - log1p(-self.probs)
        super().__init__(self.probs.shape)

    @property
    def mean(self) -> Any:
        """The probability of 1."""
        return self.probs

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.probs * (1 - self.probs)

    def sample(self, shape: Any = ()) -> Any:
        """Draw zeros and ones."""
        with no_grad():
            return bernoulli(expand(self.probs, self.extended(shape)))

    def rsample(self, shape: Any = (), temperature: float = 1.0) -> Any:
        """Draw so that gradients reach `probs`: logits, whose sigmoid is nearer to 0 or 1 the lower `temperature`."""
        wide = self.extended(shape)
        chances, parts = expand(self.probs, wide), rand(wide, self.dtype)
        odds = (log(parts) - log1p(-parts)) + (log(chances) - log1p(-chances))
        return odds / full([], temperature, self.dtype)

    def cdf(self, value: Any) -> Any:
        """Return the probability of what is not above `value`."""
        chances, value = together(self.probs, like(self.probs, value))
        ones = ones_like(chances)
        return where(value < 0, zeros_like(chances), where(value < 1, ones - chances, ones))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the probability of 0 or 1."""
        logits, value = together(self.logits, like(self.probs, value))
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Any:
        """Return the entropy."""
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one."""
        ones = -softplus(-self.logits) + softplus(-other.logits)
        zeros = -softplus(self.logits) + softplus(other.logits)
        return ones * sigmoid(self.logits) + zeros * sigmoid(-self.logits)
