"""The distribution of one of several categories."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.value.value import Value
from minipaddle.ops.indexing.gather import gather
from minipaddle.ops.indexing.take_along_axis import take_along_axis
from minipaddle.ops.math.exponential import exp, log
from minipaddle.ops.random.multinomial import multinomial
from minipaddle.ops.reduction.minmax import max
from minipaddle.ops.views.reshape import reshape
from minipaddle.ops.views.transpose import transpose
from minipaddle.paddle.distribution.distribution import Distribution, parameters
from minipaddle.paddle.nn.functional import softmax


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
