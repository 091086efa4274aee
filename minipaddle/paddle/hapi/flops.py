"""paddle.flops: the number of multiplications and additions of a network for one input."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from minipaddle.engine.names.missing import paddle_name
from minipaddle.ops.random.sample import randn
from minipaddle.paddle import nn
from minipaddle.paddle.framework.summary import own_size, shapes, watch
from minipaddle.paddle.hapi.callbacks.callback import write_line

__all__ = ["flops"]


class Counted(NamedTuple):
    """One layer of the table."""

    name: str
    inputs: Any  # a shape, or several
    output: Any
    params: int
    flops: int


def _convolution(layer: Any, x: Any, y: Any) -> int:
    a_place = math.prod(layer.weight.shape[2:]) * layer._in_channels // layer._groups
    return int(y.size * (a_place + (layer.bias is not None)))


def _adaptive(layer: Any, x: Any, y: Any) -> int:
    window = math.prod(wide // narrow for wide, narrow in zip(x.shape[2:], y.shape[2:]))
    return int(y.size * (window + 1))


def _nothing(layer: Any, x: Any, y: Any) -> int:
    return 0


_OF: dict[str, Callable[[Any, Any, Any], int]] = {
    **dict.fromkeys(
        [f"Conv{n}D{transpose}" for n in (1, 2, 3) for transpose in ("", "Transpose")], _convolution
    ),
    **dict.fromkeys(["BatchNorm1D", "BatchNorm2D", "BatchNorm3D"], lambda layer, x, y: int(2 * x.size)),
    **dict.fromkeys(["AvgPool1D", "AvgPool2D", "AvgPool3D"], lambda layer, x, y: int(y.size)),
    **dict.fromkeys([f"AdaptiveAvgPool{n}D" for n in (1, 2, 3)], _adaptive),
    **dict.fromkeys(["ReLU", "ReLU6", "Dropout"], _nothing),
    "LeakyReLU": lambda layer, x, y: int(x.size),
    "Linear": lambda layer, x, y: int(y.size * layer.weight.shape[0]),
}
"""The number of operations of a layer of ``paddle.nn``, by the name of its class, as Paddle counts them."""


def flops(
    net: Any,
    input_size: Sequence[int],
    custom_ops: dict[type, Callable[..., Any]] | None = None,
    print_detail: bool = False,
    inputs: Any = None,
) -> int:
    """Run a network once and return the number of its layers' operations; print the sum, or a table of the layers.

    Args:
        net: a Layer. It runs in eval mode, without gradients, and is unchanged afterwards. For anything else: -1.
        input_size: the shape of the input, the batch included.
        inputs: the inputs themselves, in place of a size.
        custom_ops: a function ``f(layer, inputs, output)`` for a class of layers, which adds to ``layer.total_ops``.
        print_detail: print a table with a row for each layer.

    Returns:
        The operations: an int. A multiplication and the addition that follows it count as one.
    """
    if not isinstance(net, nn.Layer):
        warnings.warn(
            "Your model must be an instance of paddle.nn.Layer for its operations to be counted", stacklevel=2
        )
        return -1
    counts = _counts(net, custom_ops or {})
    found: dict[int, Counted] = {}

    def note(layer: Any, x: Any, y: Any) -> None:
        before = found.get(id(layer))
        taken = counts[id(layer)](layer, x, y) + (before.flops if before else 0)
        seen = x[0] if isinstance(x, tuple | list) and len(x) == 1 else x
        found[id(layer)] = Counted(layer.full_name(), shapes(seen, []), shapes(y, []), own_size(layer), taken)

    leaves = [layer for layer in net.sublayers(include_self=True) if id(layer) in counts]
    watch(leaves, note, net, [randn(list(input_size))] if inputs is None else inputs, {})
    total, params = (sum(getattr(row, what) for row in found.values()) for what in ("flops", "params"))
    if print_detail:
        write_line(_table(list(found.values())))
    write_line(f"Total Flops: {total}     Total Params: {params}")
    return int(total)


def _counts(net: Any, custom: dict[type, Callable[..., Any]]) -> dict[int, Callable[..., int]]:
    """Return the function that counts for each layer without sublayers; print once per class which one it is."""
    counts: dict[int, Callable[..., int]] = {}
    told: set[type] = set()
    for layer in net.sublayers(include_self=True):
        kind = type(layer)
        shown = f"<class '{paddle_name(kind.__module__)}.{kind.__qualname__}'>"
        if layer._sub_layers:
            continue
        known = _OF.get(kind.__name__) if getattr(nn, kind.__name__, None) is kind else None
        if kind in custom:
            counts[id(layer)] = _customized(custom[kind])
            said = f"Customize Function has been applied to {shown}"
        elif known:
            counts[id(layer)], said = _of_first(known), f"{shown}'s flops has been counted"
        else:
            said = f"Cannot find suitable count function for {shown}. Treat it as zero FLOPs."
            counts[id(layer)] = _nothing
        if kind not in told:
            write_line(said)
        told.add(kind)
    return counts


def _of_first(count: Callable[..., int]) -> Callable[..., int]:
    return lambda layer, x, y: int(count(layer, x[0], y))


def _customized(count: Callable[..., Any]) -> Callable[..., int]:
    """Return a counter that calls a user's function, which adds to ``layer.total_ops``."""

    def counted(layer: Any, x: Any, y: Any) -> int:
        layer.total_ops = 0
        count(layer, x, y)
        taken = int(layer.total_ops)
        del layer.total_ops
        return taken

    return counted


def _table(rows: Sequence[Counted]) -> str:
    titles = ("Layer Name", "Input Shape", "Output Shape", "Params", "Flops")
    cells = [titles, *(tuple(map(str, row)) for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(titles))]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    lines = [
        "| " + " | ".join(_centered(cell, width) for cell, width in zip(row, widths)) + " |" for row in cells
    ]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule])


def _centered(text: str, width: int) -> str:
    """Return a text centered in a width; an odd space goes left of an even text, as in PrettyTable's tables."""
    spare = width - len(text)
    left = (spare + (len(text) % 2 == 0)) // 2
    return " " * left + text + " " * (spare - left)
