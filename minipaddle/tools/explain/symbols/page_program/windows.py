"""Pooling in a program: the elements of each window side by side, of which one is the largest."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array, Shape
from minipaddle.ops.nn.pooling import AXES, window_counts
from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.page_program.arrays import Put
from minipaddle.tools.explain.symbols.symbol import Symbol, tree_of
from minipaddle.tools.explain.symbols.tree import Leaf
from minipaddle.tools.explain.symbols.views import Scatter


class _Windows(NamedTuple):
    """Where the elements of the windows are: the windows of [N, C, ...], and along a last axis what is in each."""

    places: Array
    """Counted along memory; 0 for what is padding."""
    inside: Array
    """False for padding."""


def _windows_of(shape: Shape, counts: Shape, ksize: Shape, strides: Shape, paddings: Shape) -> _Windows:
    """Return the windows over an array of `shape`, in the order in which the kernel looks at them."""
    axes = len(ksize)
    at, inside = np.zeros((), np.int64), np.ones((), bool)
    for axis, (window, stride, count) in enumerate(zip(ksize, strides, counts, strict=True)):
        along = np.arange(count)[:, None] * stride + np.arange(window) - paddings[2 * axis]
        size = shape[2 + axis]
        spread = [1] * (2 * axes)
        spread[axis], spread[axes + axis] = count, window
        here = ((along >= 0) & (along < size)).reshape(spread)
        at, inside = at * size + np.clip(along, 0, size - 1).reshape(spread), inside & here
    whole = (*counts, math.prod(ksize))
    at, inside = np.broadcast_to(at, (*counts, *ksize)), np.broadcast_to(inside, (*counts, *ksize))
    images = np.arange(math.prod(shape[:2])).reshape(*shape[:2], *[1] * (axes + 1)) * math.prod(shape[2:])
    return _Windows(images + at.reshape(whole), np.broadcast_to(inside.reshape(whole), (*shape[:2], *whole)))


def _cells(x: Any, windows: _Windows, otherwise: float) -> Any:
    """Return the elements of the windows, and a number for padding."""
    found = Symbol(shape_rules.index(shape_rules.reshape(tree_of(x), (-1,)), (Leaf("", windows.places),)))
    return np.where(windows.inside, found, x.dtype.type(otherwise))


def _first(cells: Any, out: Any) -> Any:
    """Return which element of each window is the first that is `out`, as 1 among zeros."""
    is_it = (cells == out[..., None]).astype(cells.dtype)
    earlier = is_it @ np.triu(np.ones((cells.shape[-1],) * 2, cells.dtype), 1)
    return np.where(earlier == 0, is_it, cells.dtype.type(0))


def _lowest(dtype: Any) -> float:
    """Return what padding counts as where maxima are taken."""
    return float(max(np.finfo(dtype).min, np.finfo(np.float32).min))


class _Pooling:
    """The readings of one number of axes."""

    def __init__(self, axes: int) -> None:
        two = (2,) * axes
        self.defaults = {
            "ksize": two, "pooling_type": "max", "strides": two, "paddings": (0, 0) * axes,
            "ceil_mode": False, "exclusive": True,
        }  # fmt: skip

    def _look(self, x: Any, counts: Shape, attrs: dict[str, Any]) -> _Windows:
        return _windows_of(x.shape, counts, attrs["ksize"], attrs["strides"], attrs["paddings"])

    def _divisor(self, x: Any, counts: Shape, windows: _Windows, attrs: dict[str, Any]) -> Any:
        """Return how many elements each window is the mean of: padding counts, too, if `exclusive` is False."""
        if attrs["exclusive"]:
            return np.maximum(windows.inside.sum(-1), 1).astype(x.dtype)
        before, after = attrs["paddings"][::2], attrs["paddings"][1::2]
        sizes = [one + a + b for one, a, b in zip(x.shape[2:], before, after)]
        bordered = (*x.shape[:2], *sizes)
        whole = _windows_of(bordered, counts, attrs["ksize"], attrs["strides"], (0, 0) * len(sizes))
        return np.maximum(whole.inside.sum(-1), 1).astype(x.dtype)

    def pool(self, x: Any, *given: Any, **more: Any) -> Any:
        """Return the largest element of each window, or the mean."""
        attrs = {**self.defaults, **dict(zip(self.defaults, given)), **more}
        counts = _counts(x.shape, attrs)
        windows = self._look(x, counts, attrs)
        if attrs["pooling_type"] == "max":
            return np.max(_cells(x, windows, _lowest(x.dtype)), -1)
        return np.sum(_cells(x, windows, 0.0), -1) / self._divisor(x, counts, windows, attrs)

    def with_places(
        self,
        x: Any,
        ksize: Shape,
        strides: Shape,
        paddings: Shape,
        ceil_mode: bool = False,
        adaptive: bool = False,
    ) -> Any:
        """Return the largest elements, and where in its image each stands, -1 for padding."""
        if adaptive:
            return TABLE[f"max_pool{len(ksize)}d_with_index"].kernel(x, ksize=ksize, adaptive=True)
        attrs = {"ksize": ksize, "strides": strides, "paddings": paddings, "ceil_mode": ceil_mode}
        counts = _counts(x.shape, attrs)
        windows = self._look(x, counts, attrs)
        cells = _cells(x, windows, _lowest(x.dtype))
        out = np.max(cells, -1)
        spots = np.where(windows.inside, windows.places % math.prod(x.shape[2:]), -1).astype(x.dtype)
        return out, np.sum(_first(cells, out) * spots, -1).astype(np.int32)

    def spread(self, dy: Any, x: Any, out: Any, window: tuple[Any, ...]) -> Any:
        """Return the gradient: what each window sends back, at the places of its elements."""
        attrs = dict(zip(self.defaults, window))
        counts = tuple(dy.shape[2:])
        windows = self._look(x, counts, attrs)
        if attrs["pooling_type"] == "max":
            sent = dy[..., None] * _first(_cells(x, windows, _lowest(x.dtype)), out)
        else:
            shares = dy / self._divisor(x, counts, windows, attrs)
            sent = Symbol(shape_rules.broadcast(shares[..., None].tree, windows.places.shape))
        sent = np.where(windows.inside, sent, dy.dtype.type(0))
        size = math.prod(x.shape)
        flat = Scatter(sent.reshape(-1).tree, (Leaf("", windows.places.reshape(-1)),), (size,))
        return Symbol(shape_rules.reshape(flat, x.shape))

    def pick(self, dx: Any, x: Any, out: Any, window: tuple[Any, ...]) -> Any:
        """Return what stands where the gradient went, for each window."""
        attrs = dict(zip(self.defaults, window))
        counts = tuple(out.shape[2:])
        windows = self._look(x, counts, attrs)
        there = _cells(dx, windows, 0.0)
        if attrs["pooling_type"] == "max":
            return np.sum(there * _first(_cells(x, windows, _lowest(x.dtype)), out), -1)
        return np.sum(there, -1) / self._divisor(x, counts, windows, attrs)


def _counts(shape: Shape, attrs: dict[str, Any]) -> Shape:
    return window_counts(shape, *[attrs[name] for name in ("ksize", "strides", "paddings", "ceil_mode")])


def _readings(axes: int) -> dict[str, Callable[..., Any]]:
    pooling = _Pooling(axes)
    return {
        f"pool{axes}d": pooling.pool,
        f"pool{axes}d_spread": pooling.spread,
        f"pool{axes}d_pick": pooling.pick,
        f"max_pool{axes}d_with_index": pooling.with_places,
    }


def _spread_at(dy: Any, mask: Any, input_size: Shape = ()) -> Any:
    """Read what adds the number of each window to where its maximum stood; what stood nowhere is lost."""
    size = math.prod(input_size)
    images = (np.arange(math.prod(dy.shape[:2])) * size).reshape(*dy.shape[:2], *[1] * len(input_size))
    sent = np.where(mask < 0, dy.dtype.type(0), dy)
    places: Any = np.maximum(Symbol(tree_of(mask)), 0) + images
    return Symbol(Put(tree_of(sent), tree_of(places), (*dy.shape[:2], *input_size)))


WINDOWS: dict[str, Callable[..., Any]] = {
    **{name: read for axes in AXES for name, read in _readings(axes).items()},
    "places_spread": _spread_at,
}
