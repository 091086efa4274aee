"""One of several categories, and how often each of them comes in so many draws."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import full, zeros_like
from minipaddle.ops.creation.range import arange
from minipaddle.ops.indexing.gather import gather
from minipaddle.ops.indexing.take_along_axis import take_along_axis
from minipaddle.ops.logic.compare import isinf
from minipaddle.ops.math.exponential import exp, log, log1p
from minipaddle.ops.math.gamma import lgamma
from minipaddle.ops.math.rounding import abs
from minipaddle.ops.reduction.minmax import max
from minipaddle.ops.sampling.distributions import multinomial
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import reshape
from minipaddle.ops.views.transpose import transpose
from minipaddle.paddle.distribution.distribution import Distribution, parameters, together
from minipaddle.paddle.nn.functional import one_hot, softmax


class Categorical(Distribution):
    """The distribution over categories 0, 1, ... with `logits` along the last axis.

    As in Paddle, draws, entropy and divergence take softmax of them; ``probs`` and ``log_prob`` divide by their sum.
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Categorical_en.html)

    Raises:
        TypeError: **Type of input args must be**.
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
        """Draw numbers of categories: int64, `shape` + batch shape."""
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


class Multinomial(Distribution):
    """The distribution of how often each category comes in `total_count` draws with chances `probs`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Multinomial_en.html)

    Raises:
        ValueError: **total_count must be int**, **probs parameter should not be none**.
    """

    probs: Any

    def __init__(self, total_count: Any, probs: Any) -> None:
        if not isinstance(total_count, int) or total_count < 1:
            raise failure(ValueError, "input parameter total_count must be int type and grater than zero.")
        if len(probs.shape) < 1:
            raise failure(ValueError, "probs parameter should not be none and over one dimension")
        self.probs, self.total_count = probs / probs.sum(-1, keepdim=True), total_count
        self._categorical = Categorical(log(probs))
        super().__init__(probs.shape[:-1], probs.shape[-1:])

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.probs * self.total_count

    @property
    def variance(self) -> Any:
        """The variance of each count."""
        return self.total_count * self.probs * (1 - self.probs)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the probability of these counts."""
        logits, value = together(log(self.probs), value.astype(self.probs.dtype))
        never = (value == 0).logical_and(isinf(logits))
        logits = where(never, zeros_like(logits), logits)
        return lgamma(value.sum(-1) + 1) - lgamma(value + 1).sum(-1) + (value * logits).sum(-1)

    def sample(self, shape: Any = ()) -> Any:
        """Draw counts.

        Raises:
            TypeError: **must be Iterable**.
        """
        if not isinstance(shape, Iterable):
            raise failure(TypeError, "sample shape must be Iterable object.")
        drawn = self._categorical.sample([self.total_count, *shape])
        return cast(one_hot(drawn, self.probs.shape[-1]), self.probs.dtype).sum(0)

    def entropy(self) -> Any:
        """Return the entropy."""
        count, dtype = full([], self.total_count, self.probs.dtype), self.probs.dtype
        times = arange(self.total_count + 1, dtype=dtype).reshape([-1] + [1] * len(self.probs.shape))[1:]
        logits = log(self.probs) - log1p(-self.probs)
        norm = count * (logits + abs(logits)) / 2 + count * log1p(exp(-abs(logits))) - lgamma(count + 1)
        chances = exp(times * logits - lgamma(times + 1) - lgamma(count - times + 1) - norm)
        spread = (chances * lgamma(times + 1)).sum([0, -1])
        return count * self._categorical.entropy() - lgamma(count + 1) + spread
