"""Distances of the rows of two matrices."""

from __future__ import annotations

from minipaddle.engine.value.value import Value
from minipaddle.ops.stat.norm import norm
from minipaddle.ops.views.reshape import unsqueeze2


def cdist(
    x: Value,
    y: Value,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
    name: str | None = None,
) -> Value:
    """Return the `p`-norm distance of every row of `x` [..., P, M] to every row of `y` [..., R, M]: [..., P, R].

    Args:
        p: which norm: 0 or more, also infinity.
        compute_mode: accepted; distances are taken one by one, which is exact.
    """
    assert x.ndim >= 2, (
        f"The x must be at least 2-dimensional, But received Input x's dimensional is {x.ndim}."
    )
    assert y.ndim >= 2, (
        f"The y must be at least 2-dimensional, But received Input y's dimensional is {y.ndim}."
    )
    assert x.shape[-1] == y.shape[-1], (
        f"The x and y must have same last dimension, But received Input x's last dimension is {x.shape[-1]}, "
        f"Input y's last dimension is {y.shape[-1]}."
    )
    assert p >= 0, f"The p must be greater than or equal to 0, But received p is {p}."
    away = unsqueeze2(x, (-2,)) - unsqueeze2(y, (-3,))
    return norm(away, p=p, axis=-1)
