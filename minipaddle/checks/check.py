"""The gradient check: gradients that rules computed beside numeric gradients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from minipaddle.checks.jacobian import floating_inputs, forward_of, function_of
from minipaddle.checks.numeric_gradient import Slopes, Weighted
from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE
from minipaddle.explain.causes import Evidence, cause_of
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.trace.replay import Missing
from minipaddle.words.events import blamed, place, stop_numbers, title
from minipaddle.words.json import json_number
from minipaddle.words.language import say
from minipaddle.words.numbers import number, spaced

_ROUNDING = 64
"""So many units in the last place of the numbers that a gradient adds up may be lost in the sum."""
_KINK = 0.02
"""If the slopes to both sides differ by more than this part of the gradient, there is no gradient to compare with."""


@dataclass
class Checked:
    """The result for one input of one event."""

    event: Event
    name: str
    """The input."""
    verdict: str
    """``ok``, ``wrong``, ``unsure`` (at a kink, or numbers too large to tell) or ``unchecked``."""
    elements: int = 0
    """How many were moved."""
    difference: float = 0.0
    """The worst relative difference."""
    spot: tuple[int, ...] = ()
    analytic: float = 0.0
    numeric: float = 0.0
    cause: str = ""
    """The likely cause; or why it was not checked."""


def gradient_events(trace: Trace) -> Iterator[Event]:
    """Yield one gradient event for each operator, line and shape: a second one would give the same result."""
    seen = set()
    for event in trace.events:
        forward = forward_of(trace, event) if event.kind == "grad" else None
        # A branch that was not taken gave zeros, of which there is nothing to check.
        taken = event.op != "conditional_block_grad" or event.body is not None
        if forward is not None and taken:
            shapes = tuple(value.shape for _, value in floating_inputs(trace, forward))
            key = (event.title, forward.where, shapes, repr(sorted(forward.attrs)))
            if key not in seen:
                seen.add(key)
                yield event


class Precision(NamedTuple):
    """How far an input is moved, and which relative difference is a mistake."""

    step: float
    tolerance: float


PRECISIONS = {"float64": Precision(1e-5, 1e-3), "float32": Precision(1e-2, 2e-2)}
"""In single precision a difference of two results keeps half of their digits, so inputs are moved further."""


def check_trace(trace: Trace) -> Iterator[Checked]:
    """Yield the results for every kind of gradient event of a recording."""
    for event in gradient_events(trace):
        yield from check_event(trace, event)


def check_event(
    trace: Trace,
    event: Event,
    step: float | None = None,
    tolerance: float | None = None,
    dtype: str = "float64",
) -> list[Checked]:
    """Return the results of one gradient event, for each input that got a gradient (or should have got one).

    The operator runs in `dtype`, by which `step` and `tolerance` are chosen where they are not given.
    """
    step = PRECISIONS[dtype].step if step is None else step
    tolerance = PRECISIONS[dtype].tolerance if tolerance is None else tolerance
    forward = forward_of(trace, event)
    if forward is None or event.kind != "grad":
        return []
    try:
        case = _measured(trace, forward, event, step, dtype)
        return [_compare(case, which, tolerance) for which in case.places if case.has_rule(which)]
    except Missing as error:
        return [Checked(event, forward.title, "unchecked", cause=str(error))]
    except (ArithmeticError, TypeError, ValueError, RuntimeError) as error:
        return [Checked(event, forward.title, "unchecked", cause=f"{type(error).__name__}: {error}")]


class _Case(NamedTuple):
    """A gradient event, and the numeric gradients of its forward event."""

    trace: Trace
    forward: Event
    event: Event
    places: dict[int, Value]
    """The inputs that require gradients, by their place among the inputs of the forward event."""
    slopes: dict[int, Slopes]
    """Of each of them."""

    def has_rule(self, place: int) -> bool:
        """Return whether a gradient is to be expected: rules of operators may leave out an input."""
        return self.forward.op not in TABLE or self.event.outputs[place] is not None

    def analytic(self, place: int) -> Array:
        """Return what the rule gave for this input."""
        outputs = self.event.outputs
        made = self.trace.value(outputs[place] if place < len(outputs) else None)
        return np.zeros(self.places[place].shape) if made is None else _kept(made).astype(np.float64)


def _measured(trace: Trace, forward: Event, event: Event, step: float, dtype: str) -> _Case:
    """Return the numeric gradients of a forward event, one for each input that requires a gradient."""
    inputs = floating_inputs(trace, forward)
    function = _seeded(trace, forward, event, dtype)
    arrays = [_kept(value).astype(dtype) for _, value in inputs]
    wanted = {place: value for place, value in inputs if not value.stop_gradient}
    slopes = {
        place: Slopes(function, arrays, which, step)
        for which, (place, _) in enumerate(inputs)
        if place in wanted
    }
    return _Case(trace, forward, event, wanted, slopes)


def _kept(value: Value) -> Array:
    if value.array is None:
        raise Missing(say("the numbers of {name} were not kept", name=value.name))
    return value.array


def _seeded(trace: Trace, forward: Event, event: Event, dtype: str) -> Weighted:
    """Return the outputs as a function of the inputs, each times its incoming gradient."""
    function = function_of(trace, forward, dtype)
    seeds = []
    for out, id_ in _incoming(trace, forward, event):
        made, seed = trace.value(out), trace.value(id_)
        zeros = np.zeros(made.shape if made else ())
        seeds.append(zeros if seed is None else _kept(seed).astype(np.float64))

    def weighted(arrays: Sequence[Array]) -> Array:
        outs = [np.asarray(out, np.float64) for out in function(arrays)]
        return np.concatenate([(out * seed).ravel() for out, seed in zip(outs, seeds)])

    return weighted


def _incoming(trace: Trace, forward: Event, event: Event) -> list[tuple[int | None, int | None]]:
    """Return each output of the forward event with the gradient that came in for it.

    A loop of a Program lists only what there is: a gradient knows what it is the gradient of.
    """
    if event.op != "while_grad":
        return list(zip(forward.outputs, event.inputs))
    of = {value.of: value.id for value in trace.known(event.inputs)}
    return [(out, of.get(out)) for out in forward.outputs]


def _compare(case: _Case, place: int, tolerance: float) -> Checked:
    """Return the result for one input, compared by elements; where only some were moved, also for all at once."""
    value, slopes, analytic = case.places[place], case.slopes[place], case.analytic(place)
    numeric, kinks, parts = (np.array(column) for column in zip(*slopes.found))
    computed = np.array([analytic[spot] for spot in slopes.spots])
    scale = max(float(np.abs(numeric).max(initial=0)), float(np.abs(computed).max(initial=0)), 1e-12)
    sure = np.isfinite(numeric) & np.isfinite(computed) & (kinks < _KINK * scale)
    if not sure.any():
        return Checked(case.event, value.name, "unsure", len(numeric), cause=say("at a kink, or not finite"))
    rounding = _rounding(value)
    apart = np.where(sure, np.abs(numeric - computed), 0)
    # A sum that has cancelled is as right as its parts are, however small it is itself.
    gaps = apart / np.where(apart > rounding * parts, scale, np.maximum(scale, parts))
    worst = int(np.argmax(gaps))
    found = Checked(case.event, value.name, "ok", len(numeric), float(gaps[worst]), slopes.spots[worst])
    found.analytic, found.numeric = float(computed[worst]), float(numeric[worst])
    if gaps[worst] > tolerance:
        found.verdict = "wrong"
        found.cause = _likely_cause(case, place, analytic, (computed[sure], numeric[sure]))
    elif slopes.whole is None:
        _compare_along(found, slopes, analytic, tolerance, rounding)
    return found


def _rounding(value: Value) -> float:
    return _ROUNDING * float(np.finfo(value.dtype).eps)


def _likely_cause(case: _Case, place: int, analytic: Array, pairs: tuple[Array, Array]) -> str:
    """Return the mistake that would give just these numbers; "" if none is found."""
    trace = case.trace
    others = {
        trace.values[case.forward.inputs[other] or 0].name: slopes.whole
        for other, slopes in case.slopes.items()
        if other != place
    }
    named = _named_arrays(trace, case.forward, case.event)
    return cause_of(Evidence(analytic, case.slopes[place].whole, [pairs], named=named, others=others))


def _compare_along(
    found: Checked, slopes: Slopes, analytic: Array, tolerance: float, rounding: float
) -> None:
    """Correct the result by moving all elements at once: that shows a mistake at one that was not moved alone."""
    direction = np.sign(analytic) + (analytic == 0)
    total, (moved, kink, summed) = float((analytic * direction).sum()), slopes.along(direction)
    size, gap = max(abs(total), abs(moved), 1e-12), abs(total - moved)
    if kink < _KINK * size and gap > max(tolerance * size, rounding * summed):
        found.verdict, found.analytic, found.numeric, found.spot = "wrong", total, moved, ()
        found.difference = gap / size
        found.cause = say("moving all elements at once shows it; which one is wrong was not searched for")


def _named_arrays(trace: Trace, forward: Event, event: Event) -> dict[str, Array]:
    """Return what the rule might have left out: inputs, outputs and the gradients that came in."""
    found: dict[str, Array] = {}
    for id_ in (*forward.inputs, *forward.outputs, *event.inputs):
        value = trace.value(id_)
        if value is not None and value.array is not None:
            found[value.name] = value.array.astype(np.float64)
    return found


def check_line(trace: Trace, one: Checked) -> str:
    """Return a result as a line: ``matmul_grad  x  ok  12 elements, worst difference 2e-08  train.py:3``."""
    where = place(blamed(trace, one.event))
    if one.verdict == "ok":
        what = say(
            "{count} elements, worst difference {gap}", count=one.elements, gap=f"{one.difference:.1g}"
        )
    elif one.verdict == "wrong":
        spot = f"{one.name}{list(one.spot)}" if one.spot else one.name
        what = say(
            "d {spot}: {analytic} was computed, {numeric} is right",
            spot=spot,
            analytic=number(one.analytic),
            numeric=number(one.numeric),
        )
        what += f" ({one.cause})" if one.cause else ""
    else:
        what = one.cause
    return spaced(title(one.event), one.name, one.verdict, what, where)


def check_summary(found: Sequence[Checked]) -> str:
    """Return the counts of all results: ``12 gradients checked, 1 wrong, 2 unchecked``."""
    count = Counter(one.verdict for one in found)
    parts = [say("{count} gradients checked", count=len(found) - count["unchecked"])]
    parts.append(say("{count} wrong", count=count["wrong"]))
    parts += [say("{count} unsure", count=count["unsure"])] if count["unsure"] else []
    parts += [say("{count} unchecked", count=count["unchecked"])] if count["unchecked"] else []
    return ", ".join(parts)


def check_object(trace: Trace, one: Checked) -> dict[str, object]:
    """Return a result as JSON data."""
    return {
        "i": stop_numbers(trace)[one.event.index],
        "op": title(one.event),
        "input": one.name,
        "verdict": one.verdict,
        "elements": one.elements,
        "difference": json_number(one.difference),
        "at": list(one.spot),
        "analytic": json_number(one.analytic),
        "numeric": json_number(one.numeric),
        "cause": one.cause,
        "where": place(blamed(trace, one.event)),
    }
