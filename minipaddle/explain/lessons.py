"""What is worth saying of the gradients of single operators: the sentence that a teacher would add."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from minipaddle.trace.events import Event, Value
from minipaddle.words.language import say

if TYPE_CHECKING:
    from minipaddle.debug.session import Session


_FLAT = 0.05
"""Of its steepest slope: where a squashing function is flatter than that, it is said to be saturated."""


def about_rule(session: Session, forward: Event, coming: Value, of: Value) -> list[str]:
    """Return sentences about how the gradient `coming` is handed on to `of`, an input of `forward`."""
    about = _ABOUT.get(forward.op)
    return about(session, forward, coming, of) if about is not None else []


def _sum(session: Session, forward: Event, coming: Value, of: Value) -> list[str]:
    return [
        say("a sum changes by as much as any element of {name}: each gets {gradient}", **_names(coming, of))
    ]


def _mean(session: Session, forward: Event, coming: Value, of: Value) -> list[str]:
    size = int(np.prod(of.shape)) // max(int(np.prod(coming.shape)), 1)
    return [
        say(
            "{size} elements share in the mean: each gets {gradient} / {size}",
            size=size,
            **_names(coming, of),
        )
    ]


def _cross_entropy(session: Session, forward: Event, coming: Value, of: Value) -> list[str]:
    label = session.trace.value(forward.inputs[1])
    if label is None or forward.attrs.get("soft_label"):
        return []
    return [
        say("the probability that softmax gives, minus 1 at the label: what was predicted less what is true"),
        say("(arange(...) == {label}) is 1 at the label and 0 elsewhere", label=label.name),
    ]


def _largest(session: Session, forward: Event, coming: Value, of: Value) -> list[str]:
    return [
        say(
            "only the element that was taken gets the gradient: the others could change, and {out} would not",
            out=_out(session, forward),
        )
    ]


def _dropout(session: Session, forward: Event, coming: Value, of: Value) -> list[str]:
    mask = session.trace.value(forward.outputs[1]) if len(forward.outputs) > 1 else None
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
) -> Callable[[Session, Event, Value, Value], list[str]]:
    def about(session: Session, forward: Event, coming: Value, of: Value) -> list[str]:
        out = session.trace.value(forward.outputs[0])
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


def _out(session: Session, forward: Event) -> str:
    made = session.trace.value(forward.outputs[0])
    return made.name if made is not None else forward.title


_ABOUT: dict[str, Callable[[Session, Event, Value, Value], list[str]]] = {
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
