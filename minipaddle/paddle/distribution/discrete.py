"""Distributions over 0 and 1, and over several categories."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.tensor.grad_mode import no_grad
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.value import Value
from minipaddle.ops.indexing.gather import gather
from minipaddle.ops.indexing.take_along_axis import take_along_axis
from minipaddle.ops.math.exponential import exp, log, log1p
from minipaddle.ops.math.maximum_minimum import clip
from minipaddle.ops.random.sample import bernoulli, multinomial
from minipaddle.ops.reduction.minmax import max
from minipaddle.ops.reduction.sum import expand
from minipaddle.ops.views.reshape import reshape
from minipaddle.ops.views.transpose import transpose
from minipaddle.paddle.distribution.distribution import Distribution, like, parameters, together
from minipaddle.paddle.nn.functional import binary_cross_entropy_with_logits, sigmoid, softmax, softplus


class Bernoulli(Distribution):
    """The distribution that gives 1 with the probability `probs`, a float or a tensor, else 0."""

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


class Categorical(Distribution):
    """The distribution over categories 0, 1, ... with `logits` along the last axis.

    As in Paddle, samples, entropy and divergence use their softmax; ``probs`` and ``log_prob`` divide by their sum.
    """

    def __init__(self, logits: Any, name: str | None = None) -> None:
        self.name = name or "Categorical"
        typed = (
            logits.dtype.name if isinstance(logits, np.ndarray) and logits.dtype.kind == "f" else "float32"
        )
        self.logits: Any = logits
        if not isinstance(logits, Value):
            self.logits = parameters(logits)[0].astype(typed)
        self.dtype = self.logits.dtype.name
        self._prob = self.logits / self.logits.sum(-1, keepdim=True)
        super().__init__(self.logits.shape[:-1])

    def sample(self, shape: Any = ()) -> Any:
        """Draw indices of categories: int64, `shape` + batch shape."""
        shape = [int(size) for size in shape]
        batch, count = list(self.logits.shape[:-1]), self.logits.shape[-1]
        rows = self.logits.reshape([math.prod(batch), count]) if batch else self.logits
        drawn = multinomial(softmax(rows), math.prod(shape), True)
        return reshape(transpose(drawn, [1, 0]) if batch else drawn, shape + batch)

    def _shifted(self) -> tuple[Any, Any, Any]:
        """Return logits below 0, their exponentials, and the sum of these."""
        logits = self.logits - max(self.logits, axis=-1, keepdim=True)
        return logits, exp(logits), exp(logits).sum(-1, keepdim=True)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one; the last axis has size 1."""
        logits, shares, total = self._shifted()
        others, _, other_total = other._shifted()
        return (shares / total * (logits - log(total) - others + log(other_total))).sum(-1, keepdim=True)

    def entropy(self) -> Any:
        """Return the entropy."""
        logits, shares, total = self._shifted()
        return (shares / total * (logits - log(total))).sum(-1) * -1.0

    def prob(self, value: Any) -> Any:
        """Return the probabilities of the categories `value`, integers."""
        if len(self._prob.shape) == 1:
            return gather(self._prob, value.reshape([-1])).reshape(value.shape)
        if len(value.shape) == 1:
            value = value.reshape([1] * (len(self._prob.shape) - 1) + [-1])
        return take_along_axis(self._prob, value, axis=-1)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithms of the probabilities of the categories `value`."""
        return log(self.prob(value))
