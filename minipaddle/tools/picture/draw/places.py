"""Places: dot's layout as DOT attributes, with titles and labels moved to where no line strikes them.

dot keeps boxes off each other and arrows off boxes, but lets arrows run through titles of frames and through words.
Here all that it drew goes into a grid, and a text that stands on some of it moves to the nearest free place: a title
along the upper or lower side of its frame, a label along its arrow. An arrow that lies on another one is moved aside.
Read next: :mod:`minipaddle.tools.picture.draw.render`.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len

from minipaddle.tools.words.numbers import cut_cells

_CELL = 2.0  # points: side of a cell of the grid, thinner than the gap between two lines
_AROUND = 200  # cells around the picture, none of them free
_APART = 3.0  # points between a line and its label
_FAR = 9.0  # points between them where no nearer place is free
_HIGH = 1.1  # height of letters, in parts of the font's size
_SIDES = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)])
"""Where a label is tried, seen from a point of its arrow: beside, above and below it, and with one of its corners."""
_POINTS = 80  # points of an arrow that are tried
_BESIDE = np.concatenate([5.0 * _SIDES, 9.0 * _SIDES])  # points: where an arrow is tried that lies on one
_TOGETHER = 4  # cells: two arrows that run together for so long are moved apart
_FEW, _OF_TITLE = (14, 7, 0), (28, 14)
"""Cells that names of saved values, and titles, keep where all places are taken."""

Places = Mapping[str, dict[str, str]]
"""DOT attributes with the place of each node, edge and frame, by its id; of the whole picture by ""."""
_Array = npt.NDArray[Any]


def places(layout: bytes) -> Places:
    """Return the places of a layout of ``dot -Tjson``."""
    found = json.loads(layout)
    drawn = [one for one in (*found.get("objects", ()), *found.get("edges", ())) if "id" in one]
    for one in drawn:
        one |= {"pos": one["pos"].partition(";")[0]} if "pos" in one else {}  # dot draws some arrows twice
    known = {one["id"]: {key: one[key] for key in ("pos", "bb") if key in one} for one in drawn}
    cells = np.pad(np.zeros((_numbers(found["bb"])[2:] / _CELL).astype(int)), _AROUND, constant_values=1)

    def window(at: _Array, size: _Array) -> _Array:
        x, y, right, top = (np.concatenate([at - size / 2, at + size / 2]) / _CELL + _AROUND).astype(int)
        return cells[max(x, 0) : right + 1, max(y, 0) : top + 1]

    def best(tried: list[_Array], size: _Array) -> _Array:
        free = next((at for at in tried if not window(at, size).any()), None)
        return min(tried, key=lambda at: float(window(at, size).sum())) if free is None else free

    def line(pos: str) -> tuple[_Array, ...]:
        return tuple((_along(pos) / _CELL + _AROUND).astype(int).T)

    def struck(pos: str) -> int:
        return int(cells[line(pos)].sum()) // _TOGETHER

    for one in drawn:
        if "bb" in one:
            low, high = _numbers(one["bb"]).reshape(2, 2)
            window((low + high) / 2, high - low)[[0, -1], :] = 1
            window((low + high) / 2, high - low)[:, [0, -1]] = 1
        elif "tail" in one:
            if struck(one["pos"]):
                ways = [one["pos"], *(_moved(one["pos"], by) for by in _BESIDE)]
                one["pos"] = known[one["id"]]["pos"] = min(ways, key=struck)
            cells[line(one["pos"])] = 1
        else:
            window(_numbers(one["pos"]), 72 * np.array([float(one["width"]), float(one["height"])]))[...] = 1
    shown = [one for one in drawn if "_ldraw_" in one]  # dot leaves a label out now and then
    texts = [(one, key, *_tried(one, key)) for one in shown for key in ("lp", "xlp") if key in one]
    for one, key, size, tried in sorted(texts, key=lambda text: window(text[3][0], text[2]).sum()):
        at, words = best(tried, size), "label" if key == "lp" else "xlabel"
        names = next(step["text"] for step in one["_ldraw_"] if step["op"] == "T").strip()
        saved = one.get("arrowhead") == "none" and not names.endswith(")")
        for few in _OF_TITLE if "bb" in one else _FEW if saved else ():
            if window(at, size - 2 * _CELL).any():  # struck, not only touched
                size, tried = _tried(one, key, few / cell_len(names))
                at, known[one["id"]][words] = best(tried, size), cut_cells(names, few) if few else ""
        window(at, size)[...] = 1
        known[one["id"]][key] = f"{at[0]:.1f},{at[1]:.1f}"
    return known | {"": {key: found[key] for key in ("bb", "lp") if key in found}}


def _tried(one: dict[str, Any], key: str, part: float = 1.0) -> tuple[_Array, list[_Array]]:
    """Return the size of a title or a label, or of a part of it, and where it may stand, the best place first."""
    wide = max(step["width"] for step in one["_ldraw_"] if step["op"] == "T") * min(1.0, part)
    at, size = _numbers(one[key]), np.array([wide, float(one["fontsize"]) * _HIGH])
    if "bb" in one:
        left, low, right, high = _numbers(one["bb"])
        size[0] += 2 * _APART
        first = left + size[0] / 2 + _CELL
        across = np.arange(first, max(right - size[0] / 2 - _CELL, first + 1), _CELL)
        across = across[:: 1 if one["labeljust"] == "l" else -1]
        return size, [np.array([x, y]) for y in (at[1], low + high - at[1]) for x in across]
    points = _along(one["pos"])
    points = points[:: len(points) // _POINTS + 1]
    order = np.argsort(np.abs(np.arange(len(points)) - len(points) / 2), kind="stable")
    sides = (_SIDES * (size / 2 + apart) for apart in (_APART, _FAR))
    return size, [at, *np.concatenate([(points[order, None] + side).reshape(-1, 2) for side in sides])]


def _moved(pos: str, by: _Array) -> str:
    """Return an arrow between the same two points, in between moved aside."""
    tips, (start, *between, end) = re.findall(r"[se],\S+", pos), re.sub(r"[se],\S+", "", pos).split()
    return " ".join([*tips, start, *(",".join(map(str, _numbers(one) + by)) for one in between), end])


def _numbers(text: str) -> _Array:
    return np.array(text.split(","), float)


def _along(pos: str) -> _Array:
    """Return points along an arrow, a cell apart: Bezier's curves, with tips ``s,x,y`` and ``e,x,y`` before them."""
    tips, curve, points = dict(re.findall(r"([se]),(\S+)", pos)), re.sub(r"[se],\S+", "", pos).split(), []
    start, end = tips.get("s", curve[0]), tips.get("e", curve[-1])
    corners = [_numbers(text) for text in (start, start, curve[0], *curve, curve[-1], end, end)]
    for a, b, c, d in zip(corners[::3], corners[1::3], corners[2::3], corners[3::3]):
        t = np.linspace(0, 1, int(np.abs([b - a, c - b, d - c]).sum() / _CELL) + 2)[:, None]
        points.append((1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d)
    return np.concatenate(points)
