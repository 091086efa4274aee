"""Cells over time, in one layer and one direction: forward on arrays, and the gradient, step by step backward.

``forward(states, steps)`` takes the inputs' parts of the gates, [time, batch, gates * size], goes through the steps
in `order`, and writes the values for gradients into `kept`, [time, batch, parts * size]: gates, then the state, h
last. Where `counts` is False the state stays as it was.

``backward(grads, states, weight, order, counts)`` takes each part of `kept` and its gradient, [time, batch,
size], and the gradients of the last state. It returns the gradients of `projected`, of the state's contributions to the
gates, and of the first states.

Next: :mod:`minipaddle.ops.recurrent.rnn`, the operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.ops.definition import Array
from minipaddle.ops.indexing.index import slice_op
from minipaddle.ops.linalg.matmul import product
from minipaddle.ops.manipulation.concat import concat_op, stack
from minipaddle.ops.math.exponential import tanh
from minipaddle.ops.reduction.sum import cast_to
from minipaddle.ops.views.reshape import unsqueeze2

Order = Sequence[int]


class Cell(NamedTuple):
    """One kind of cell."""

    gates: int
    parts: int
    """How many arrays of the state's size a step keeps."""
    forward: Callable[..., list[Array]]
    backward: Callable[..., tuple[Any, Any, list[Any]]]


class Steps(NamedTuple):
    """The input of one layer and direction's steps."""

    projected: Array
    weight: Array
    bias: Array
    order: Order
    counts: Array | None
    kept: Array


class Grads(NamedTuple):
    """The input of the backward pass of one layer and direction."""

    kept: Sequence[Any]
    """The parts that the steps kept."""
    dkept: Sequence[Any]
    """Their gradients; the state's includes the outputs' gradients."""
    dlast: Sequence[Any]
    """Gradients of the last states."""


def before(states: Any, first: Any, order: Order) -> Any:
    """Return the state before each step."""
    first = unsqueeze2(first, (0,))
    if order[0] == 0:
        return concat_op([first, slice_op(states, ":-1")], 0)
    return concat_op([slice_op(states, "1:"), first], 0)


def _parted(grad: Any, counts: Any, t: int) -> tuple[Any, Any]:
    """Return the part of a state's gradient that goes into step `t`, and the part that bypasses it."""
    if counts is None:
        return grad, None
    into = grad * counts[t]
    return into, grad - into


def _joined(grad: Any, passing: Any) -> Any:
    return grad if passing is None else grad + passing


def _sigmoid(x: Array) -> Array:
    out = np.exp(-x)
    out += 1
    return np.reciprocal(out, out)


# -- LSTM -----------------------------------------------------------------------------------------------------


def _lstm_forward(states: list[Array], steps: Steps) -> list[Array]:
    projected, weight, bias, order, counts, kept = steps
    hidden, memory = states
    n = hidden.shape[-1]
    projected += bias
    for t in order:
        inner = projected[t] + product(hidden, weight.T)
        gates = _sigmoid(inner)
        gates[:, 2 * n : 3 * n] = np.tanh(inner[:, 2 * n : 3 * n])
        i, f, g, o = (gates[:, part * n : part * n + n] for part in range(4))
        after = f * memory + i * g
        output = o * np.tanh(after)
        if counts is not None:
            after, output = np.where(counts[t], after, memory), np.where(counts[t], output, hidden)
        hidden, memory = output, after
        kept[t, :, : 4 * n], kept[t, :, 4 * n : 5 * n], kept[t, :, 5 * n :] = gates, memory, hidden
    return [hidden, memory]


def _lstm_backward(grads: Grads, states: Sequence[Any], weight: Any, order: Order, counts: Any) -> Any:
    i, f, g, o, c, _ = grads.kept
    di, df, dg, do, dc, dh = grads.dkept
    dhidden, dmemory = grads.dlast
    squashed = tanh(c)
    opened = o * (1 - squashed * squashed)  # dh / dc
    bend_i, bend_f, bend_g, bend_o = i - i * i, f - f * f, 1 - g * g, o - o * o
    of_i, of_f, of_g, of_o = g * bend_i, before(c, states[1], order) * bend_f, i * bend_g, squashed * bend_o
    own = concat_op([di * bend_i, df * bend_f, dg * bend_g, do * bend_o], -1)
    inner: list[Any] = [None] * len(order)
    for t in reversed(order):
        into_h, past_h = _parted(dhidden + dh[t], counts, t)
        into_c, past_c = _parted(dmemory + dc[t], counts, t)
        into_c = into_c + into_h * opened[t]
        gates = [into_c * of_i[t], into_c * of_f[t], into_c * of_g[t], into_h * of_o[t]]
        inner[t] = concat_op(gates, -1) + own[t]
        dhidden, dmemory = _joined(product(inner[t], weight), past_h), _joined(into_c * f[t], past_c)
    found = stack(inner, 0)
    return found, found, [dhidden, dmemory]


