"""The normal distribution, and that of numbers whose logarithms follow it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.full import zeros
from minipaddle.ops.math.exponential import exp, expm1, log
from minipaddle.ops.random.sample import gaussian
from minipaddle.ops.random.sample import normal as draw_normal
from minipaddle.paddle.distribution.distribution import Distribution, like, parameters
from minipaddle.paddle.distribution.transform import ExpTransform
from minipaddle.paddle.distribution.transformed_distribution import TransformedDistribution


class Normal(Distribution):
    """The normal distribution around `loc` with standard deviation `scale`; of complex numbers with a complex `loc`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Normal_en.html)

    Raises:
        ValueError: **all arguments should be Tensor**, if one is.
        TypeError: **Type of input args must be**.
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = name or "Normal"
        loc, scale = (float(one) if isinstance(one, int) else one for one in (loc, scale))
        typed = [
            one.dtype.name for one in (loc, scale) if isinstance(one, np.ndarray) and one.dtype.kind == "f"
        ]
        if isinstance(loc, complex) or (not isinstance(loc, Value) and np.iscomplexobj(loc)):
            real, imaginary, scale = parameters(np.real(loc), np.imag(loc), np.asarray(scale))
            loc = real + imaginary * 1j
        elif not isinstance(loc, Value) or not isinstance(scale, Value):
            loc, scale = (one.astype((*typed, "float32")[0]) for one in parameters(loc, scale))
        self.loc, self.scale = loc, scale
        self.dtype = loc.dtype.name
        self._is_complex = self.dtype.startswith("complex")
        super().__init__(self._centre().shape)

    def _centre(self) -> Any:
        return self.loc + self.scale

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
        mean = 0j if self._is_complex else 0.0
        return self.loc + draw_normal(mean, 1.0, list(self.extended(shape))) * self.scale

    def entropy(self) -> Any:
        """Return the entropy."""
        none = zeros(list(self._batch_shape), self.scale.dtype)
        if self._is_complex:
            return 1.0 + none + (math.log(math.pi) + 2.0 * log(self.scale + none))
        return 0.5 + none + (0.5 * math.log(2 * math.pi) + log(self.scale + none))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        variance, away = self.scale * self.scale, like(self.loc, value) - self.loc
        if self._is_complex:
            return -1.0 * (away.conj() * away) / variance - (2.0 * log(self.scale) + math.log(math.pi))
        return -1.0 * (away * away) / (2.0 * variance) - (
            log(self.scale) + math.log(math.sqrt(2.0 * math.pi))
        )

    def prob(self, value: Any) -> Any:
        """Return the density."""
        variance, away = self.scale * self.scale, like(self.loc, value) - self.loc
        if self._is_complex:
            return exp(-1.0 * (away.conj() * away) / variance) / (math.pi * variance)
        return exp(-1.0 * (away * away) / (2.0 * variance)) / (math.sqrt(2 * math.pi) * self.scale)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another normal distribution.

        Raises:
            ValueError: **same number field**.
        """
        if self._is_complex != other._is_complex:
            raise failure(
                ValueError,
                "The kl divergence must be computed between two distributions in the same number field.",
            )
        ratio = self.scale / other.scale
        ratio, away = ratio * ratio, (self.loc - other.loc) / other.scale
        if self._is_complex:
            return ratio + away.conj() * away - 1.0 - log(ratio)
        return 0.5 * ratio + 0.5 * (away * away - 1.0 - log(ratio))


class LogNormal(TransformedDistribution):
    """The distribution of numbers whose logarithms are normal around `loc` with standard deviation `scale`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/LogNormal_en.html)
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        base = Normal(loc, scale)
        self.loc, self.scale = base.loc, base.scale
        super().__init__(base, [ExpTransform()])

    @property
    def mean(self) -> Any:
        """The mean."""
        return exp(self._base.mean + self._base.variance / 2)

    @property
    def variance(self) -> Any:
        """The variance."""
        return expm1(self._base.variance) * exp(2 * self._base.mean + self._base.variance)

    def entropy(self) -> Any:
        """Return the entropy."""
        return self._base.entropy() + self._base.mean

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another one, which is that of the logarithms."""
        return self._base.kl_divergence(other._base)
