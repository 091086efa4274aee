"""Functions of random numbers that can be undone, with the logarithm of what they stretch by."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.infer_meta import broadcast_shapes
from minipaddle.ops.creation.full import zeros
from minipaddle.ops.math.exponential import exp, log, log1p
from minipaddle.ops.math.rounding import abs
from minipaddle.ops.math.trigonometry import tanh
from minipaddle.paddle.distribution.distribution import Distribution, sum_rightmost
from minipaddle.paddle.nn.functional import sigmoid, softplus


class Transform:
    """A function of tensors; called with a distribution it gives that of its values, with a transform the chain.

    A subclass says ``_forward``, ``_inverse`` and one of ``_forward_log_det_jacobian`` and
    ``_inverse_log_det_jacobian``; `event_rank` is how many axes belong to one event, `value_rank` to its value.
    """

    event_rank = 0
    value_rank: int | None = None
    """None: as many as the event has."""
    injective = True

    @property
    def ranks(self) -> tuple[int, int]:
        """How many axes belong to one event, and to its value."""
        return self.event_rank, self.event_rank if self.value_rank is None else self.value_rank

    def __call__(self, input: Any) -> Any:
        """Return the value at a tensor, the distribution of the values, or the chain of two transforms."""
        if isinstance(input, Distribution):
            from minipaddle.paddle.distribution.transformed_distribution import TransformedDistribution

            return TransformedDistribution(input, [self])
        return ChainTransform([self, input]) if isinstance(input, Transform) else self.forward(input)

    def forward(self, x: Any) -> Any:
        """Return the value at `x`.

        Raises:
            TypeError: **Expected 'x' is a Tensor**.
            ValueError: **dimensions of x**, for too few axes.
        """
        return self._forward(self._checked("x", x))

    def inverse(self, y: Any) -> Any:
        """Return where the value is `y`."""
        return self._inverse(self._checked("y", y))

    def forward_log_det_jacobian(self, x: Any) -> Any:
        """Return the logarithm of what it stretches by at `x`.

        Raises:
            NotImplementedError: **non-injective**, if values come from several places.
        """
        x = self._checked("x", x)
        if not self.injective:
            raise failure(
                NotImplementedError,
                "forward_log_det_jacobian can't be implemented for non-injective transforms.",
            )
        return self._forward_log_det_jacobian(x)

    def inverse_log_det_jacobian(self, y: Any) -> Any:
        """Return the logarithm of what the way back stretches by at `y`."""
        return self._inverse_log_det_jacobian(self._checked("y", y))

    def forward_shape(self, shape: Any) -> tuple[int, ...]:
        """Return the shape of values for inputs of this shape.

        Raises:
            TypeError: **Expected shape is Sequence**.
        """
        return self._shape(shape)

    def inverse_shape(self, shape: Any) -> tuple[int, ...]:
        """Return the shape of inputs for values of this shape."""
        return self._shape(shape)

    def _shape(self, shape: Any) -> tuple[int, ...]:
        if not isinstance(shape, Sequence):
            raise failure(TypeError, f"Expected shape is Sequence[int] type, but got {type(shape)}.")
        return reduce(broadcast_shapes, [tuple(one.shape) for one in self._parameters()], tuple(shape))

    def _parameters(self) -> tuple[Any, ...]:
        """Return the tensors that inputs are broadcast with."""
        return ()

    def _checked(self, name: str, value: Any) -> Any:
        if not isinstance(value, Value):
            raise failure(TypeError, f"Expected '{name}' is a Tensor or Real, but got {type(value)}.")
        rank = self.ranks[name == "y"]
        if value.ndim < rank:
            raise failure(
                ValueError, f"The dimensions of {name}({value.ndim}) should be grater than or equal to {rank}"
            )
        return value

    def _forward(self, x: Any) -> Any:
        raise NotImplementedError("Forward not implemented")

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError("Inverse not implemented")

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -self._inverse_log_det_jacobian(self._forward(x))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -self._forward_log_det_jacobian(self._inverse(y))


class AbsTransform(Transform):
    """``|x|``: two numbers have each value, so its inverse is a pair."""

    injective = False

    def _forward(self, x: Any) -> Any:
        return abs(x)

    def _inverse(self, y: Any) -> Any:
        return -y, y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        none = zeros([], y.dtype)
        return none, none


class AffineTransform(Transform):
    """``loc + scale * x``.

    Raises:
        TypeError: **Expected 'loc' is a Tensor**, **Expected scale is a Tensor**.
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        if not isinstance(loc, Value):
            raise failure(TypeError, f"Expected 'loc' is a Tensor, but got {type(loc)}")
        if not isinstance(scale, Value):
            raise failure(TypeError, f"Expected scale is a Tensor, but got {type(scale)}")
        self.loc, self.scale = loc, scale

    def _parameters(self) -> tuple[Any, ...]:
        return self.loc, self.scale

    def _forward(self, x: Any) -> Any:
        return self.loc + self.scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self.loc) / self.scale

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return log(abs(self.scale))


