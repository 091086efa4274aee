"""Recurrent networks in a program: the cells of ops/recurrent, step by step over symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.ops.recurrent.layers import BYTES
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.tree import Leaf


class _Step(NamedTuple):
    """What one step of a cell makes."""

    states: list[Any]
    """The new ones, h first."""
    kept: list[Any]
    """What the gradient needs besides them, before them."""


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _parts(x: Any, n: int) -> list[Any]:
    return [x[:, start : start + n] for start in range(0, x.shape[-1], n)]


def _lstm(outer: Any, inner: Any, states: Sequence[Any]) -> _Step:
    hidden, memory = states
    i, f, g, o = _parts(outer + inner, hidden.shape[-1])
    i, f, g, o = _sigmoid(i), _sigmoid(f), np.tanh(g), _sigmoid(o)
    after = f * memory + i * g
    return _Step([o * np.tanh(after), after], [i, f, g, o])


def _gru(outer: Any, inner: Any, states: Sequence[Any]) -> _Step:
    (hidden,) = states
    n = hidden.shape[-1]
    (r, z, c), (inner_r, inner_z, inner_c) = _parts(outer, n), _parts(inner, n)
    r, z = _sigmoid(r + inner_r), _sigmoid(z + inner_z)
    c = np.tanh(c + r * inner_c)
    return _Step([(hidden - c) * z + c], [r, z, c, inner_c])


def _simple(outer: Any, inner: Any, states: Sequence[Any]) -> _Step:
    return _Step([np.tanh(outer + inner)], [])


def _rectified(outer: Any, inner: Any, states: Sequence[Any]) -> _Step:
    return _Step([np.maximum(outer + inner, 0)], [])


def _network(step: Callable[..., _Step], count: int = 1) -> Callable[..., Any]:
    """Return the reading of a network of cells that have `count` states."""

    def read(
        x: Any, lengths: Any, *given: Any, num_layers: int = 1, is_bidirec: bool = False, **attrs: Any
    ) -> Any:
        states, weights = given[:count], given[count:]
        steps, half = x.shape[0], len(weights) // 2
        orders = [range(steps), range(steps)[::-1]][: 2 if is_bidirec else 1]
        counts = (
            None if lengths is None else (np.arange(steps)[:, None] < np.asarray(lengths)[None])[..., None]
        )
        last: list[list[Any]] = [[] for _ in states]
        kept: list[Any] = []
        for layer in range(num_layers):
            outs: list[list[Any]] = [[] for _ in range(steps)]
            for way, order in enumerate(orders):
                at = layer * len(orders) + way
                outer, inner, bias, inner_bias = (weights[one] for one in _own(at, half))
                now = [one[at] for one in states]
                made: list[Any] = [None] * steps
                for t in order:
                    new, rest = step(x[t] @ outer.T + bias, now[0] @ inner.T + inner_bias, now)
                    if counts is not None:
                        new = [np.where(counts[t], one, old) for one, old in zip(new, now)]
                    now = new
                    made[t] = np.concatenate([*rest, *new[::-1]], -1)
                    outs[t].append(now[0] if counts is None else now[0] * counts[t])
                kept.append(np.stack(made, 0))
                for found, one in zip(last, now):
                    found.append(one)
            x = np.stack([np.concatenate(one, -1) if len(one) > 1 else one[0] for one in outs], 0)
        passed = Symbol(Leaf("", np.empty(0, BYTES)))
        return x, *[np.stack(one, 0) for one in last], np.stack(kept, 0), passed

    return read


def _own(at: int, half: int) -> tuple[int, int, int, int]:
    """Return the places of the two matrices and the two biases of a layer and direction."""
    return 2 * at, 2 * at + 1, half + 2 * at, half + 2 * at + 1


_SIMPLE = {"RNN_TANH": _network(_simple), "RNN_RELU": _network(_rectified)}
RECURRENT: dict[str, Callable[..., Any]] = {
    "lstm": _network(_lstm, 2),
    "gru": _network(_gru),
    "simple_rnn": lambda *given, mode="RNN_TANH", **attrs: _SIMPLE[mode](*given, **attrs),
}
