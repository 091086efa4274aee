r"""Connectionist temporal classification: the probability of a label sequence, whatever its timing.

Between the labels, before and after are blanks: ``- a - b -``. A path stays, advances by one, or skips a blank
between two different labels. With the logarithms :math:`e_{ts}` of the probabilities of the label at place `s`,
:math:`\alpha_{ts}` sums over the beginnings of paths to there at step `t`, :math:`\beta_{ts}` over the ends. The
gradient is ``softmax`` minus the share of the paths through a place, :math:`e^{\alpha + \beta - e - \ln p}`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.ops.activation.softmax import log_softmax
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.definition import Array, Meta, Value, invalid, listed, operator, tried_with
from minipaddle.ops.indexing.take_along_axis import take_along_axis
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.manipulation.concat import concat, stack
from minipaddle.ops.math.exponential import exp
from minipaddle.ops.search.where import where
from minipaddle.ops.stat.variance import logsumexp
from minipaddle.ops.views.transpose import transpose

_READABLE = 2
"""The most labels for which the sum over all paths is a readable formula."""
NEVER = -1e30
"""Logarithm of the probability 0; finite, so that differences are finite."""


def _infer(
    logits: Meta, label: Meta, logits_length: Meta, label_length: Meta, blank: int, **attrs: Any
) -> Meta:
    """Shape rule: [steps, batch, classes] gives [batch, 1]."""
    if logits.ndim != 3 or label.ndim != 2:
        raise invalid(
            "The shape of Input(Logits) of warpctc should be [steps, batch, classes], that of Input(Label) [batch, "
            f"longest], but received {list(logits.shape)} and {list(label.shape)}."
        )
    if not 0 <= blank < logits.shape[2] and logits.shape[2] >= 0:
        raise invalid(
            f"The value of Attr(blank) should be in interval [0, {logits.shape[2]}), but received {blank}."
        )
    return Meta((logits.shape[1], 1), logits.dtype)


class _Lattice:
    """The positions of a batch of label sequences, and the steps allowed between them."""

    def __init__(self, logits_shape: Any, label: Array, steps: Array, lengths: Array, blank: int) -> None:
        self.steps, batch, self.classes = logits_shape
        self.labels = np.full((batch, 2 * label.shape[1] + 1), blank, "int64")
        self.labels[:, 1::2] = label
        places = np.arange(self.labels.shape[1])
        self.last = 2 * lengths.reshape(-1, 1).astype("int64")
        self.inside = places <= self.last
        self.labels = np.where(self.inside, self.labels, blank)
        self.skips = np.zeros(self.labels.shape, bool)
        """Places that may be entered from two places back."""
        self.skips[:, 2:] = (self.labels[:, 2:] != blank) & (self.labels[:, 2:] != self.labels[:, :-2])
        self.begins = places < 2
        self.ends = self.inside & (places >= self.last - 1)
        self.runs = np.arange(self.steps)[:, None] < steps.reshape(-1)
        """Whether a step counts, [steps, batch]."""

    def emissions(self, logarithms: Any, take: Callable[..., Any]) -> Any:
        """Return the logarithm of the probability of each place at each step [steps, batch, places]."""
        return take(logarithms, np.broadcast_to(self.labels, (self.steps, *self.labels.shape)))

    def alphas(self, e: Any, add: Callable[[list[Any]], Any], choose: Callable[..., Any]) -> list[Any]:
        """Return the sums over beginnings, step by step; `add` adds probabilities, given as logarithms."""
        floor = e[0] * 0 + NEVER
        now = choose(self.begins & self.inside, e[0], floor)
        found = [now]
        for t in range(1, self.steps):
            ways = [now, _moved(now, floor, 1), choose(self.skips, _moved(now, floor, 2), floor)]
            now = choose(self.runs[t][:, None] & self.inside, add(ways) + e[t], now)
            found.append(now)
        return found

    def betas(self, e: Any, add: Callable[[list[Any]], Any], choose: Callable[..., Any]) -> list[Any]:
        """Return the sums over ends, step by step."""
        floor = e[0] * 0 + NEVER
        now = floor
        found = []
        for t in range(self.steps - 1, -1, -1):
            after = self.runs[t + 1][:, None] if t + 1 < self.steps else np.zeros((len(self.labels), 1), bool)
            skipping = _moved(choose(self.skips, now, floor), floor, -2)
            ways = add([now, _moved(now, floor, -1), skipping])
            ahead = choose(after, ways, choose(self.ends, floor * 0, floor)) + e[t]
            now = choose(self.runs[t][:, None] & self.inside, ahead, floor)
            found.append(now)
        return found[::-1]


def _moved(x: Any, floor: Any, by: int) -> Any:
    """Return `x` shifted along the places, with `floor`, impossible, filled in."""
    join = np.concatenate if isinstance(x, np.ndarray) else concat
    return join([floor[:, :by], x[:, :-by]] if by > 0 else [x[:, -by:], floor[:, by:]], 1)


def _total(
    lattice: _Lattice, alphas: list[Any], add: Callable[[list[Any]], Any], choose: Callable[..., Any]
) -> Any:
    """Return the logarithm of the probability of all paths [batch, 1]."""
    last = choose(lattice.ends, alphas[-1], alphas[-1] * 0 + NEVER)
    return add([last[:, place : place + 1] for place in range(lattice.labels.shape[1])])


@listed(kind="warpctc")
@tried_with((2, 1, 3), np.array([[2]], "int32"), [2], [1], within=(-1, 1))
@operator("warpctc", kinds="f", infer=_infer, outputs=("loss",))
def warpctc(
    logits: Array,
    label: Array,
    logits_length: Array,
    label_length: Array,
    *,
    blank: int = 0,
    norm_by_times: bool = False,
) -> Array:
    """Return minus the logarithm of the probability of each label sequence [batch, 1]; 0 if it does not fit."""
    lattice = _Lattice(logits.shape, label, logits_length, label_length, blank)
    wide = logits.astype(np.result_type(logits.dtype, np.float32))  # float16 cannot represent NEVER
    shifted = wide - wide.max(-1, keepdims=True)
    logarithms = shifted - np.log(np.add.reduce(np.exp(shifted), axis=-1, keepdims=True))
    e = lattice.emissions(logarithms, lambda x, places: np.take_along_axis(x, places, 2))
    total = _total(lattice, lattice.alphas(e, np.logaddexp.reduce, np.where), np.logaddexp.reduce, np.where)
    return np.where(total < NEVER / 2, 0, -total).astype(logits.dtype)


def _add(parts: list[Any]) -> Any:
    """Return the sum of probabilities that are given as logarithms."""
    return logsumexp(stack(parts), 0)


def _choose(mask: Array, x: Any, y: Any) -> Any:
    return where(constant(mask), x, y)


def _numbers(value: Any) -> Array:
    """Return the numbers of labels and lengths, which determine the computation."""
    array = getattr(value, "array", value)
    if isinstance(array, np.ndarray):
        return array
    if hasattr(value, "block") or not hasattr(value, "item") or value.size > _READABLE:
        raise invalid(
            "ctc_loss: a second derivative needs labels and lengths as numbers, which a Program does not have.",
            "compute it in eager mode",
        )
    flat = value.reshape(-1)
    return np.array([int(flat[place]) for place in range(len(flat))]).reshape(value.shape)


@warpctc.gradient("logits")
def _(
    dy: Value,
    logits: Value,
    label: Value,
    logits_length: Value,
    label_length: Value,
    blank: int,
    norm_by_times: bool,
) -> Value:
    steps = _numbers(logits_length)
    lattice = _Lattice(logits.shape, _numbers(label), steps, _numbers(label_length), blank)
    half = logits.dtype.name == "float16"
    logarithms = log_softmax(cast(logits, "float32") if half else logits, -1)
    e = lattice.emissions(logarithms, lambda x, places: take_along_axis(x, constant(places), 2))
    alphas, betas = lattice.alphas(e, _add, _choose), lattice.betas(e, _add, _choose)
    total = _total(lattice, alphas, _add, _choose)
    shares = exp(stack(alphas) + stack(betas) - e - total)
    classes = cast(constant(np.eye(lattice.classes)[lattice.labels]), logarithms.dtype)
    passing = matmul(transpose(shares, [1, 0, 2]), classes)
    slope = exp(logarithms) - transpose(passing, [1, 0, 2])
    counts = lattice.runs[:, :, None] / (np.maximum(steps, 1).reshape(1, -1, 1) if norm_by_times else 1)
    slope = slope * cast(constant(counts), logarithms.dtype)
    answer = dy * where(total > NEVER / 2, slope, slope * 0)
    return cast(answer, logits.dtype) if half else answer
