"""Elementwise arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.core.operator import operator
from minipaddle.ops.families import broadcast
from minipaddle.ops.reduction import reduce_sum
from minipaddle.ops.shaping import reshape


def unbroadcast(grad: Any, shape: tuple[int, ...]) -> Any:
    """Sum `grad` over the axes along which a value of `shape` was repeated."""
    if grad.shape == shape or tuple(grad.shape) == shape:
        return grad
    extra = grad.ndim - len(shape)
    stretched = [extra + i for i, size in enumerate(shape) if size == 1 and grad.shape[extra + i] != 1]
    axes = [*range(extra), *stretched]
    if axes:
        grad = reduce_sum(grad, axis=axes, keepdim=False)
    return reshape(grad, shape)


@operator("elementwise_add", "X, Y -> Out", infer=broadcast, latex="x + y")
def add(x: Array, y: Array) -> Any:
    """Add two tensors elementwise."""
    return x + y


@add.gradient("x")
def _(dy: Any, x_shape: Any) -> Any:
    return unbroadcast(dy, x_shape)


@add.gradient("y")
def _(dy: Any, y_shape: Any) -> Any:
    return unbroadcast(dy, y_shape)


@operator("elementwise_mul", "X, Y -> Out", infer=broadcast, latex="x y")
def multiply(x: Array, y: Array) -> Any:
    """Multiply two tensors elementwise."""
    return x * y


@multiply.gradient("x")
def _(dy: Any, y: Any, x_shape: Any) -> Any:
    return unbroadcast(dy * y, x_shape)


@multiply.gradient("y")
def _(dy: Any, x: Any, y_shape: Any) -> Any:
    return unbroadcast(dy * x, y_shape)


@operator("scale", "X -> Out", latex="s x + b")
def scale(x: Array, scale: Any = 1.0, bias: Any = 0.0, bias_after_scale: bool = True) -> Any:
    """Multiply by one number and add another."""
    if not bias_after_scale:
        return (x + bias) * scale
    if bias == 0:
        return x * scale
    if scale == -1:
        return bias - x
    return x + bias if scale == 1 else x * scale + bias


@scale.gradient("x")
def _(dy: Any, scale: Any) -> Any:
    return dy if scale == 1 else dy * scale


@operator("tanh", "X -> Out", latex=r"\tanh x")
def tanh(x: Array) -> Any:
    """Squash every element into (-1, 1)."""
    return np.tanh(x)


@tanh.gradient("x")
def _(dy: Any, out: Any) -> Any:
    return dy * (1 - out * out)


@operator("square", "X -> Out", latex="x^2")
def square(x: Array) -> Any:
    """Square."""
    return np.square(x)


@square.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy * (2 * x)