class ExpTransform(Transform):
    """``exp(x)``."""

    def _forward(self, x: Any) -> Any:
        return exp(x)

    def _inverse(self, y: Any) -> Any:
        return log(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return x


class PowerTransform(Transform):
    """``x ** power``, for numbers above 0.

    Raises:
        TypeError: **Expected 'power' is a tensor**.
    """

    def __init__(self, power: Any) -> None:
        if not isinstance(power, Value):
            raise failure(TypeError, f"Expected 'power' is a tensor, but got {type(power)}")
        self.power = power

    def _parameters(self) -> tuple[Any, ...]:
        return (self.power,)

    def _forward(self, x: Any) -> Any:
        return x.pow(self.power)

    def _inverse(self, y: Any) -> Any:
        return y.pow(1 / self.power)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return log(abs(self.power * x.pow(self.power - 1)))


class SigmoidTransform(Transform):
    """``1 / (1 + exp(-x))``."""

    def _forward(self, x: Any) -> Any:
        return sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return log(y) - log1p(-y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -softplus(-x) - softplus(x)


class TanhTransform(Transform):
    """``tanh(x)``."""

    def _forward(self, x: Any) -> Any:
        return tanh(x)

    def _inverse(self, y: Any) -> Any:
        return (log1p(y) - log1p(-y)) / 2.0

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return 2.0 * (np.log(2.0) - x - softplus(-2.0 * x))


class ChainTransform(Transform):
    """Transforms one after another, the first of the list first.

    Raises:
        TypeError: **is Sequence**, **should be Transform type**.
    """

    def __init__(self, transforms: Any) -> None:
        if not isinstance(transforms, Sequence):
            raise failure(TypeError, f"Expected type of 'transforms' is Sequence, but got {type(transforms)}")
        if not all(isinstance(one, Transform) for one in transforms):
            raise failure(TypeError, "All elements of transforms should be Transform type.")
        self.transforms = transforms
        self.event_rank, self.value_rank = self._ranks_of([one.ranks for one in transforms])
        self.injective = all(one.injective for one in transforms)

    @staticmethod
    def _ranks_of(ranks: list[tuple[int, int]]) -> tuple[int, int]:
        """Return how many axes belong to an event of the chain, and to its value, by those of its links."""
        if not ranks:
            return 0, 0
        first, last = ranks[-1][1], ranks[0][0]
        for before, after in reversed(ranks):
            first = max(first - after + before, before)
        for before, after in ranks:
            last = max(last + after - before, after)
        return first, last

    def _forward(self, x: Any) -> Any:
        for one in self.transforms:
            x = one.forward(x)
        return x

    def _inverse(self, y: Any) -> Any:
        for one in reversed(self.transforms):
            y = one.inverse(y)
        return y

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        total: Any = 0.0
        rank = self.event_rank
        for one in self.transforms:
            before, after = one.ranks
            total = total + sum_rightmost(one.forward_log_det_jacobian(x), rank - before)
            x = one.forward(x)
            rank += after - before
        return total

    def forward_shape(self, shape: Any) -> tuple[int, ...]:
        """Return the shape of values for inputs of this shape."""
        shape = self._shape(shape)
        for one in self.transforms:
            shape = one.forward_shape(shape)
        return tuple(shape)

    def inverse_shape(self, shape: Any) -> tuple[int, ...]:
        """Return the shape of inputs for values of this shape."""
        shape = self._shape(shape)
        for one in reversed(self.transforms):
            shape = one.inverse_shape(shape)
        return tuple(shape)


class IndependentTransform(Transform):
    """`base`, some of whose last axes are part of one event.

    Raises:
        TypeError: **Expected 'base' is Transform**.
        ValueError: **grater than zero**.
    """

    def __init__(self, base: Any, reinterpreted_batch_rank: int) -> None:
        if not isinstance(base, Transform):
            raise failure(TypeError, f"Expected 'base' is Transform type, but get {type(base)}")
        if reinterpreted_batch_rank <= 0:
            raise failure(
                ValueError,
                f"Expected 'reinterpreted_batch_rank' is grater than zero, but got {reinterpreted_batch_rank}",
            )
        self._base, self._count = base, reinterpreted_batch_rank
        self.event_rank, self.injective = base.event_rank + reinterpreted_batch_rank, base.injective

    def _parameters(self) -> tuple[Any, ...]:
        return self._base._parameters()

    def _forward(self, x: Any) -> Any:
        return self._base.forward(x)

    def _inverse(self, y: Any) -> Any:
        return self._base.inverse(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return sum_rightmost(self._base.forward_log_det_jacobian(x), self._count)
