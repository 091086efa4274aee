"""Gradients against differences of numbers, first and second order."""

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle import paddle
from tests.support.slopes import assert_slope


def leaf(array: Any) -> Any:
    return paddle.to_tensor(np.asarray(array, "float64"), stop_gradient=False)


def weighted(out: Any) -> Any:
    """Sum one or several outputs under uneven weights, so that a permuted gradient is noticed."""
    outs = out if isinstance(out, (list, tuple)) else [out]
    total = 0.0
    for number, one in enumerate(outs):
        size = int(np.prod(one.shape))
        weights = np.cos(np.arange(size) + number).reshape(tuple(one.shape))
        total = total + (one * paddle.to_tensor(weights)).sum()
    return total


def gradients(fn: Callable[..., Any], *arrays: Any) -> list[np.ndarray]:
    leaves = [leaf(array) for array in arrays]
    weighted(fn(*leaves)).backward()
    return [x.grad.numpy() for x in leaves]


def check(fn: Callable[..., Any], *arrays: Any, second: bool = True) -> None:
    """Compare the gradients of `fn` for all `arrays`, and the gradients of those, with differences."""
    arrays = [np.array(array, "float64") for array in arrays]
    for array, found in zip(arrays, gradients(fn, *arrays), strict=True):
        assert_slope(found, lambda: float(weighted(fn(*map(leaf, arrays)))), array, rtol=1e-6, atol=1e-7)
    if second:
        check(lambda *xs: first_order(fn, xs), *arrays, second=False)


def first_order(fn: Callable[..., Any], leaves: tuple[Any, ...]) -> list[Any]:
    """Return the gradients of the squared outputs as tensors that can be differentiated again."""
    outs = fn(*leaves)
    total = weighted([out * out for out in (outs if isinstance(outs, (list, tuple)) else [outs])])
    return list(paddle.grad([total], list(leaves), create_graph=True))
