"""Waiting times and shares: exponential, gamma, chi squared, Dirichlet, beta."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.full import full_like
from minipaddle.ops.manipulation.concat import stack
from minipaddle.ops.math.exponential import exp, log, log1p
from minipaddle.ops.math.gamma import digamma, lgamma
from minipaddle.ops.random.sample import uniform
from minipaddle.ops.reduction.broadcast import expand
from minipaddle.ops.sampling.distributions import dirichlet, standard_gamma
from minipaddle.paddle.distribution.distribution import (
    ExponentialFamily,
    parameters,
    real_or_tensor,
    same_kind,
    together,
)

_LEAST = float(np.finfo("float32").tiny)


class Exponential(ExponentialFamily):
    """The distribution of how long one waits for what happens `rate` times in a unit of time.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Exponential_en.html)
    """

    def __init__(self, rate: Any) -> None:
        (self.rate,) = parameters(rate)
        self.dtype = self.rate.dtype.name
        super().__init__(self.rate.shape)

    @property
    def mean(self) -> Any:
        """One over the rate."""
        return self.rate.reciprocal()

    @property
    def variance(self) -> Any:
        """The square of the mean."""
        return self.rate.pow(-2)

    def rsample(self, shape: Any = ()) -> Any:
        """Draw so that gradients reach `rate`."""
        return -log(uniform(self.extended(shape), self.rate.dtype, _LEAST, 1.0)) / self.rate

    def prob(self, value: Any) -> Any:
        """Return the density."""
        return self.rate * exp(-self.rate * value)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        return log(self.rate) - self.rate * value

    def entropy(self) -> Any:
        """Return the entropy."""
        return 1.0 - log(self.rate)

    def cdf(self, value: Any) -> Any:
        """Return the probability of what is not above `value`."""
        return 1.0 - exp(-self.rate * value)

    def icdf(self, value: Any) -> Any:
        """Return what has the probability `value` not to be exceeded."""
        return -log1p(-value) / self.rate

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one.

        Raises:
            TypeError: **Expected type of other**.
        """
        same_kind(self, other)
        ratio = other.rate / self.rate
        return -log(ratio) + ratio - 1

    @property
    def _natural_parameters(self) -> Any:
        return (-self.rate,)

    def _log_normalizer(self, *parameters: Any) -> Any:
        return -log(-parameters[0])


class Gamma(ExponentialFamily):
    """The gamma distribution with a shape parameter, `concentration`, and a `rate`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Gamma_en.html)
    """

    def __init__(self, concentration: Any, rate: Any) -> None:
        self.concentration, self.rate = parameters(concentration, rate)
        self.dtype = self.concentration.dtype.name
        super().__init__(self.concentration.shape)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.concentration / self.rate

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.concentration / self.rate.pow(2)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        a, rate = self.concentration, self.rate
        return a * log(rate) + (a - 1) * log(value) - rate * value - lgamma(a)

    def entropy(self) -> Any:
        """Return the entropy."""
        a = self.concentration
        return a - log(self.rate) + lgamma(a) + (1.0 - a) * digamma(a)

    def rsample(self, shape: Any = ()) -> Any:
        """Draw so that a gradient reaches `rate`; none reaches `concentration`."""
        wide = self.extended(shape)
        return standard_gamma(expand(self.concentration, wide)) / expand(self.rate, wide)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one.

        Raises:
            TypeError: **Expected type of other**.
        """
        if not isinstance(other, Gamma):
            same_kind(self, other)
        a, b = self.concentration, other.concentration
        found = b * log(self.rate / other.rate) + (lgamma(b) - lgamma(a)) + (a - b) * digamma(a)
        return found + (other.rate - self.rate) * (a / self.rate)


class Chi2(Gamma):
    """The distribution of the sum of the squares of `df` normal numbers.

    Raises:
        ValueError: **must be positive**.
    """

    def __init__(self, df: Any) -> None:
        (self.df,) = parameters(df)
        if not (self.df.array > 0).all():
            raise failure(ValueError, "The arg of `df` must be positive.")
        super().__init__(self.df * 0.5, full_like(self.df, 0.5))


class Dirichlet(ExponentialFamily):
    """The distribution of shares that sum to 1, along the last axis of `concentration`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Dirichlet_en.html)

    Raises:
        ValueError: **must be at least one dimensional**.
    """

    def __init__(self, concentration: Any) -> None:
        if len(concentration.shape) < 1 or math.prod(concentration.shape) == 0:
            raise failure(ValueError, "`concentration` parameter must be at least one dimensional")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:])

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.concentration / self.concentration.sum(-1, keepdim=True)

    @property
    def variance(self) -> Any:
        """The variance of each share."""
        a, total = self.concentration, self.concentration.sum(-1, keepdim=True)
        return a * (total - a) / (total.pow(2) * (total + 1))

    def sample(self, shape: Any = ()) -> Any:
        """Draw shares."""
        return dirichlet(expand(self.concentration, self.extended(shape)))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        a = self.concentration
        return (log(value) * (a - 1.0)).sum(-1) + lgamma(a.sum(-1)) - lgamma(a).sum(-1)

    def entropy(self) -> Any:
        """Return the entropy."""
        a, total = self.concentration, self.concentration.sum(-1)
        spread = (a.shape[-1] - total) * digamma(total)
        return lgamma(a).sum(-1) - lgamma(total) - spread - ((a - 1.0) * digamma(a)).sum(-1)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one."""
        a, b = self.concentration, other.concentration
        norms = lgamma(a.sum(-1)) - lgamma(b.sum(-1)) - (lgamma(a) - lgamma(b)).sum(-1)
        return norms + ((a - b) * (digamma(a) - digamma(a.sum(-1)).unsqueeze(-1))).sum(-1)

    @property
    def _natural_parameters(self) -> Any:
        return (self.concentration,)

    def _log_normalizer(self, *parameters: Any) -> Any:
        return lgamma(parameters[0]).sum(-1) - lgamma(parameters[0].sum(-1))


class Beta(ExponentialFamily):
    """The distribution of one of two shares, with the weights `alpha` and `beta`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Beta_en.html)
    """

    def __init__(self, alpha: Any, beta: Any) -> None:
        self.alpha, self.beta = together(real_or_tensor("alpha", alpha), real_or_tensor("beta", beta))
        self._shares = Dirichlet(stack([self.alpha, self.beta], -1))
        super().__init__(self._shares.batch_shape)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.alpha / (self.alpha + self.beta)

    @property
    def variance(self) -> Any:
        """The variance."""
        total = self.alpha + self.beta
        return self.alpha * self.beta / (total.pow(2) * (total + 1))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        if not isinstance(value, Value):
            value = real_or_tensor("value", value)
        return self._shares.log_prob(stack([value, 1.0 - value], -1))

    def sample(self, shape: Any = ()) -> Any:
        """Draw."""
        return self._shares.sample(shape)[..., 0]

    def entropy(self) -> Any:
        """Return the entropy."""
        return self._shares.entropy()

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one."""
        return self._shares.kl_divergence(other._shares)

    @property
    def _natural_parameters(self) -> Any:
        return (self.alpha, self.beta)

    def _log_normalizer(self, *parameters: Any) -> Any:
        one, other = parameters
        return lgamma(one) + lgamma(other) - lgamma(one + other)
