"""Several independent distributions taken for one over vectors."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.distribution.distribution import Distribution, sum_rightmost


class Independent(Distribution):
    """`base`, whose last batch axes are part of one event: their log densities and entropies are summed.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/Independent_en.html)

    Raises:
        TypeError: **Expected type of 'base'**.
        ValueError: unless 0 < reinterpreted_batch_rank <= number of batch axes.
    """

    def __init__(self, base: Any, reinterpreted_batch_rank: int) -> None:
        if not isinstance(base, Distribution):
            raise failure(TypeError, f"Expected type of 'base' is Distribution, but got {type(base)}")
        if not 0 < reinterpreted_batch_rank <= len(base.batch_shape):
            raise failure(
                ValueError,
                f"Expected 0 < reinterpreted_batch_rank <= {len(base.batch_shape)}, but got {reinterpreted_batch_rank}",
            )
        self._base, self._count = base, reinterpreted_batch_rank
        shape, cut = base.batch_shape + base.event_shape, len(base.batch_shape) - reinterpreted_batch_rank
        super().__init__(shape[:cut], shape[cut:])

    @property
    def mean(self) -> Any:
        """That of the base."""
        return self._base.mean

    @property
    def variance(self) -> Any:
        """That of the base."""
        return self._base.variance

    def sample(self, shape: Any = ()) -> Any:
        """Draw from the base."""
        return self._base.sample(shape)

    def rsample(self, shape: Any = ()) -> Any:
        """Draw from the base so that gradients reach its parameters."""
        return self._base.rsample(shape)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density of whole events."""
        return sum_rightmost(self._base.log_prob(value), self._count)

    def entropy(self) -> Any:
        """Return the entropy of whole events."""
        return sum_rightmost(self._base.entropy(), self._count)
