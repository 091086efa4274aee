"""Symbol: stands for an array while a kernel or a rule is read; it answers every operation with a tree.

It implements NumPy's two protocols, so kernels are read as they are written, in-place operators and ``out=`` included:
these replace the symbol's tree. An operation that it cannot follow (random numbers, sorting, strides, writing to
memory) raises :class:`Unreadable`; the operator is then shown by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import partial
from operator import attrgetter
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.shape_rules import apply
from minipaddle.tools.explain.symbols.tree import REDUCTIONS, Const, Leaf, Tree

on_symbol: ContextVar[Callable[[], None] | None] = ContextVar("on_symbol", default=None)
"""Called whenever a symbol is made, to note the functions of a rule that make symbols."""


MORE: ContextVar[Mapping[Any, Callable[..., Any]]] = ContextVar("MORE", default=MappingProxyType({}))
"""Readings of NumPy functions and operator types that take precedence: more than a formula would show."""


class Unreadable(TypeError):
    """An operation on a symbol that no formula can express."""


def tree_of(value: Any) -> Tree:
    """Return the tree of a symbol, a number or an array. Raises Unreadable for anything else."""
    if isinstance(value, Symbol):
        return value.tree
    if isinstance(value, (bool, int, float, complex)):
        return Const(value)
    if isinstance(value, (np.generic, np.ndarray)):
        if value.ndim == 0:
            return Const(value.item())
        return Leaf("", np.asarray(value))
    raise Unreadable(f"{type(value).__name__} in a formula")


class Symbol(NDArrayOperatorsMixin):
    """An array of which only shape, dtype and expression are known.

    NumPy's own mixin turns each sign into a call of a ufunc: all of them reach ``__array_ufunc__``.
    """

    flags = SimpleNamespace(c_contiguous=False, writeable=True)
    """It has no memory: kernels that check flags take their general way."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        note = on_symbol.get()
        if note is not None:
            note()

    def become(self, tree: Tree) -> None:
        """Take the tree that was written into it, cast to its dtype and shape."""
        if tree.shape != self.shape:
            tree = shape_rules.broadcast(tree, self.shape)
        self.tree = shape_rules.cast(tree, self.dtype)

    shape, dtype, ndim, size = (
        property(attrgetter(f"tree.{name}")) for name in ("shape", "dtype", "ndim", "size")
    )

    def __len__(self) -> int:
        return self.tree.shape[0]

    def __bool__(self) -> bool:
        return bool(self.tree.value)

    def __int__(self) -> int:
        return int(self.tree.value)

    __index__ = __int__

    def item(self) -> Any:
        """Return the only element."""
        return np.asarray(self.tree.value).item()

    def __array__(self, *args: Any, **options: Any) -> Any:
        raise Unreadable("a symbol is no array")

    def reshape(self, *shape: Any, **options: Any) -> Symbol:
        """Return the same elements under another shape."""
        sizes = shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape
        return Symbol(shape_rules.reshape(self.tree, tuple(sizes)))

    def transpose(self, *perm: Any) -> Symbol:
        """Return the axes in another order; in reverse by default."""
        axes = perm[0] if len(perm) == 1 and not isinstance(perm[0], int) else perm
        return Symbol(shape_rules.transpose(self.tree, tuple(axes or range(self.ndim)[::-1])))

    def astype(self, dtype: Any, *args: Any, **options: Any) -> Symbol:
        """Convert the elements."""
        return Symbol(shape_rules.cast(self.tree, dtype))

    def copy(self, *args: Any) -> Symbol:
        """Return a symbol of the same tree, which may be written to."""
        return Symbol(self.tree)

    def fill(self, number: Any) -> None:
        """Write one number everywhere."""
        self.tree = Const(tree_of(number).value, self.shape, self.dtype)

    def __getitem__(self, key: Any) -> Symbol:
        items = key if isinstance(key, tuple) else (key,)
        if any(isinstance(item, list) for item in items):
            raise Unreadable("an index that is a list")
        found = tuple([tree_of(item) if isinstance(item, (Symbol, np.ndarray)) else item for item in items])
        return Symbol(shape_rules.index(self.tree, found))

    def __iter__(self) -> Any:
        return (self[number] for number in range(len(self)))

    def __array_ufunc__(
        self, function: Any, method: str, *inputs: Any, out: Any = None, **options: Any
    ) -> Any:
        if function.nout != 1 or options.get("where", True) is not True:
            raise Unreadable(f"{function.__name__} with {method}")
        if method == "__call__":
            trees = [tree_of(one) for one in inputs]
            tree = shape_rules.matmul(*trees) if function is np.matmul else apply(function, *trees)
        elif method == "reduce" and function in _REDUCERS:
            axis, keepdims = options.get("axis", 0), bool(options.get("keepdims"))
            tree = shape_rules.reduce(
                _REDUCERS[function], tree_of(inputs[0]), axis, keepdims, options.get("dtype")
            )
        else:
            raise Unreadable(f"{function.__name__}.{method}")
        if out is None or out[0] is None:
            return Symbol(tree)
        if not isinstance(out[0], Symbol):
            raise Unreadable("writing into an array")
        out[0].become(tree)
        return out[0]

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        reading = MORE.get().get(function) or FUNCTIONS.get(function)
        if reading is None:
            raise Unreadable(function.__name__)
        return reading(*args, **options)

    def __getattr__(self, name: str) -> Any:
        """Return ``T``, or the method with the name of a NumPy function: ``sum``, ``swapaxes``, ``conj``."""
        if name == "T":
            return self.transpose()
        if name not in REDUCTIONS and name not in ("swapaxes", "squeeze", "conj", "dot"):
            raise AttributeError(name)
        return partial(getattr(np, name), self)


