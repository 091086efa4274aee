"""Jacobians and Hessians: whole matrices of derivatives, one row per backward pass.

Rows are computed on first use, each once. In a Program the rows are Variables.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minipaddle.engine.errors import guard_all
from minipaddle.engine.extension_point import gradients_of_variables
from minipaddle.engine.mode.eager import current
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.manipulation.concat import concat, stack
from minipaddle.ops.views.reshape import reshape
from minipaddle.paddle.autograd.grad import grad

__all__ = ["hessian", "jacobian"]

Index = int | slice
WHOLE = slice(None)


def gradient(ys: Any, xs: Any, v: Any = None) -> Any:
    """Return the gradients of `ys` by `xs`, themselves differentiable; zeros where `ys` does not depend on `xs`.

    Args:
        ys: a tensor, or several.
        xs: a tensor, or several.
        v: the gradients of `ys` to start with; None: ones.

    Returns:
        A tensor if `xs` is one, else a tuple.
    """
    sources = [*xs] if isinstance(xs, Sequence) else [xs]
    if current.get().dynamic:
        found: Any = grad(ys, sources, v, create_graph=True, allow_unused=True)
    else:
        found = gradients_of_variables(ys, sources, v)
    whole = tuple(
        [zeros(x, x.stop_gradient) if one is None else one for one, x in zip(found, sources, strict=True)]
    )
    return whole if isinstance(xs, Sequence) else whole[0]


def zeros(x: Any, stop_gradient: bool) -> Any:
    """Return zeros like `x`."""
    made = zeros_like(x)
    made.stop_gradient = stop_gradient
    return made


class Rows:
    """The derivatives of all elements of `ys` by all of `xs`: [M, N], or [B, M, N] for a batch."""

    def __init__(self, ys: Any, xs: Any, is_batched: bool) -> None:
        self.xs = xs
        self.is_batched = is_batched
        self.ys = self._flat(ys)
        self.shape = (*self.ys.shape, self._flat(xs).shape[-1])
        self._rows: dict[int, Any] = {}

    def _flat(self, x: Any) -> Any:
        """Return tensors concatenated along one axis, after the axis of the batch."""
        several = x if isinstance(x, Sequence) else [x]
        flat = [reshape(one, [one.shape[0], -1] if self.is_batched else [-1]) for one in several]
        return flat[0] if len(flat) == 1 else concat(flat, -1)

    def row(self, place: int) -> Any:
        """Return the derivatives of one element of `ys` (of each of the batch)."""
        count = self.shape[-2]
        if not -count <= place < count:
            raise IndexError(
                f"The starting index {place} of slice is out of bounds in tensor {int(self.is_batched)}-th axis, it "
                f"should be in the range of [{-count}, {count})."
            )
        place %= count
        if place not in self._rows:
            y = self.ys[:, place] if self.is_batched else self.ys[place]
            self._rows[place] = self._flat(gradient(y, self.xs))
        return self._rows[place]

    def __getitem__(self, index: tuple[Index, ...]) -> Any:
        """Return a part; `index` has a number or a slice per axis."""
        chosen, others = index[-2], (*index[:-2], index[-1])
        if isinstance(chosen, int):
            return self.row(chosen)[others]
        places = range(*chosen.indices(self.shape[-2]))
        return stack([self.row(place) for place in places], -2)[(*index[:-2], WHOLE, index[-1])]


class Jacobian:
    """The derivatives of `ys` by `xs`: a matrix [M, N], a vector if one of them is a number, [B, M, N] for a batch.

    ``J[0]``, ``J[:, 1]`` compute the rows that they need; arithmetic and the methods of a tensor compute all.
    """

    def __init__(self, ys: Any, xs: Any, is_batched: bool = False) -> None:
        least = int(is_batched)
        for name, value in (("xs", xs), ("ys", ys)):
            if not least <= len(value.shape) <= least + 1:
                raise ValueError(
                    f"{name}.ndim should be {least} or {least + 1} when is_batched={is_batched} but got "
                    f"{len(value.shape)}"
                )
        self._rows = Rows(ys, xs, is_batched)
        self._kept = [is_batched, len(ys.shape) > least, len(xs.shape) > least]
        """Whether there are axes for the batch, for ys, and for xs."""
        self.shape = [*xs.shape[:least], *ys.shape[least:], *xs.shape[least:]]

    def __getitem__(self, index: Any) -> Any:
        if not self.shape:
            raise IndexError("0-D tensor can not be indexed.")
        given = iter(checked_index(index, len(self.shape)))
        full = [next(given) if kept else 0 for kept in self._kept]
        return self._rows[tuple(full if self._rows.is_batched else full[1:])]

    def _whole(self) -> Any:
        """Return the whole as a tensor."""
        return self[:] if self.shape else reshape(self._rows.row(0), [])

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the whole tensor."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._whole(), name)


def checked_index(index: Any, ndim: int) -> tuple[Index, ...]:
    """Return a number or a slice for each axis.

    Raises:
        IndexError: for an ellipsis, or too many numbers.
        TypeError: for anything but numbers and slices.
    """
    given = tuple(index) if isinstance(index, (tuple, list)) else (index,)
    if any(one is ... for one in given):
        raise IndexError("Ellipsis index currently is not supported.")
    for one in given:
        if not isinstance(one, (int, slice)):
            raise TypeError(f"Not supported index type {one}.")
    if len(given) > ndim:
        raise IndexError(f"There are {len(given)} indices for {ndim} axes.")
    return (*given, *[WHOLE] * (ndim - len(given)))


def _of_whole(name: str) -> Any:
    """Return the method of a tensor, applied to a whole Jacobian, and to a whole second operand."""

    def method(self: Jacobian, other: Any) -> Any:
        return getattr(self._whole(), name)(other._whole() if isinstance(other, Jacobian) else other)

    return method


_SIGNS = "add sub mul truediv pow mod floordiv matmul eq ne lt le gt ge"
for _sign in _SIGNS.split():
    setattr(Jacobian, f"__{_sign}__", _of_whole(f"__{_sign}__"))


class Hessian(Jacobian):
    """The second derivatives of a number by `xs`: the Jacobian of its gradient."""


def jacobian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """Return the Jacobian of `ys` by `xs`; for several of them, a tuple over `ys`, over `xs`, or nested over both.

    Args:
        ys: a tensor of at most one axis, besides the batch axis, or several.
        xs: the same.
        batch_axis: 0 if the first axis counts independent examples of a batch; or None.

    Raises:
        ValueError: for another axis, or tensors with more axes.
    """
    if batch_axis not in (None, 0):
        raise ValueError(f"batch_axis should be None or 0, but got {batch_axis}.")
    if isinstance(ys, Sequence):
        return tuple([jacobian(one, xs, batch_axis) for one in ys])
    if isinstance(xs, Sequence):
        return tuple([Jacobian(ys, one, batch_axis is not None) for one in xs])
    return Jacobian(ys, xs, batch_axis is not None)


def hessian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """Return the Hessian of the number `ys` by `xs`; for several, a tuple of tuples, one for each pair.

    Args:
        ys: a tensor with one element, or with one for each example of a batch.
        xs: a tensor of at most one axis, besides the batch axis, or several.
        batch_axis: 0 if the first axis counts the examples of a batch; or None.

    Raises:
        ValueError: if `ys` has more elements, or for another axis.
    """
    if batch_axis not in (None, 0):
        raise ValueError(f"batch_axis should be None or 0, but got {batch_axis}.")
    batched = batch_axis is not None
    size = math.prod(ys.shape[1:] if batched else ys.shape)
    if size > 1:
        what, kind = ("ys[0]", "int") if batched else ("ys", "None")
        raise ValueError(f"Only support {what}.numel()({size})==1 when batch_axis is {kind}.")
    first = jacobian(reshape(ys, [-1] if batched else []), xs, batch_axis)
    if not isinstance(xs, Sequence):
        return Hessian(first._whole(), xs, batched)
    return tuple([tuple([Hessian(one._whole(), x, batched) for x in xs]) for one in first])


guard_all(globals())