LSTM = Cell(4, 6, _lstm_forward, _lstm_backward)

# -- GRU ------------------------------------------------------------------------------------------------------


def _gru_forward(states: list[Array], steps: Steps) -> list[Array]:
    projected, weight, bias, order, counts, kept = steps
    (hidden,) = states
    n = hidden.shape[-1]
    for t in order:
        inner = product(hidden, weight.T) + bias
        gates = _sigmoid(projected[t, :, : 2 * n] + inner[:, : 2 * n])
        reset, update = gates[:, :n], gates[:, n:]
        candidate = np.tanh(projected[t, :, 2 * n :] + reset * inner[:, 2 * n :])
        after = (hidden - candidate) * update + candidate
        hidden = after if counts is None else np.where(counts[t], after, hidden)
        kept[t, :, : 2 * n], kept[t, :, 2 * n : 3 * n] = gates, candidate
        kept[t, :, 3 * n : 4 * n], kept[t, :, 4 * n :] = inner[:, 2 * n :], hidden
    return [hidden]


def _gru_backward(grads: Grads, states: Sequence[Any], weight: Any, order: Order, counts: Any) -> Any:
    r, z, c, inner_c, h = grads.kept
    dr, dz, dc, dinner_c, dh = grads.dkept
    (dhidden,) = grads.dlast
    bend_r, bend_z, bend_c = r - r * r, z - z * z, 1 - c * c
    of_r, of_z, of_c = inner_c * bend_r, (before(h, states[0], order) - c) * bend_z, (1 - z) * bend_c
    own_r, own_z, own_c = dr * bend_r, dz * bend_z, dc * bend_c
    outer: list[Any] = [None] * len(order)
    inner: list[Any] = [None] * len(order)
    for t in reversed(order):
        into, past = _parted(dhidden + dh[t], counts, t)
        to_c = into * of_c[t] + own_c[t]
        to_z = into * of_z[t] + own_z[t]
        to_r = to_c * of_r[t] + own_r[t]
        outer[t] = concat_op([to_r, to_z, to_c], -1)
        inner[t] = concat_op([to_r, to_z, to_c * r[t] + dinner_c[t]], -1)
        dhidden = _joined(product(inner[t], weight) + into * z[t], past)
    return stack(outer, 0), stack(inner, 0), [dhidden]


GRU = Cell(3, 5, _gru_forward, _gru_backward)

# -- simple ---------------------------------------------------------------------------------------------------


def _simple(activation: Callable[..., Array], slope: Callable[[Any], Any]) -> Cell:
    """Return the cell ``h' = activation(x W + h V)``; `slope` is the derivative, from h'."""

    def forward(states: list[Array], steps: Steps) -> list[Array]:
        projected, weight, bias, order, counts, kept = steps
        (hidden,) = states
        projected += bias
        for t in order:
            after = activation(projected[t] + product(hidden, weight.T))
            kept[t] = hidden = after if counts is None else np.where(counts[t], after, hidden)
        return [hidden]

    def backward(grads: Grads, states: Sequence[Any], weight: Any, order: Order, counts: Any) -> Any:
        (dh,), (dhidden,) = grads.dkept, grads.dlast
        of_h = slope(grads.kept[0])
        inner: list[Any] = [None] * len(order)
        for t in reversed(order):
            into, past = _parted(dhidden + dh[t], counts, t)
            inner[t] = into * of_h[t]
            dhidden = _joined(product(inner[t], weight), past)
        found = stack(inner, 0)
        return found, found, [dhidden]

    return Cell(1, 1, forward, backward)


CELLS = {
    "GRU": GRU,
    "RNN_TANH": _simple(np.tanh, lambda h: 1 - h * h),
    "RNN_RELU": _simple(lambda x: np.maximum(x, 0), lambda h: cast_to(h > 0, h.dtype)),
}
"""The cells whose state is h alone, by Paddle's names for them."""