_REDUCERS = {
    np.add: "sum", np.multiply: "prod", np.maximum: "max", np.minimum: "min",
    np.logical_and: "all", np.logical_or: "any",
}  # fmt: skip


def _reducing(kind: str) -> Callable[..., Symbol]:
    return lambda x, axis=None, keepdims=False, dtype=None: Symbol(
        shape_rules.reduce(kind, tree_of(x), axis, keepdims, dtype)
    )


def _filling(number: float) -> Callable[..., Symbol]:
    return lambda like, dtype=None: Symbol(Const(number, like.shape, like.dtype if dtype is None else dtype))


def clip(x: Any, low: Any, high: Any) -> Any:
    """Confine numbers to a range; an infinite bound is none."""
    return np.minimum(np.maximum(x, low), high)


def _clip(x: Any, low: Any = None, high: Any = None) -> Symbol:
    bounds = -np.inf if low is None else low, np.inf if high is None else high
    return Symbol(apply(clip, *map(tree_of, (x, *bounds))))


def _reshaping(function: Callable[..., Any]) -> Callable[..., Symbol]:
    """Read a function that adds or drops axes: NumPy's own, of an empty array, gives the shape."""
    return lambda x, axis: Symbol(
        shape_rules.reshape(tree_of(x), function(np.broadcast_to(0, x.shape), axis).shape)
    )


def _reordering(function: Callable[..., Any]) -> Callable[..., Symbol]:
    """Read a function that reorders axes: NumPy's own, of an array whose sizes are the numbers of its axes."""
    return lambda x, *axes: Symbol(
        shape_rules.transpose(tree_of(x), function(np.empty(range(x.ndim)), *axes).shape)
    )


def take(x: Any, index: Any, axis: Any = None) -> Symbol:
    """Read the elements at an index along one axis."""
    picked: Symbol = x[(*[slice(None)] * (axis % x.ndim), index)]
    return picked


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{run: _reducing(kind) for kind, run in REDUCTIONS.items()},
    np.zeros_like: _filling(0.0),
    np.ones_like: _filling(1.0),
    np.empty_like: _filling(0.0),
    np.where: lambda *parts: Symbol(apply(np.where, *map(tree_of, parts))),
    np.clip: _clip,
    np.reshape: lambda x, shape: x.reshape(shape),
    np.transpose: lambda x, axes=(): x.transpose(axes),
    np.swapaxes: _reordering(np.swapaxes),
    np.squeeze: _reshaping(np.squeeze),
    np.moveaxis: _reordering(np.moveaxis),
    np.expand_dims: _reshaping(np.expand_dims),
    np.broadcast_to: lambda x, shape: Symbol(shape_rules.broadcast(tree_of(x), shape)),
    np.take: take,
    np.round: lambda x, *digits: Symbol(apply(np.round, x.tree)),
    np.copyto: lambda x, y: x.become(tree_of(y)),
    np.dot: lambda x, y: x @ y,
    np.ascontiguousarray: lambda x: x,
}
"""NumPy functions over symbols, if they are no ufuncs."""
