"""Distributions around a place, of some width: Laplace, Cauchy, Student's t."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.dtype import as_numpy, default_float
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.convert import array_from
from minipaddle.ops.creation.full import full, full_like
from minipaddle.ops.math.exponential import exp, expm1, log, log1p, rsqrt, square
from minipaddle.ops.math.gamma import digamma, lgamma
from minipaddle.ops.math.rounding import abs, sign
from minipaddle.ops.math.trigonometry import atan, tan
from minipaddle.ops.random.sample import normal, rand, uniform
from minipaddle.ops.reduction.broadcast import expand
from minipaddle.ops.search.where import where
from minipaddle.paddle.distribution.distribution import (
    Distribution,
    like,
    real_or_tensor,
    same_kind,
    together,
)
from minipaddle.paddle.distribution.gamma import Gamma


class AtPlace(Distribution):
    """A distribution of numbers around `loc`, of width `scale`.

    Raises:
        TypeError: **Expected type of loc**, **Expected type of scale**.
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = together(real_or_tensor("loc", loc), real_or_tensor("scale", scale))
        self.dtype = self.loc.dtype
        super().__init__(self.loc.shape)


class Laplace(AtPlace):
    """The distribution whose density falls off exponentially on both sides of `loc`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Laplace_en.html)
    """

    @property
    def mean(self) -> Any:
        """`loc`."""
        return self.loc

    @property
    def stddev(self) -> Any:
        """The standard deviation."""
        return 2**0.5 * self.scale

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.stddev.pow(2)

    def _beside(self, value: Any) -> list[Any]:
        """Return place, width and value in one shape and type."""
        value = real_or_tensor("value", value)
        return together(self.loc, self.scale, value.astype(self.scale.dtype))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        loc, scale, value = self._beside(value)
        return -log(2 * scale) - abs(value - loc) / scale

    def entropy(self) -> Any:
        """Return the entropy."""
        return 1 + log(2 * self.scale)

    def cdf(self, value: Any) -> Any:
        """Return the probability of what is not above `value`."""
        loc, scale, value = self._beside(value)
        return 0.5 - 0.5 * sign(value - loc) * expm1(-abs(value - loc) / scale)

    def icdf(self, value: Any) -> Any:
        """Return what has the probability `value` not to be exceeded."""
        loc, scale, value = self._beside(value)
        return loc - scale * sign(value - 0.5) * log1p(-2 * abs(value - 0.5))

    def rsample(self, shape: Any = ()) -> Any:
        """Draw so that gradients reach `loc` and `scale`."""
        least = 2.22045e-16 if self.loc.dtype.name == "float64" else 1.19209e-07
        low = float(np.nextafter(-1, 1)) + least / 2
        drawn = uniform(self.extended(shape), self.loc.dtype, low, 1.0 - least / 2)
        return self.loc - self.scale * sign(drawn) * log1p(-abs(drawn))

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one."""
        away = abs(self.loc - other.loc)
        return (self.scale * exp(-away / self.scale) + away) / other.scale + log(other.scale / self.scale) - 1


class Cauchy(AtPlace):
    """The distribution of the ratio of two normal numbers, moved and stretched; it has no mean.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Cauchy_en.html)
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        super().__init__(loc, scale)
        self.name = name or "Cauchy"

    @property
    def mean(self) -> NoReturn:
        """There is none."""
        raise failure(ValueError, "Cauchy distribution has no mean.")

    @property
    def variance(self) -> NoReturn:
        """There is none."""
        raise failure(ValueError, "Cauchy distribution has no variance.")

    @property
    def stddev(self) -> NoReturn:
        """There is none."""
        raise failure(ValueError, "Cauchy distribution has no stddev.")

    def rsample(self, shape: Any = (), name: str | None = None) -> Any:
        """Draw so that gradients reach `loc` and `scale`."""
        wide = self.extended(shape)
        return expand(self.loc, wide) + expand(self.scale, wide) * tan(
            math.pi * (rand(wide, self.dtype) - 0.5)
        )

    def _away(self, value: Any) -> tuple[Any, Any]:
        """Return how many widths `value` is away, and the width."""
        if not isinstance(value, Value):
            raise failure(TypeError, f"Expected type of value is Variable or Value, but got {type(value)}")
        loc, scale, value = together(self.loc, self.scale, like(self.loc, value))
        return (value - loc) / scale, scale

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density.

        Raises:
            TypeError: **Expected type of value**.
        """
        away, scale = self._away(value)
        return -log1p(square(away)) - (full(scale.shape, math.log(math.pi), self.dtype) + log(scale))

    def cdf(self, value: Any) -> Any:
        """Return the probability of what is not above `value`."""
        return atan(self._away(value)[0]) / math.pi + 0.5

    def entropy(self) -> Any:
        """Return the entropy."""
        return full(self.loc.shape, math.log(4 * math.pi), self.dtype) + log(self.scale)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one.

        Raises:
            TypeError: **Expected type of other**.
        """
        same_kind(self, other)
        apart = (self.scale + other.scale).pow(2) + (self.loc - other.loc).pow(2)
        return log(apart) - log(4 * (self.scale * other.scale))


class StudentT(Distribution):
    """Student's distribution with `df` degrees of freedom, around `loc`, of width `scale`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/StudentT_en.html)

    Raises:
        ValueError: **should be nonnegative**.
    """

    def __init__(self, df: Any, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = name or "StudentT"
        given = (df, loc, scale)
        typed = [as_numpy(one.dtype) for one in given if isinstance(one, Value)] + [default_float()]
        found = [one if isinstance(one, Value) else Tensor(array_from(one, typed[0])) for one in given]
        self.df, self.loc, self.scale = together(*found)
        for what in ("df", "scale"):
            if not (getattr(self, what).array >= 0).all():
                raise failure(ValueError, f"Every element of input parameter `{what}` should be nonnegative.")
        self._chi2 = Gamma(0.5 * self.df, full_like(self.df, 0.5))
        super().__init__(self.df.shape)

    @property
    def mean(self) -> Any:
        """`loc`; nan where there is none, for `df` up to 1."""
        return where(self.df > 1.0, self.loc, full_like(self.loc, math.nan))

    @property
    def variance(self) -> Any:
        """The variance: inf for `df` up to 2, nan for `df` up to 1."""
        free = self.df.detach()
        found = where(free > 2.0, self.scale.pow(2) * free / (free - 2), full_like(free, math.nan))
        return where((free <= 2.0).logical_and(free > 1.0), full_like(free, math.inf), found)

    def sample(self, shape: Any = ()) -> Any:
        """Draw.

        Raises:
            TypeError: **must be Sequence**.
        """
        if not isinstance(shape, Sequence):
            raise failure(TypeError, "sample shape must be Sequence object.")
        drawn = normal(shape=self.extended(shape))
        return self.loc + self.scale * (drawn * rsqrt(self._chi2.sample(shape) / self.df))

    def entropy(self) -> Any:
        """Return the entropy."""
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        beta = lgamma(half) + math.lgamma(0.5) - lgamma(more)
        return log(self.scale) + more * (digamma(more) - digamma(half)) + 0.5 * log(self.df) + beta

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        away = (like(self.df, value) - self.loc) / self.scale
        norm = log(self.scale) + 0.5 * log(self.df) + 0.5 * math.log(math.pi)
        norm = norm + lgamma(0.5 * self.df) - lgamma(0.5 * (self.df + 1.0))
        return -0.5 * (self.df + 1.0) * log1p(away**2.0 / self.df) - norm
