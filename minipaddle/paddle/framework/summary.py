"""paddle.summary: a table of the layers of a net, the shapes that pass through them, and their parameters."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.mode.eager import current, within
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.random.sample import rand
from minipaddle.paddle.nn.layer.container import LayerList, Sequential

__all__ = ["summary"]

MEGABYTE = 1024.0**2  # bytes
WIDTH = 75  # cells
COLUMNS = (15, 20, 20, 15)
"""Least widths of the table and its columns, as in Paddle."""


class Row(NamedTuple):
    """One layer of the table."""

    title: str
    inputs: Any  # shapes
    output: Any
    params: int


def summary(net: Any, input_size: Any = None, dtypes: Any = None, input: Any = None) -> dict[str, int]:
    """Run `net` once and show its layers, their shapes and parameters as a table.

    Args:
        net: a Layer. It runs in eval mode, without gradients, and is unchanged afterwards.
        input_size: the shape of the input, or a list of shapes for several; None or -1 counts as 1.
        dtypes: the type of the input, or one for each; float32 by default.
        input: the input itself (a Tensor, a list of them, or a dict of arguments), in place of a size.

    Returns:
        ``{"total_params": ..., "trainable_params": ...}``; as in Paddle, the total counts buffers such as the
        running mean of BatchNorm too.

    Raises:
        ValueError: **input_size and input cannot be None at the same time**.
        TypeError: if `input_size` is no shape.
    """
    if input_size is None and input is None:
        raise ValueError("input_size and input cannot be None at the same time")
    args, kwargs = _given(input) if input is not None else (_made(input_size, dtypes), {})
    rows = _watch(net, args, kwargs)
    counts = _counts(net)
    size = sum(tensor.size for tensor in [*args, *kwargs.values()] if isinstance(tensor, Tensor))
    sys.stdout.write(_table(rows, counts, size))
    return counts


def _given(input: Any) -> tuple[list[Any], dict[str, Any]]:
    if isinstance(input, dict):
        return [], dict(input)
    return ([input] if isinstance(input, Tensor) else list(input)), {}


def _made(input_size: Any, dtypes: Any) -> list[Any]:
    """Return random inputs: as in Paddle, they are drawn from the seed's stream."""
    several = isinstance(input_size, list) and any(isinstance(shape, (tuple, list)) for shape in input_size)
    shapes = input_size if several else [input_size]
    kinds = dtypes if isinstance(dtypes, (list, tuple)) else [dtypes or "float32"] * len(shapes)
    return [cast(rand(_shape(shape)), kind) for shape, kind in zip(shapes, kinds)]


def _shape(given: Any) -> tuple[int, ...]:
    sizes = (given,) if isinstance(given, int) else given
    if not isinstance(sizes, (tuple, list)) or not all(
        size is None or isinstance(size, int) for size in sizes
    ):
        raise TypeError(
            f"input_size must be a tuple of int, or a list of such tuples, but received {given!r}"
        )
    return tuple(1 if size is None or size == -1 else size for size in sizes)


def _watch(net: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Row]:
    """Return a row for the last call of each layer that is not a container and defines a forward."""
    rows: dict[int, Row] = {}

    def note(layer: Any, inputs: Any, outputs: Any) -> None:
        index = int(layer.full_name().rpartition("_")[2] or 0) + 1
        title = f"{type(layer).__name__}-{index}"
        rows[id(layer)] = Row(title, shapes(inputs, None), shapes(outputs, []), own_size(layer))

    layers = list(_inside(net))
    watch([*layers, net], note, net, args, kwargs)
    if not net._parameters and len(rows) > 1:
        del rows[id(net)]
    return list(rows.values())


def _inside(net: Any) -> Iterator[Any]:
    """Yield the layers of a net that the table shows; an LSTM (a list with parameters) hides the layers in it."""
    if isinstance(net, (Sequential, LayerList)) and net._parameters:
        return
    for layer in net.children():
        if not isinstance(layer, (Sequential, LayerList)) or layer._parameters:
            yield layer
        yield from _inside(layer)


def watch(
    layers: Sequence[Any], note: Callable[..., None], net: Any, args: Sequence[Any], kwargs: Any
) -> None:
    """Run a net in eval mode, without gradients; call ``note(layer, inputs, outputs)`` after each of some layers."""
    handles = [layer.register_forward_post_hook(note) for layer in layers]
    training = [layer for layer in net.sublayers(include_self=True) if layer.training]
    net.eval()
    try:
        with within(current.get().with_grad(False)):
            net(*args, **kwargs)
    finally:
        for layer in training:
            layer.training = True
        for handle in handles:
            handle.remove()


def shapes(value: Any, of_others: Any) -> Any:
    """Return the shape of a tensor, or a nest of shapes for a nest; `of_others` for other values."""
    if isinstance(value, (tuple, list)):
        return [shapes(item, of_others) for item in value]
    return list(value.shape) if isinstance(value, Tensor) else of_others


def own_size(layer: Any) -> int:
    """Return the size of a layer's direct parameters and buffers."""
    own = [*layer._parameters.values(), *layer._buffers.values()]
    return sum(tensor.size for tensor in own if tensor is not None)


def _counts(net: Any) -> dict[str, Any]:
    tensors = {id(tensor): tensor for tensor in [*net.parameters(), *net.buffers()]}
    trainable = [tensor for tensor in net.parameters() if not tensor.stop_gradient]
    return {
        "total_params": np.int64(sum(tensor.size for tensor in tensors.values())),
        "trainable_params": np.int64(sum(tensor.size for tensor in trainable)),
    }


def _table(rows: Sequence[Row], counts: dict[str, int], input_size: int) -> str:
    total, trainable = counts["total_params"], counts["trainable_params"]
    passed = 2 * sum(_elements(row.output) for row in rows)  # forward, and the gradients backward
    sizes = [number * 4.0 / MEGABYTE for number in (input_size, passed, total)]
    cells = [(row.title, str(row.inputs), str(row.output), f"{row.params:,}") for row in rows]
    widths = [max([least, *map(len, column)]) for least, *column in zip(COLUMNS, *cells)]
    width = max(WIDTH, sum(widths) + 5)
    lines = [
        "-" * width,
        *_lines([("Layer (type)", "Input Shape", "Output Shape", "Param #")], widths),
        "=" * width,
        *_lines(cells, widths),
        "=" * width,
        f"Total params: {total:,}",
        f"Trainable params: {trainable:,}",
        f"Non-trainable params: {total - trainable:,}",
        "-" * width,
        f"Input size (MB): {sizes[0]:.2f}",
        f"Forward/backward pass size (MB): {sizes[1]:.2f}",
        f"Params size (MB): {sizes[2]:.2f}",
        f"Estimated Total Size (MB): {sum(sizes):.2f}",
        "-" * width,
        "",
    ]
    return "\n".join(lines) + "\n"


def _elements(shape: Any) -> int:
    if shape and isinstance(shape[0], list):
        return sum(_elements(one) for one in shape)
    return int(np.prod(shape)) if shape else 0


def _lines(cells: Sequence[Sequence[str]], widths: Sequence[int]) -> list[str]:
    return [" ".join(f"{text:^{width}}" for text, width in zip(row, widths)) for row in cells]
