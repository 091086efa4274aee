"""The mean of all elements: what most losses end in. Eager Paddle has an operator for it, Programs have none."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.core.listing import Listing
from minipaddle.core.meta import Array, Meta
from minipaddle.core.operator import operator
from minipaddle.ops.reduction.broadcast import spread
from minipaddle.ops.reduction.sum import reduce_mean


@operator(
    "mean",
    "X -> Out",
    infer=lambda x: Meta((), x.dtype),
    latex=r"\frac{1}{n}\sum x",
    listing=Listing(dim=[], keep_dim=False, reduce_all=True, in_dtype=-1, out_dtype=-1),
    listed_as="reduce_mean",
)
def mean_all(x: Array) -> Any:
    """Return the mean of all elements, without axes."""
    return reduce_mean.kernel(x)


@mean_all.gradient("x", formula="broadcast_to(dy / prod(x_shape), x_shape)")
def _(dy: Any, x_shape: Any) -> Any:
    return spread(dy / math.prod(x_shape), x_shape)
