"""Padding: a border around a tensor, constant or copied from inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Listing, Meta, invalid, listed, of, operator, tried_with

Borders = Sequence[tuple[int, int]]
"""Before and after, for every axis."""


def _infer_pad(x: Meta, paddings: Borders, **attrs: Any) -> Meta:
    """Shape rule: every axis grows by its two borders."""
    grown = [size if size < 0 else size + sum(both) for size, both in zip(x.shape, paddings, strict=True)]
    return Meta(tuple(grown), x.dtype)


_FLAT_PADS = of(
    "paddings",
    lambda borders: [size for pair in borders for size in pair],
    lambda listed: tuple(zip(listed[::2], listed[1::2], strict=True)),
)


@listed(Listing(paddings=_FLAT_PADS, pad_value=of("value")))
@tried_with((2, 3), within=(-1, 1), paddings=((1, 0), (2, -1)))
@operator("pad", infer=_infer_pad)
def pad(x: Array, *, paddings: Borders = (), value: float = 0.0) -> Array:
    """Put a border of `value` around `x`; a negative border cuts off."""
    kept = x[
        tuple([slice(max(-a, 0), size - max(-b, 0)) for size, (a, b) in zip(x.shape, paddings, strict=True)])
    ]
    borders = [(max(a, 0), max(b, 0)) for a, b in paddings]
    out = np.full([size + a + b for size, (a, b) in zip(kept.shape, borders, strict=True)], value, x.dtype)
    out[tuple([slice(a, a + size) for size, (a, b) in zip(kept.shape, borders, strict=True)])] = kept
    return out


pad.gradient("x")(lambda dy, paddings: pad(dy, [(-before, -after) for before, after in paddings]))


def _sources(size: int, borders: tuple[int, int], mode: str) -> Array:
    """Return, for each index of a padded axis, the index of its source among `size`."""
    modes: dict[str, Any] = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}
    if size == 0 or (mode == "reflect" and max(borders) >= size):
        raise invalid(
            f"The width of Input(X)'s dimension should be greater than pad in {mode} mode, but received "
            f"width({size}) and pad({max(borders)}).",
            "a reflection can be at most one element shorter than the axis; mode='replicate' has no limit",
        )
    return np.pad(np.arange(size), borders, mode=modes[mode])


def _infer_inside(x: Meta, paddings: Borders, mode: str) -> Meta:
    """Shape rule: every axis grows by its two borders."""
    for size, borders in zip(x.shape, paddings, strict=True):
        if size >= 0 and any(borders):
            _sources(size, borders, mode)
    return _infer_pad(x, paddings)


@listed(Listing(value=0.0, data_format="NCDHW"), grad_keeps="X")
@tried_with((1, 2, 3, 4), within=(-1, 1), paddings=((0, 0), (0, 0), (1, 2), (2, 1)))
@operator("pad3d", infer=_infer_inside)
def pad_from_inside(x: Array, *, paddings: Borders = (), mode: str = "reflect") -> Array:
    """Put a border around `x`: its mirror (reflect), its edge (replicate) or its other end (circular)."""
    out = x.copy()
    for axis, borders in enumerate(paddings):
        if any(borders):
            out = np.take(out, _sources(x.shape[axis], borders, mode), axis)
    return out


@listed(inputs="DOut", outputs="DX")
@tried_with((1, 2, 6, 7), within=(-1, 1), paddings=((0, 0), (0, 0), (1, 2), (2, 1)))
@operator(
    "pad3d_grad_sum",
    infer=lambda dy, paddings, **attrs: _infer_pad(dy, [(-a, -b) for a, b in paddings]),
    outputs=("dx",),
)
def pad_from_inside_grad(dy: Array, *, paddings: Borders = (), mode: str = "reflect") -> Array:
    """Return gradients with the border's added to its source elements."""
    out = dy.copy()
    for axis, borders in enumerate(paddings):
        if any(borders):
            size = dy.shape[axis] - sum(borders)
            whole = np.moveaxis(out, axis, 0)
            folded = np.zeros((size, *whole.shape[1:]), dy.dtype)
            np.add.at(folded, _sources(size, borders, mode), whole)
            out = np.moveaxis(folded, 0, axis)
    return np.ascontiguousarray(out)


pad_from_inside.gradient("x")(lambda dy, paddings, mode: pad_from_inside_grad(dy, paddings, mode))
pad_from_inside_grad.gradient("dy")(lambda dx, paddings, mode: pad_from_inside(dx, paddings, mode))
