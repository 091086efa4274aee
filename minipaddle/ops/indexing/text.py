"""An index as text: ``x[0, ..., 1:3, rows]`` is the text ``"0, ..., 1:3:, @"`` and the list ``[rows]``.

The text is an attribute of the operator: it can be printed in a Program, drawn and saved. Its arrays are
inputs of the operator, marked ``@`` at their places; a mask is marked with the number of its axes, ``@2``.

Reading it gives two indices for NumPy, applied one after the other, as Paddle does: first the items that
make a view (numbers, slices, None), then the arrays. If an index has an array and a number,
the result may differ from NumPy's, which would treat the number as an array.
"""

from __future__ import annotations

import operator as python
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.mode.eager import Eager
from minipaddle.ops.definition import Attrs, Listing, Metas, failure, invalid
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.definition.program_printing import as_code


class Reading(NamedTuple):
    """A parsed index text."""

    view: tuple[Any, ...]
    """Numbers, slices, None and one Ellipsis."""
    arrays: tuple[Any, ...] | None
    """The second index, for the first one's result: "@" or "@2" mark arrays. None: no arrays."""

    def fill(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Return the second index with its arrays filled in."""
        rest = iter(arrays)
        return tuple([next(rest) if isinstance(item, str) else item for item in self.arrays or ()])


# -- writing --------------------------------------------------------------------------------


def write(index: Any) -> tuple[str, list[Any]]:
    """Return `index`, the part between the brackets, as a text and its arrays."""
    arrays: list[Any] = []
    items = index if type(index) is tuple else (index,)
    text = ", ".join([_item(item, arrays) for item in items])
    if text.count("...") > 1:
        raise invalid("An index can only have a single ellipsis ('...').")
    return text, arrays


def _item(item: Any, arrays: list[Any]) -> str:
    if isinstance(item, (int, np.integer)) and type(item) is not bool:
        return str(int(item))
    if isinstance(item, slice):
        return f"{_bound(item.start)}:{_bound(item.stop)}:{_bound(item.step)}"
    if item is None or item is Ellipsis:
        return "None" if item is None else "..."
    array = _as_array(item)
    kind = np.dtype(getattr(array.dtype, "numpy", array.dtype)).kind
    if kind not in "biu":
        raise invalid(
            f"Index holds the wrong type, it holds [{array.dtype}], but desires to be [int64].",
            "an index is made of integers or bools; paddle.cast converts",
        )
    if array.ndim == 0 and kind != "b" and isinstance(array, (np.ndarray, Eager.tensor)):
        return str(int(array))
    arrays.append(array)
    return f"@{array.ndim}" if kind == "b" else "@"


def _bound(value: Any) -> str:
    return "" if value is None else str(python.index(value))


def _as_array(item: Any) -> Any:
    """Return a bool, or a sequence of integers or bools, as an array; a tensor itself."""
    if hasattr(item, "dtype") and hasattr(item, "ndim"):
        return item
    if isinstance(item, bool):
        return np.array(item)
    if isinstance(item, (list, tuple, range)):
        plain = [one.item() if isinstance(one, Eager.tensor) else one for one in item]
        return np.array(plain) if plain else np.zeros(0, np.int64)
    raise invalid(
        "Currently, Tensor.__indices__() only allows indexing by Boolean, Integers, Slices, Ellipsis, None, Tuples "
        f"of these types and List / Tensor of Bool and Integers, but received {type(item).__name__}."
    )


# -- reading --------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """Return the parsed index text."""
    items = text.split(", ") if text else []
    view: list[Any] = []
    arrays: list[Any] = []
    for item in items:
        if item == "...":
            view.append(Ellipsis)
            arrays.append(Ellipsis)
        elif item.startswith("@"):
            view += [slice(None)] * int(item[1:] or 1)
            arrays.append(item)
        elif item == "None" or ":" in item:
            view.append(
                None if item == "None" else slice(*[int(part) if part else None for part in item.split(":")])
            )
            arrays.append(slice(None))
        else:
            view.append(int(item))
    if Ellipsis not in view:
        view.append(Ellipsis)  # so that NumPy gives a view even of a single element
    return Reading(tuple(view), tuple(arrays) if "@" in text else None)


# -- shapes --------------------------------------------------------------------------------


def view_shape(shape: tuple[int, ...], view: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the shape after the first index; an unknown size (-1) stays unknown."""
    covered = len([item for item in view if item is not None and item is not Ellipsis])
    if covered > len(shape):
        raise failure(
            IndexError,
            f"too many indices: the tensor has {len(shape)} axes, but {covered} were indexed: {list(shape)}.",
        )
    found: list[int] = []
    axis = 0
    for item in view:
        if item is None:
            found.append(1)
        elif item is Ellipsis:
            rest = len(shape) - covered
            found += shape[axis : axis + rest]
            axis += rest
        elif isinstance(item, slice):
            found.append(_slice_size(shape[axis], item))
            axis += 1
        else:
            if shape[axis] != -1 and not -shape[axis] <= item < shape[axis]:
                raise failure(
                    IndexError,
                    f"The starting index {item} of slice is out of bounds in tensor {axis}-th axis, "
                    f"it should be in the range of [{-shape[axis]}, {shape[axis]}).",
                )
            axis += 1
    return tuple(found)


def _slice_size(size: int, item: slice) -> int:
    if size == -1:
        return -1
    if item.step == 0:
        raise invalid("stride index in StridedSlice operator is 0.")
    return len(range(*item.indices(size)))


def arrays_shape(shape: tuple[int, ...], reading: Reading, arrays: Sequence[Any]) -> tuple[int, ...]:
    """Return the shape after the second index, given the Metas of the arrays; a mask picks -1 items."""
    items = reading.fill(arrays)
    covers = [_axes_covered(item) for item in items]
    rest = len(shape) - sum(covers)
    if rest < 0:
        raise failure(
            IndexError, f"too many indices: the tensor has {len(shape)} axes, but {sum(covers)} were indexed."
        )
    groups = [(-1,) if item.dtype.kind == "b" else item.shape for item in arrays]
    picked: tuple[int, ...] = ()
    for group in groups:
        picked = broadcast_shapes(picked, group)
    found: list[int] = []
    place: int | None = None
    apart = False
    gap = False
    axis = 0
    for item, cover in zip(items, covers, strict=True):
        if item is Ellipsis:
            found += shape[axis : axis + rest]
            axis += rest
            gap = place is not None
        elif isinstance(item, slice):
            found.append(shape[axis])
            axis += 1
            gap = place is not None
        else:
            apart = apart or gap
            place = len(found) if place is None else place
            axis += cover
    found += shape[axis:]
    start = 0 if apart or place is None else place
    return (*found[:start], *picked, *found[start:])


def _axes_covered(item: Any) -> int:
    """Return the number of axes that an item of the second index covers."""
    if item is Ellipsis:
        return 0
    if isinstance(item, slice):
        return 1
    return len(item.shape) if item.dtype.kind == "b" else 1


END = 2**31 - 1
"""The end that Paddle prints for a slice up to the last element."""


class Sliced(Listing):
    """The printed form of an index text: lists with one entry for each axis that is not taken whole.

    `steps` is the name of the list of steps, if any, `gone` the name of the axes that numbers drop.
    """

    def __init__(self, steps: str = "", gone: str = "decrease_axis", *others: str) -> None:
        super().__init__("index")
        self.steps, self.gone, self.others = steps, gone, others

    @property
    def names(self) -> list[str]:
        """Names of the printed attributes."""
        return ["axes", "starts", "ends", *([self.steps] if self.steps else []), self.gone, *self.others]

    def write(self, attrs: Attrs, metas: Metas = ()) -> Attrs:
        """Return the lists; axes after an Ellipsis are counted from the end if the number of axes is unknown."""
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
    """The printed form of an index to write to, with the number to write (unless that is a tensor)."""

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
    """Return the printed attributes of each axis not taken whole."""
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
    """Return a slice as text of an index; bounds at an end of the axis are omitted."""
    first, last = (0, END) if step > 0 else (END, -1)
    bounds = ["" if start == first else str(start), "" if end == last or end >= END else str(end)]
    return ":".join([*bounds, "" if step == 1 else str(step)])
