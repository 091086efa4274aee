"""The distribution of the values that transforms have at random numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.distribution.distribution import Distribution, sum_rightmost
from minipaddle.paddle.distribution.transform import ChainTransform, Transform


class TransformedDistribution(Distribution):
    """What comes out of `transforms`, one after another, if what goes in is drawn from `base`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/TransformedDistribution_en.html)

    Raises:
        TypeError: **Expected type of 'base'**, **Expected type of 'transforms'**, **must be Transform type**.
        ValueError: **'base' needs to have shape**, for too few axes.
    """

    def __init__(self, base: Any, transforms: Any) -> None:
        if not isinstance(base, Distribution):
            raise failure(TypeError, f"Expected type of 'base' is Distribution, but got {type(base)}.")
        if not isinstance(transforms, Sequence):
            raise failure(
                TypeError,
                f"Expected type of 'transforms' is Sequence[Transform] or Chain, but got {type(transforms)}.",
            )
        if not all(isinstance(one, Transform) for one in transforms):
            raise failure(TypeError, "All element of transforms must be Transform type.")
        self._base, self._transforms = base, transforms
        chain = ChainTransform(transforms)
        shape = base.batch_shape + base.event_shape
        if len(shape) < chain.event_rank:
            raise failure(
                ValueError,
                f"'base' needs to have shape with size at least {chain.event_rank}, bug got {len(shape)}.",
            )
        before, after = chain.ranks
        event = after + max(len(base.event_shape) - before, 0)
        shape = chain.forward_shape(shape)
        super().__init__(shape[: len(shape) - event], shape[len(shape) - event :])

    def sample(self, shape: Any = ()) -> Any:
        """Draw from the base, and transform."""
        return self._transformed(self._base.sample(shape))

    def rsample(self, shape: Any = ()) -> Any:
        """Draw so that gradients reach the parameters of the base and of the transforms."""
        return self._transformed(self._base.rsample(shape))

    def _transformed(self, x: Any) -> Any:
        for one in self._transforms:
            x = one.forward(x)
        return x

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density: that of the base, less what the transforms stretch by."""
        found: Any = 0.0
        event = len(self.event_shape)
        for one in reversed(self._transforms):
            x = one.inverse(value)
            before, after = one.ranks
            event += before - after
            found = found - sum_rightmost(one.forward_log_det_jacobian(x), event - before)
            value = x
        return found + sum_rightmost(self._base.log_prob(value), event - len(self._base.event_shape))
