"""How ``slice`` and ``strided_slice`` are printed in a Program: axes, starts, ends, and which axes go away."""

from __future__ import annotations

from typing import Any

from minipaddle.core.listing import Listing, Metas
from minipaddle.core.meta import Attrs
from minipaddle.ops.index_text import read

__all__ = ["Sliced"]

END = 2**31 - 1
"""Paddle's end of every axis."""


class Sliced(Listing):
    """The text of an index as lists with one entry for each axis that is not taken whole."""

    def __init__(self, *columns: str) -> None:
        super().__init__("index")
        self.columns = ["axes", "starts", "ends", *columns, "infer_flags"]

    @property
    def names(self) -> list[str]:
        """Names of the printed attributes."""
        return [*self.columns, "decrease_axis"]

    def write(self, attrs: Attrs, metas: Metas = ()) -> Attrs:
        """Return the lists; axes after an Ellipsis are counted from the end if the number of axes is not known."""
        rows = _rows(read(attrs["index"]).view, metas[0].ndim if metas and metas[0] else None)
        listed: Attrs = {name: [row[name] for row in rows] for name in self.columns}
        return {**listed, "decrease_axis": [row["axes"] for row in rows if row["single"]]}

    def read(self, listed: Attrs) -> Attrs:
        """Return the text: ``axes = [1], starts = [0], ends = [2]`` is ``"::, :2:"``."""
        super().read(listed)
        axes, count = list(listed["axes"]), len(listed["axes"])
        gone = listed.get("decrease_axis", ())
        parts = ["::"] * (max(axes, default=-1) + 1)
        for row in zip(
            axes, listed["starts"], listed["ends"], listed.get("strides", [1] * count), strict=True
        ):
            parts[row[0]] = str(row[1]) if row[0] in gone else _as_text(*row[1:])
        return {"index": ", ".join(parts) or "..."}


def _rows(view: tuple[Any, ...], ndim: int | None) -> list[Attrs]:
    """Return what is printed of each axis that is not taken whole."""
    items = [item for item in view if item is not None]
    rows, axis, left = [], 0, len(items)
    for item in items:
        left -= 1
        if item is Ellipsis:
            axis = -left if ndim is None else ndim - left
            continue
        if item != slice(None):
            rows.append({"axes": axis, "infer_flags": 1, **_row(item)})
        axis += 1
    return rows


def _row(item: Any) -> Attrs:
    if not isinstance(item, slice):
        return {"starts": item, "ends": END if item == -1 else item + 1, "strides": 1, "single": True}
    step = 1 if item.step is None else item.step
    first, last = (0, END) if step > 0 else (END, -1)
    return {
        "starts": first if item.start is None else item.start,
        "ends": last if item.stop is None else item.stop,
        "strides": step,
        "single": False,
    }


def _as_text(start: int, end: int, step: int) -> str:
    """Return a slice as it stands in an index; what is an end of the axis is left out."""
    first, last = (0, END) if step > 0 else (END, -1)
    bounds = ["" if start == first else str(start), "" if end == last or end >= END else str(end)]
    return ":".join([*bounds, "" if step == 1 else str(step)])
