"""What NumPy's functions mean over symbols where they are no ufuncs."""

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.simplify import apply
from minipaddle.tools.explain.symbols.symbol import FUNCTIONS, Symbol, tree_of
from minipaddle.tools.explain.symbols.tree import REDUCTIONS, Const


def _reducing(kind: str) -> Callable[..., Symbol]:
    def read(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Symbol:
        return Symbol(shape_rules.reduce(kind, tree_of(x), axis, keepdims, dtype))

    return read


def _filling(number: float) -> Callable[..., Symbol]:
    def read(like: Any, dtype: Any = None) -> Symbol:
        return Symbol(shape_rules.filled(number, like.shape, like.dtype if dtype is None else dtype))

    return read


def clip(x: Any, low: Any, high: Any) -> Any:
    """Confine numbers to a range; an infinite bound is none."""
    return np.minimum(np.maximum(x, low), high)


def _clip(x: Any, low: Any = None, high: Any = None) -> Symbol:
    bounds = [
        Const(otherwise) if one is None else tree_of(one)
        for one, otherwise in ((low, -np.inf), (high, np.inf))
    ]
    return Symbol(apply(clip, tree_of(x), *bounds))


def _expand_dims(x: Any, axis: Any) -> Symbol:
    return Symbol(
        shape_rules.reshape(tree_of(x), np.expand_dims(np.broadcast_to(np.empty(()), x.shape), axis).shape)
    )


def _move_axis(x: Any, source: Any, destination: Any) -> Symbol:
    axes = [axis for axis in range(x.ndim) if axis != source % x.ndim]
    axes.insert(destination % x.ndim, source % x.ndim)
    return Symbol(shape_rules.transpose(tree_of(x), tuple(axes)))


def _take(x: Any, index: Any, axis: Any = None) -> Symbol:
    picked: Symbol = x[(*[slice(None)] * (axis % x.ndim), index)]
    return picked


_KNOWN: dict[Any, Callable[..., Any]] = {
    **{run: _reducing(kind) for kind, run in REDUCTIONS.items()},
    np.zeros_like: _filling(0.0),
    np.ones_like: _filling(1.0),
    np.empty_like: _filling(0.0),
    np.where: lambda *parts: Symbol(apply(np.where, *map(tree_of, parts))),
    np.clip: _clip,
    np.reshape: lambda x, shape: x.reshape(shape),
    np.transpose: lambda x, axes=(): x.transpose(axes),
    np.swapaxes: lambda x, first, second: x.swapaxes(first, second),
    np.moveaxis: _move_axis,
    np.expand_dims: _expand_dims,
    np.broadcast_to: lambda x, shape: Symbol(shape_rules.broadcast(tree_of(x), shape)),
    np.take: _take,
    np.round: lambda x, *digits: Symbol(apply(np.round, x.tree)),
    np.copyto: lambda x, y: x.become(tree_of(y)),
    np.dot: lambda x, y: x @ y,
    np.ascontiguousarray: lambda x: x,
}
FUNCTIONS.update(_KNOWN)
