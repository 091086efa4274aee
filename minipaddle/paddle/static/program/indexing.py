"""``x[...]`` in a Program: the operators that Paddle 2.6.2 appends, with readable attributes.

Eager execution has one operator for views and one for indexing with arrays (``ops/indexing/index.py``); a
Program lists ``slice``, ``strided_slice``, ``unsqueeze2``, ``where_index`` and ``gather_nd``. For several
arrays, or an array and None, it is ``getitem`` here too: Paddle's chain for those has operators with no other use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.operator.operator import Operator
from minipaddle.ops.indexing.gather import gather_nd
from minipaddle.ops.indexing.index import getitem_op, slice_op, strided_slice, written_index
from minipaddle.ops.indexing.text import read
from minipaddle.ops.search.where import where_index
from minipaddle.ops.views.reshape import unsqueeze2
from minipaddle.ops.views.transpose import transpose2

Cut = Callable[[Operator, Any, str], Any]


def indexed(x: Any, index: Any, cut: Cut) -> Any:
    """Return ``x[index]``; `x` itself if all of it is selected.

    Args:
        index: the text between the brackets, as Python objects.
        cut: applies ``slice`` or ``strided_slice`` to a Variable and the text of an index: the caller names the result.
    """
    text, arrays = written_index(index)
    items = text.split(", ") if text else []
    if not arrays:
        return _with_new_axes(_cut(x, items, cut), items, x.ndim)
    places = [number for number, item in enumerate(items) if item.startswith("@")]
    if len(arrays) > 1 or "None" in items or arrays[0].ndim == 0 or "..." in items[: places[0]]:
        return getitem_op(x, arrays, text)
    axis = len([item for item in items[: places[0]] if ":" in item])
    masked = items[places[0]] != "@"
    if masked and axis:
        return getitem_op(x, arrays, text)
    mask_axes = int(items[places[0]][1:]) if masked else 1
    whole = _cut(x, [part for item in items for part in (["::"] * mask_axes if "@" in item else [item])], cut)
    return gather_nd(whole, where_index(arrays[0])) if masked else _picked(whole, arrays[0], axis)


def _cut(x: Any, items: list[str], cut: Cut) -> Any:
    """Apply an index of numbers and slices only."""
    kept = [item for item in items if item != "None"]
    if all(item in ("::", "...") for item in kept):
        return x
    text = ", ".join(kept)
    stepped = any(isinstance(item, slice) and item.step not in (None, 1) for item in read(text).view)
    return cut(strided_slice if stepped else slice_op, x, text)


def _with_new_axes(x: Any, items: list[str], ndim: int) -> Any:
    """Insert an axis for every None."""
    covered = len([item for item in items if item not in ("None", "...")])
    axes, place = [], 0
    for item in items:
        axes += [place] if item == "None" else []
        place += ndim - covered if item == "..." else item == "None" or ":" in item
    return unsqueeze2(x, tuple(axes)) if axes else x


def _picked(x: Any, array: Any, axis: int) -> Any:
    """Return the elements picked along one axis by an array of numbers, whose axes replace this axis."""
    if not axis:
        return gather_nd(x, unsqueeze2(array, (-1,)))
    front = transpose2(x, (axis, *[one for one in range(x.ndim) if one != axis]))
    found = gather_nd(front, unsqueeze2(array, (-1,)))
    new = array.ndim
    return transpose2(found, (*range(new, new + axis), *range(new), *range(new + axis, found.ndim)))
