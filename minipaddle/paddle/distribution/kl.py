"""The Kullback-Leibler divergence of two distributions, by their classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.distribution.distribution import Distribution

__all__ = ["kl_divergence", "register_kl"]

Formula = Callable[[Any, Any], Any]
_FORMULAS: dict[tuple[type, type], Formula] = {}


def register_kl(cls_p: type, cls_q: type) -> Callable[[Formula], Formula]:
    """Decorate the formula of the divergence of a `cls_p` from a `cls_q`.

    Raises:
        TypeError: **must be subclass of Distribution**.
    """
    if not issubclass(cls_p, Distribution) or not issubclass(cls_q, Distribution):
        raise failure(TypeError, "cls_p and cls_q must be subclass of Distribution")

    def note(formula: Formula) -> Formula:
        _FORMULAS[cls_p, cls_q] = formula
        return formula

    return note


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """Return how far `p` is from `q`: the mean, over `p`, of the difference of their logarithmic densities.

    A registered formula of the nearest classes comes first, then the method that both classes share.
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/kl_divergence_en.html)

    Raises:
        NotImplementedError: if there is no formula for these two.
    """
    ps, qs = type(p).__mro__, type(q).__mro__
    found = [
        (ps.index(one) + qs.index(two), formula)
        for (one, two), formula in _FORMULAS.items()
        if one in ps and two in qs
    ]
    if found:
        return min(found, key=lambda each: each[0])[1](p, q)
    method = type(p).kl_divergence
    if method is type(q).kl_divergence and method is not Distribution.kl_divergence:
        return p.kl_divergence(q)
    raise failure(
        NotImplementedError,
        f"There is no formula for the divergence of {type(p).__name__} from {type(q).__name__}.",
        "register one with @paddle.distribution.register_kl",
    )
