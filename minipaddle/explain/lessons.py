"""What is worth saying of the gradients of single operators: the sentence that a teacher would add."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minipaddle.trace.events import Event, Trace, Value
from minipaddle.words.language import say

_FLAT = 0.05
"""Of its steepest slope: where a squashing function is flatter than that, it is said to be saturated."""


def about_rule(trace: Trace, forward: Event, coming: Value, of: Value) -> list[str]:
    """Return sentences about how the gradient `coming` is handed on to `of`, an input of `forward`."""
    about = _ABOUT.get(forward.op)
    return about(trace, forward, coming, of) if about is not None else []


def _sum(trace: Trace, forward: Event, coming: Value, of: Value) -> list[str]:
    return [
        say("a sum changes by as much as any element of {name}: each gets {gradient}", **_names(coming, of))
    ]


def _mean(trace: Trace, forward: Event, coming: Value, of: Value) -> list[str]:
    size = int(np.prod(of.shape)) // max(int(np.prod(coming.shape)), 1)
    return [
        say(
            "{size} elements share in the mean: each gets {gradient} / {size}",
            size=size,
            **_names(coming, of),
        )
    ]


def _cross_entropy(trace: Trace, forward: Event, coming: Value, of: Value) -> list[str]:
    label = trace.value(forward.inputs[1])
    if label is None or forward.attrs.get("soft_label"):
        return []
    return [
        say("the probability that softmax gives, minus 1 at the label: what was predicted less what is true"),
        say("(arange(...) == {label}) is 1 at the label and 0 elsewhere", label=label.name),
    ]


def _largest(trace: Trace, forward: Event, coming: Value, of: Value) -> list[str]:
    return [
        say(
            "only the element that was taken gets the gradient: the others could change, and {out} would not",
            out=_out(trace, forward),
        )
    ]


def _dropout(trace: Trace, forward: Event, coming: Value, of: Value) -> list[str]:
    mask = trace.value(forward.outputs[1]) if len(forward.outputs) > 1 else None
    if mask is None or mask.array is None:
        return []
    dropped = int((mask.array == 0).sum())
    return [
        say(
            "{count} of {size} elements were dropped: no gradient passes there",
            count=dropped,
            size=mask.array.size,
        )
    ]


def _squashing(
    slope: Callable[[np.ndarray], np.ndarray], steepest: float
) -> Callable[[Trace, Event, Value, Value], list[str]]:
    def about(trace: Trace, forward: Event, coming: Value, of: Value) -> list[str]:
        out = trace.value(forward.outputs[0])
        if out is None or out.array is None or not out.array.size:
            return []
        flat = int((slope(out.array) < _FLAT * steepest).sum())
        if not flat:
            return []
        return [
            say(
                "{count} of {size} elements are saturated: {op} is nearly flat there, and lets little gradient pass",
                count=flat,
                size=out.array.size,
                op=forward.title,
            )
        ]

    return about


def _names(coming: Value, of: Value) -> dict[str, str]:
    return {"gradient": coming.name, "name": of.name}


def _out(trace: Trace, forward: Event) -> str:
    made = trace.value(forward.outputs[0])
    return made.name if made is not None else forward.title


_ABOUT: dict[str, Callable[[Trace, Event, Value, Value], list[str]]] = {
    "reduce_sum": _sum,
    "reduce_mean": _mean,
    "mean": _mean,
    "softmax_with_cross_entropy": _cross_entropy,
    "reduce_max": _largest,
    "reduce_min": _largest,
    "dropout": _dropout,
    "sigmoid": _squashing(lambda y: y * (1 - y), 0.25),
    "tanh": _squashing(lambda y: 1 - y * y, 1.0),
}
