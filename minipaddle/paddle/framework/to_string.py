"""The text of a Tensor, as Paddle prints it: eight decimals, aligned columns, long axes shortened to their ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from minipaddle.engine.tensor.tensor import Tensor, text_of_tensor
from minipaddle.engine.value.meta import Array


@dataclass(frozen=True)
class PrintOptions:
    """The options of ``set_printoptions``."""

    precision: int = 8
    threshold: int = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool = False


_options = PrintOptions()
_INDENT = 7  # columns of ``Tensor(``, under which rows are aligned


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sci_mode: bool | None = None,
    linewidth: int | None = None,
) -> None:
    """Change how Tensors print; None leaves an option unchanged."""
    changes: dict[str, Any] = {name: value for name, value in locals().items() if value is not None}
    global _options
    _options = replace(_options, **changes)


@contextmanager
def printed_as_at_the_start() -> Iterator[None]:
    """Print as in a new process inside a ``with`` block, ignoring `set_printoptions`; afterwards as before."""
    global _options
    before, _options = _options, PrintOptions()
    try:
        yield
    finally:
        _options = before


@text_of_tensor.filled
def tensor_repr(tensor: Tensor) -> str:
    """Return ``Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=True, ...)``."""
    return (
        f"Tensor(shape={list(tensor.shape)}, dtype={tensor.dtype.name}, place=Place(cpu), "
        f"stop_gradient={tensor.stop_gradient},\n{' ' * _INDENT}{_data(tensor.array)})"
    )


def _data(array: Array) -> str:
    if array.ndim == 0:
        return _item(array[()])
    cut = array.size > _options.threshold
    shown = list(_shown_items(array, cut))
    texts = [_item(item) for item in shown]
    signed = array.dtype.kind in "if" and any(item < 0 for item in shown)
    return _rows(array, cut, max(map(len, texts), default=0), signed, _INDENT)


def _ends(axis: Array, cut: bool) -> tuple[list[Any], list[Any]]:
    """Return the items of an axis to show: all of them, or the first and last few."""
    edge = _options.edgeitems
    if cut and len(axis) > 2 * edge:
        return list(axis[:edge]), list(axis[-edge:])
    return list(axis), []


def _shown_items(array: Array, cut: bool) -> Iterator[Any]:
    head, tail = _ends(array, cut)
    for item in head + tail:
        if array.ndim == 1:
            yield item
        else:
            yield from _shown_items(item, cut)


def _rows(array: Array, cut: bool, width: int, signed: bool, indent: int) -> str:
    def text(item: Any) -> str:
        if array.ndim == 1:
            return _padded(_item(item), width, signed)
        return _rows(item, cut, width, signed, indent + 1)

    head, tail = _ends(array, cut)
    parts = [*map(text, head), *(["..."] if tail else []), *map(text, tail)]
    if array.ndim == 1:
        per_line = max(1, (_options.linewidth - indent) // max(1, width + 2))
        parts = [", ".join(parts[start : start + per_line]) for start in range(0, len(parts), per_line)]
    return "[" + ("," + "\n" * max(1, array.ndim - 1) + " " * (indent + 1)).join(parts) + "]"


def _padded(text: str, width: int, signed: bool) -> str:
    if signed and not text.startswith("-") and len(text) < width:
        text = " " + text
    return text.ljust(width)


def _item(item: Any) -> str:
    kind = item.dtype.kind
    if kind == "f":
        return _float(float(item))
    if kind == "c":
        sign = "" if item.imag < 0 else "+"  # of a negative zero Paddle writes both
        return f"({item.real:.{_options.precision}f}{sign}{item.imag:.{_options.precision}f}j)"
    return str(item)


def _float(value: float) -> str:
    if np.isnan(value):
        return "nan"
    if _options.sci_mode:
        return f"{value:.{_options.precision}e}"
    if np.ceil(value) == value:
        return f"{value:.0f}."
    return f"{value:.{_options.precision}f}"
