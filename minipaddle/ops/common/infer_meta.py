"""What whole families of operators share: shape rules, and how their attributes are printed in a Program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.listing import Listing, Metas, derived, of, write_plain
from minipaddle.core.meta import Attrs, Meta, Shape


def same_as(position: int) -> Callable[..., Meta]:
    """Shape rule: the output looks like the input at `position`."""
    return lambda *metas, **attrs: metas[position]


def broadcast_shapes(x: Shape, y: Shape) -> Shape:
    """Return the shape that `x` and `y` broadcast to; -1 stays where a size is not known.

    Raises:
        ValueError: **Broadcast dimension mismatch**.
    """
    ndim = max(len(x), len(y))
    left, right = (1,) * (ndim - len(x)) + tuple(x), (1,) * (ndim - len(y)) + tuple(y)
    shape = []
    for axis, (a, b) in enumerate(zip(left, right, strict=True)):
        if a != b and 1 not in (a, b) and -1 not in (a, b):
            raise failure(
                ValueError,
                "Broadcast dimension mismatch. Operands could not be broadcast together with the shape of "
                f"X = {list(x)} and the shape of Y = {list(y)}. Received [{a}] in X is not equal to [{b}] "
                f"in Y at i:{axis}.",
                "axes are matched from the last; sizes must be equal or 1",
            )
        shape.append(b if a == 1 else a if b == 1 else max(a, b))  # -1 with a known size: the size
    return tuple(shape)


def broadcast(x: Meta, y: Meta, **attrs: Any) -> Meta:
    """Shape rule of elementwise operators with two inputs."""
    return Meta(broadcast_shapes(x.shape, y.shape), np.result_type(x.dtype, y.dtype))


def compare(x: Meta, y: Meta, **attrs: Any) -> Meta:
    """Shape rule of comparisons: like :func:`broadcast`, and bool."""
    return Meta(broadcast_shapes(x.shape, y.shape), np.dtype(bool))


def axes_of(axis: int | Sequence[int] | None, ndim: int) -> tuple[int, ...]:
    """Return `axis` as a sorted tuple of non-negative axes; None or [] means all of them.

    Raises:
        ValueError: if an axis is out of range.
    """
    if axis is None or (isinstance(axis, (list, tuple)) and not axis):
        return tuple(range(ndim))
    axes = [axis] if isinstance(axis, (int, np.integer)) else list(axis)
    for one in axes:
        if not -max(ndim, 1) <= one < max(ndim, 1):
            raise failure(
                ValueError,
                f"The reduce dim index should be in the range [ -dimension(X), dimension(X) ) "
                f"which dimension = {ndim}. But received dim index = {one}.",
            )
    return tuple(sorted({int(one) % ndim for one in axes})) if ndim else ()


def reduced_shape(shape: Shape, axes: Sequence[int], keepdim: bool) -> Shape:
    """Return `shape` after reducing over `axes`."""
    if keepdim:
        return tuple(1 if axis in axes else size for axis, size in enumerate(shape))
    return tuple(size for axis, size in enumerate(shape) if axis not in axes)


# -- listings ------------------------------------------------------------------------------------------------


ALIGNED = Listing(axis=-1)
"""Two operands whose shapes are matched from the last axis."""


def axes_as_list(axis: int | Sequence[int] | None) -> list[int]:
    """Return an axis, several, or None for all, as a list; [] is all."""
    return [] if axis is None else [axis] if isinstance(axis, int) else list(axis)


def axes_from_list(axes: Sequence[int]) -> tuple[int, ...] | None:
    """Undo :func:`axes_as_list`."""
    return tuple(axes) or None


def axis_of(attribute: str) -> derived:
    """Return the field of an axis that is counted from the front, if the number of axes is known."""

    def from_front(attrs: Attrs, metas: Metas) -> int:
        axis: int = attrs[attribute]
        return axis % metas[0].ndim if axis < 0 and metas and metas[0] else axis

    return derived(from_front, attribute)


class OneAxis(Listing):
    """An axis, or all elements in a row: then the `flag` is set, and `otherwise` stands for the axis."""

    def __init__(self, flag: str, otherwise: int, **fields: Any) -> None:
        axis = of("axis", lambda axis: otherwise if axis is None else write_plain(axis))
        super().__init__(axis=axis, **{flag: derived(_is_flat)}, **fields)
        self.flag = flag

    def read(self, listed: Attrs) -> Attrs:
        """Take the flag for no axis."""
        attrs = super().read(listed)
        return {**attrs, "axis": None} if listed.get(self.flag) else attrs


def _is_flat(attrs: Attrs, metas: Metas) -> bool:
    return attrs["axis"] is None


class Reduced(Listing):
    """Reduction over some axes (`dim`) or all of them, which 2.6.2 says twice.

    `reduce_all`: a constant, where it does not say the truth; `types`: whether there are types to convert to.
    """

    def __init__(
        self, dim: str = "dim", keep_dim: str = "keep_dim", types: bool = True, reduce_all: Any = None
    ) -> None:
        constants = {"in_dtype": -1, "out_dtype": -1} if types else {}
        fields = {dim: of("axis", axes_as_list, axes_from_list), keep_dim: of("keepdim")}
        full = derived(_is_full) if reduce_all is None else reduce_all
        super().__init__(**fields, reduce_all=full, **constants)

    def read(self, listed: Attrs) -> Attrs:
        """Take ``reduce_all`` for all axes."""
        attrs = super().read(listed)
        return {**attrs, "axis": None} if listed.get("reduce_all") else attrs


def _is_full(attrs: Attrs, metas: Metas) -> bool:
    """Whether a reduction leaves no axis."""
    axes = axes_as_list(attrs["axis"])
    x = metas[0] if metas else None
    return not axes or (x is not None and len(axes) == x.ndim)
