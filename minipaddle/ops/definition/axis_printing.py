"""How axes are printed in a Program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.definition.program_printing import Listing, Metas, derived, of, write_plain

# -- listings ------------------------------------------------------------------------------------------------


ALIGNED = Listing(axis=-1)
"""Two operands whose shapes are matched from the last axis."""


def axes_as_list(axis: int | Sequence[int] | None) -> list[int]:
    """Return an axis, several, or None for all, as a list; [] is all."""
    return [] if axis is None else [axis] if isinstance(axis, int) else list(axis)


def axes_from_list(axes: Sequence[int]) -> tuple[int, ...] | None:
    """Return the axes for a printed list: the inverse of :func:`axes_as_list`."""
    return tuple(axes) or None


def axis_of(attribute: str) -> derived:
    """Return the printed field of an axis, counted from the front if the number of axes is known."""

    def from_front(attrs: Attrs, metas: Metas) -> int:
        axis: int = attrs[attribute]
        return axis % metas[0].ndim if axis < 0 and metas and metas[0] else axis

    return derived(from_front, attribute)


class OneAxis(Listing):
    """A printed axis; for all elements flattened the `flag` is set, and `otherwise` replaces the axis."""

    def __init__(self, flag: str, otherwise: int, **fields: Any) -> None:
        axis = of("axis", lambda axis: otherwise if axis is None else write_plain(axis))
        super().__init__(axis=axis, **{flag: derived(is_flat)}, **fields)
        self.flag = flag

    def read(self, listed: Attrs) -> Attrs:
        """Take the flag for no axis."""
        attrs = super().read(listed)
        return {**attrs, "axis": None} if listed.get(self.flag) else attrs


def is_flat(attrs: Attrs, metas: Metas) -> bool:
    """Return whether no axis was named."""
    return attrs["axis"] is None


class Reduced(Listing):
    """A reduction over some axes (`dim`) or all of them, which 2.6.2 prints twice.

    `reduce_all`: printed instead of the truth; `types`: whether it has types to convert to; `every`: the
    printed axes if all are reduced.
    """

    def __init__(
        self,
        dim: str = "dim",
        keep_dim: str = "keep_dim",
        types: bool = True,
        reduce_all: Any = None,
        every: Sequence[int] = (),
    ) -> None:
        constants = {"in_dtype": -1, "out_dtype": -1} if types else {}
        axes = of("axis", lambda axis: axes_as_list(axis) or list(every), axes_from_list)
        fields = {dim: axes, keep_dim: of("keepdim")}
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
