"""Layers and directions of cells over time, with lengths and dropout: forward on arrays, and the gradient.

Shapes and weights are described in :mod:`minipaddle.ops.recurrent.rnn`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.ops.creation.range import arange
from minipaddle.ops.definition import Array, invalid, require
from minipaddle.ops.linalg.matmul import matmul, product
from minipaddle.ops.manipulation.concat import concat_op, stack
from minipaddle.ops.manipulation.split import split_with_num
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine
from minipaddle.ops.recurrent.cells import Cell, Grads, Steps, before
from minipaddle.ops.reduction.sum import cast_to, fold
from minipaddle.ops.views.reshape import reshape2, unsqueeze2

BYTES = np.dtype("uint8")


def _orders(steps: int, is_bidirec: bool) -> list[Sequence[int]]:
    """Return the order of the steps in each direction."""
    forward = range(steps)
    return [forward, forward[::-1]] if is_bidirec else [forward]


def _survivors(shape: tuple[int, ...], layers: int, p: float, is_test: bool, seed: int | None) -> Array:
    """Return dropout's masks between layers, all drawn at once; empty if dropout is off."""
    if is_test or not p or layers == 1:
        return np.empty(0, BYTES)
    if p == 1:
        return np.zeros(shape, BYTES)
    return (draws.uniform(engine(seed), shape, np.dtype(np.float32)) >= p).astype(BYTES)


# -- forward --------------------------------------------------------------------------------------------------


def run(
    cell: Cell, x: Array, lengths: Array | None, states: Any, weights: Any, how: Sequence[Any]
) -> tuple[Array, ...]:
    """Return the outputs, the last states, the values kept by the steps, and dropout's masks.

    `how`: the number of layers, whether there are two directions, the share to drop, is_test, the seed.
    """
    num_layers, is_bidirec, dropout_prob, is_test, seed = how
    steps, batch, _ = x.shape
    require(all(one.shape[:2] == (num_layers * (2 if is_bidirec else 1), batch) for one in states))
    size = weights[1].shape[1]
    orders = _orders(steps, is_bidirec)
    count = num_layers * len(orders)
    counts = None if lengths is None else (np.arange(steps)[:, None] < lengths.reshape(1, -1))[:, :, None]
    kept = np.empty((count, steps, batch, cell.parts * size), x.dtype)
    last = [np.empty_like(one) for one in states]
    shape = (steps, batch, len(orders) * size)
    passed = _survivors(shape, num_layers, dropout_prob, is_test, seed)
    for layer in range(num_layers):
        if layer and passed.size:
            x = x * passed.astype(x.dtype) * x.dtype.type(_scale(dropout_prob))
        out = np.empty(shape, x.dtype)
        for way, order in enumerate(orders):
            at = layer * len(orders) + way
            outer, inner, bias, inner_bias = _own(weights, at)
            projected = (product(x.reshape(steps * batch, -1), outer.T) + bias).reshape(steps, batch, -1)
            first = [one[at] for one in states]
            steps_of = Steps(projected, inner, inner_bias, order, counts, kept[at])
            for one, found in zip(last, cell.forward(first, steps_of)):
                one[at] = found
            hidden = kept[at, :, :, -size:]
            out[:, :, way * size : (way + 1) * size] = hidden if counts is None else hidden * counts
        x = out
    return x, *last, kept, passed


def _own(weights: Sequence[Any], at: int) -> tuple[Any, Any, Any, Any]:
    """Return the two matrices and two biases of one layer and direction."""
    half = len(weights) // 2
    return weights[2 * at], weights[2 * at + 1], weights[half + 2 * at], weights[half + 2 * at + 1]


def _scale(p: float) -> float:
    """Return the factor of the survivors that preserves the mean; Paddle holds p in float32."""
    return 1 / (1 - float(np.float32(p))) if p < 1 else 0.0


# -- backward -------------------------------------------------------------------------------------------------


def back(
    cell: Cell, grads: Sequence[Any], saved: Sequence[Any], num_layers: int, is_bidirec: bool, p: float
) -> list[Any]:
    """Return the gradients of `x`, of the lengths (None), of the first states and of the weights.

    They follow from the gradients of the outputs, of the last states and of the kept values, and from `saved`.
    """
    dout, dlast, dreserve = grads
    x, lengths, states, weights, reserve, passed = saved
    steps = x.shape[0]
    if steps == -1:
        raise invalid(
            "The gradient of the gradient of rnn needs the number of steps, which only a run will tell."
        )
    orders = _orders(steps, is_bidirec)
    counts = None
    if lengths is not None:
        order = reshape2(arange(steps, dtype=lengths.dtype), (-1, 1))
        counts = cast_to(unsqueeze2(order < reshape2(lengths, (1, -1)), (2,)), x.dtype)
    scale = None
    if passed.ndim > 1:
        scale = cast_to(passed, x.dtype) * _scale(p)
    kept = [split_with_num(reserve[at], cell.parts, -1) for at in range(num_layers * len(orders))]
    dkept = [list(split_with_num(dreserve[at], cell.parts, -1)) for at in range(len(kept))]
    dfirst: list[list[Any]] = [[None] * len(kept) for _ in states]
    dweights: list[Any] = [None] * len(weights)
    for layer in reversed(range(num_layers)):
        below = x
        if layer:
            hidden = [kept[(layer - 1) * len(orders) + way][-1] for way in range(len(orders))]
            below = _times(_times(concat_op(hidden, -1), counts), scale)
        dout = _times(dout, counts)
        douts = split_with_num(dout, len(orders), -1) if is_bidirec else [dout]
        dbelow = None
        for way, order in enumerate(orders):
            at = layer * len(orders) + way
            outer, inner, *_ = _own(weights, at)
            dkept[at][-1] = dkept[at][-1] + douts[way]
            first = [one[at] for one in states]
            coming = Grads(kept[at], dkept[at], [one[at] for one in dlast])
            douter, dinner, dstates = cell.backward(coming, first, inner, order, counts)
            for found, one in zip(dfirst, dstates):
                found[at] = one
            half = len(weights) // 2
            dweights[2 * at] = _product(douter, below)
            dweights[2 * at + 1] = _product(dinner, before(kept[at][-1], first[0], order))
            dweights[half + 2 * at], dweights[half + 2 * at + 1] = fold(douter, (0, 1)), fold(dinner, (0, 1))
            back = matmul(douter, outer)
            dbelow = back if dbelow is None else dbelow + back
        dout = _times(dbelow, scale) if layer else dbelow
    return [dout, None, *[stack(one, 0) for one in dfirst], *dweights]


def _times(value: Any, factor: Any) -> Any:
    return value if factor is None else value * factor


def _product(grad: Any, rows: Any) -> Any:
    """Return the gradient of a matrix by which `rows` were multiplied at every step."""
    return matmul(_flat(grad), _flat(rows), transpose_x=True)


def _flat(steps: Any) -> Any:
    return reshape2(steps, (-1, steps.shape[-1]))
