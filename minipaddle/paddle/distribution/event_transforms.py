"""Transforms of whole events: other shapes, shares that sum to 1, one transform for each part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.ops.creation.full import zeros
from minipaddle.ops.creation.range import arange
from minipaddle.ops.manipulation.concat import stack
from minipaddle.ops.manipulation.split import unstack
from minipaddle.ops.math.cumulative import cumprod, cumsum
from minipaddle.ops.math.exponential import log
from minipaddle.paddle.distribution.transform import Transform
from minipaddle.paddle.nn.functional import log_sigmoid, pad, sigmoid, softmax


class ReshapeTransform(Transform):
    """The same numbers in another event shape.

    Raises:
        TypeError: **Expected type of 'in_event_shape'**.
        ValueError: **The numel of 'in_event_shape'**, if the sizes differ.
    """

    def __init__(self, in_event_shape: Any, out_event_shape: Any) -> None:
        if not isinstance(in_event_shape, Sequence) or not isinstance(out_event_shape, Sequence):
            raise failure(
                TypeError,
                "Expected type of 'in_event_shape' and 'out_event_shape' is Sequence[int], but got 'in_event_shape': "
                f"{in_event_shape}, 'out_event_shape': {out_event_shape}",
            )
        sizes = math.prod(in_event_shape), math.prod(out_event_shape)
        if sizes[0] != sizes[1]:
            raise failure(
                ValueError,
                f"The numel of 'in_event_shape' should be 'out_event_shape', but got {sizes[0]}!={sizes[1]}",
            )
        self.in_event_shape, self.out_event_shape = tuple(in_event_shape), tuple(out_event_shape)
        self.event_rank, self.value_rank = len(in_event_shape), len(out_event_shape)

    def _forward(self, x: Any) -> Any:
        return x.reshape(self.forward_shape(tuple(x.shape)))

    def _inverse(self, y: Any) -> Any:
        return y.reshape(self.inverse_shape(tuple(y.shape)))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return zeros(x.shape[: x.ndim - self.event_rank], x.dtype)

    def forward_shape(self, shape: Any) -> tuple[int, ...]:
        """Return the shape of values for inputs of this shape.

        Raises:
            ValueError: **Event shape mismatch**, **Expected length of 'shape'**.
        """
        return self._exchanged(tuple(shape), self.in_event_shape, self.out_event_shape)

    def inverse_shape(self, shape: Any) -> tuple[int, ...]:
        """Return the shape of inputs for values of this shape."""
        return self._exchanged(tuple(shape), self.out_event_shape, self.in_event_shape)

    @staticmethod
    def _exchanged(shape: tuple[int, ...], old: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
        if len(shape) < len(old):
            raise failure(
                ValueError, f"Expected length of 'shape' is not less than {len(old)}, but got {len(shape)}"
            )
        cut = len(shape) - len(old)
        if shape[cut:] != old:
            raise failure(ValueError, f"Event shape mismatch, expected: {old}, but got {shape[cut:]}")
        return shape[:cut] + new


class SoftmaxTransform(Transform):
    """Softmax along the last axis; it forgets a common summand, so the way back is one of many."""

    event_rank = 1
    injective = False

    def _forward(self, x: Any) -> Any:
        return softmax(x)

    def _inverse(self, y: Any) -> Any:
        return log(y)

    def _shape(self, shape: Any) -> tuple[int, ...]:
        if len(shape) < 1:
            raise failure(ValueError, f"Expected length of shape is grater than 1, but got {len(shape)}")
        return super()._shape(shape)


class StickBreakingTransform(Transform):
    """Numbers as shares of a stick, each a part of what is left: one more share than numbers, which sum to 1."""

    event_rank = 1

    def _left(self, count: int, dtype: Any) -> Any:
        """Return the logarithms of how many pieces are still to come."""
        return log(arange(count, 0, -1, dtype=dtype))

    def _forward(self, x: Any) -> Any:
        parts = sigmoid(x - self._left(x.shape[-1], x.dtype))
        none = [0] * 2 * (x.ndim - 1)
        return pad(parts, [*none, 0, 1], value=1.0) * pad(cumprod(1 - parts, -1), [*none, 1, 0], value=1.0)

    def _inverse(self, y: Any) -> Any:
        shares = y[..., :-1]
        return log(shares) - log(1 - cumsum(shares, -1)) + self._left(shares.shape[-1], y.dtype)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        shares, x = self.forward(x), x - self._left(x.shape[-1], x.dtype)
        return (-x + log_sigmoid(x) + log(shares[..., :-1])).sum(-1)

    def forward_shape(self, shape: Any) -> tuple[int, ...]:
        """Return the shape of values for inputs of this shape.

        Raises:
            ValueError: **is not empty**.
        """
        return self._longer(shape, 1)

    def inverse_shape(self, shape: Any) -> tuple[int, ...]:
        """Return the shape of inputs for values of this shape."""
        return self._longer(shape, -1)

    @staticmethod
    def _longer(shape: Any, more: int) -> tuple[int, ...]:
        if not shape:
            raise failure(ValueError, f"Expected 'shape' is not empty, but got {shape}")
        return (*shape[:-1], shape[-1] + more)


class StackTransform(Transform):
    """One transform for each part along `axis`.

    Raises:
        TypeError: **Expected 'transforms' is Sequence**, **Transform Type**, **Expected 'axis' is int**.
    """

    def __init__(self, transforms: Any, axis: Any = 0) -> None:
        if not transforms or not isinstance(transforms, Sequence):
            raise failure(
                TypeError, f"Expected 'transforms' is Sequence[Transform], but got {type(transforms)}."
            )
        if not all(isinstance(one, Transform) for one in transforms):
            raise failure(TypeError, "Expected all element in transforms is Transform Type.")
        if not isinstance(axis, int):
            raise failure(TypeError, f"Expected 'axis' is int, but got{type(axis)}.")
        self.transforms, self.axis = transforms, axis
        self.injective = all(one.injective for one in transforms)

    def _parts(self, value: Any) -> list[tuple[Transform, Any]]:
        """Return each transform with its part of `value`.

        Raises:
            ValueError: **Input dimensions**, **Input size along**.
        """
        if not -value.ndim <= self.axis < value.ndim:
            raise failure(
                ValueError,
                f"Input dimensions {value.ndim} should be grater than stack transform axis {self.axis}.",
            )
        if value.shape[self.axis] != len(self.transforms):
            raise failure(
                ValueError, f"Input size along {self.axis} should be equal to the length of transforms."
            )
        return list(zip(self.transforms, unstack(value, self.axis), strict=True))

    def _forward(self, x: Any) -> Any:
        return stack([one.forward(part) for one, part in self._parts(x)], self.axis)

    def _inverse(self, y: Any) -> Any:
        return stack([one.inverse(part) for one, part in self._parts(y)], self.axis)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return stack([one.forward_log_det_jacobian(part) for one, part in self._parts(x)], self.axis)
