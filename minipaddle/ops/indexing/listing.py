"""How an index is printed in a Program: axes, starts, ends, and which axes go away."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.definition.program_printing import Listing, Metas, as_code
from minipaddle.ops.indexing.text import read

END = 2**31 - 1
"""Paddle's end of every axis."""


class Sliced(Listing):
    """The text of an index as lists with one entry for each axis that is not taken whole.

    `steps` is the name of the list of steps, if there is one, `gone` that of the axes that numbers take away.
    """

    def __init__(self, steps: str = "", gone: str = "decrease_axis", *others: str) -> None:
        super().__init__("index")
        self.steps, self.gone, self.others = steps, gone, others

    @property
    def names(self) -> list[str]:
        """Names of the printed attributes."""
        return ["axes", "starts", "ends", *([self.steps] if self.steps else []), self.gone, *self.others]

    def write(self, attrs: Attrs, metas: Metas = ()) -> Attrs:
        """Return the lists; axes after an Ellipsis are counted from the end if the number of axes is not known."""
        rows = _rows(read(attrs["index"]).view, metas[0].ndim if metas and metas[0] else None)
        listed: Attrs = {name: [row[name] for row in rows] for name in ("axes", "starts", "ends")}
        if self.steps:
            listed[self.steps] = [row["steps"] for row in rows]
        listed[self.gone] = [row["axes"] for row in rows if row["single"]]
        return {**listed, "infer_flags": [1] * len(rows)} if "infer_flags" in self.others else listed

    def read(self, listed: Attrs) -> Attrs:
        """Return the text: ``axes = [1], starts = [0], ends = [2]`` is ``"::, :2:"``."""
        axes = list(listed["axes"])
        steps = listed.get(self.steps) or [1] * len(axes)
        parts = ["::"] * (max(axes, default=-1) + 1)
        for axis, start, end, step in zip(axes, listed["starts"], listed["ends"], steps, strict=True):
            parts[axis] = str(start) if axis in listed.get(self.gone, ()) else _as_text(start, end, step)
        return {"index": ", ".join(parts) or "..."}


class Assigned(Sliced):
    """An index that is written to, and the number that is written (if it is no tensor)."""

    def __init__(self) -> None:
        super().__init__("steps", "decrease_axes", "none_axes", "dtype", "shape", "values")
        self.hidden = ("index", "number")

    def write(self, attrs: Attrs, metas: Metas = ()) -> Attrs:
        """Add the number, as a list of shape [1]."""
        number = [] if len(metas) > 1 and metas[1] else [attrs["number"]]
        dtype = as_code(metas[0].dtype if metas and metas[0] else None)
        rest = {"none_axes": [], "dtype": dtype, "shape": [1] * len(number), "values": number}
        return {**super().write(attrs, metas), **rest}

    def read(self, listed: Attrs) -> Attrs:
        """Return the text and the number."""
        return {**super().read(listed), "number": next(iter(listed.get("values", [])), 0)}


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
            rows.append({"axes": axis, **_row(item)})
        axis += 1
    return rows


def _row(item: Any) -> Attrs:
    if not isinstance(item, slice):
        return {"starts": item, "ends": END if item == -1 else item + 1, "steps": 1, "single": True}
    step = 1 if item.step is None else item.step
    first, last = (0, END) if step > 0 else (END, -1)
    return {
        "starts": first if item.start is None else item.start,
        "ends": last if item.stop is None else item.stop,
        "steps": step,
        "single": False,
    }


def _as_text(start: int, end: int, step: int) -> str:
    """Return a slice as it stands in an index; what is an end of the axis is left out."""
    first, last = (0, END) if step > 0 else (END, -1)
    bounds = ["" if start == first else str(start), "" if end == last or end >= END else str(end)]
    return ":".join([*bounds, "" if step == 1 else str(step)])
