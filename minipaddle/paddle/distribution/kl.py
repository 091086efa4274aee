"""The Kullback-Leibler divergence of two distributions of one class."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.paddle.distribution.distribution import Distribution

__all__ = ["kl_divergence"]


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """Return how far `p` is from `q`: the mean, over `p`, of the difference of their logarithmic densities.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/kl_divergence_en.html)

    Raises:
        NotImplementedError: if there is no formula for these two.
    """
    method = type(p).kl_divergence
    if method is type(q).kl_divergence and method is not Distribution.kl_divergence:
        return p.kl_divergence(q)
    raise failure(
        NotImplementedError,
        f"There is no formula for the divergence of {type(p).__name__} from {type(q).__name__}.",
    )
