"""The check of our own operators: their rules beside how their outputs change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from minipaddle.checks.gradient.jacobian import floating_inputs
from minipaddle.checks.gradient.mistakes import by_numbers
from minipaddle.checks.gradient.operators import Applied, Moved, rounded_away
from minipaddle.checks.gradient.results import Checked, How, nothing_came_in, value_size
from minipaddle.checks.gradient.slopes import Slopes, compare
from minipaddle.checks.gradient.tape import in_double, recorded
from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE
from minipaddle.trace.events import Event, Trace
from minipaddle.words.language import say
from minipaddle.words.numbers import number


def check_operator(trace: Trace, forward: Event, event: Event, how: How) -> list[Checked]:
    """Return what the rules of an operator give beside how its outputs change."""
    wanted = [id_ is not None for id_ in event.outputs]
    places = [
        place for place, value in floating_inputs(trace, forward) if place < len(wanted) and wanted[place]
    ]
    places = [place for place in places if trace.known([forward.inputs[place]])]
    seeds = [None if id_ is None else in_double(recorded(trace, id_)) for id_ in event.inputs]
    found = [_row(trace, forward, event, place) for place in places]
    if not any(seed is not None and seed.any() for seed in seeds):
        for one in found:
            one.verdict, one.cause, one.covered = "unchecked", nothing_came_in(), 0
        return found
    if forward.op not in TABLE:  # it hands on what one of its inputs is
        return found
    applied = Applied(trace, forward, how.dtype)
    gap = Moved(applied, places, seeds).apart(wanted)
    answers = applied.rules(wanted, seeds)
    for place, one in zip(places, found):
        given, answer = in_double(recorded(trace, event.outputs[place] or 0)), answers[place]
        right = np.zeros(given.shape) if answer is None else np.asarray(answer)
        if gap is None:
            one.verdict, one.cause, one.covered = "unsure", say("at a kink, or not finite"), 0
        elif gap > how.tolerance:
            _measure(trace, applied, one, place, places, seeds, right, how)
        else:
            one.difference = gap
            _lost_to_rounding(one, given, right, partial(applied.noise, wanted, seeds, place))
    return found


def _row(trace: Trace, forward: Event, event: Event, place: int) -> Checked:
    value = trace.values[forward.inputs[place] or 0]
    return Checked(event, value.name, "ok", value_size(value), value_size(value))


def _lost_to_rounding(one: Checked, given: Array, right: Array, noise: Callable[[], Array]) -> None:
    """Be unsure of a gradient that is right in double precision, but not as it was computed."""
    off = rounded_away(given, right) & np.isfinite(right)
    if off.any():
        off &= rounded_away(given, right, noise())
    if off.any():
        one.spot = tuple(int(i) for i in np.argwhere(off)[0])
        one.verdict, one.covered = "unsure", int((~off).sum())
        one.analytic, one.numeric = given[one.spot].item(), right[one.spot].item()
        one.cause = say("rounding: {right} in double precision", right=number(one.numeric))


def _measure(
    trace: Trace,
    applied: Applied,
    one: Checked,
    place: int,
    places: list[int],
    seeds: Sequence[Array | None],
    given: Array,
    how: How,
) -> None:
    """Find the element of one input where rules and slopes are apart."""
    full = [np.zeros(()) if seed is None else seed for seed in seeds]
    arrays = [applied.space[-1 - other] for other in places]
    function: Callable[[Sequence[Array]], list[Array]] = applied.function(places)
    mine = compare(Slopes(function, full, arrays, places.index(place), how.step), given, how.tolerance)
    if mine.wrong:
        one.verdict, one.spot, one.wrong_elements = "wrong", mine.wrong[0], len(mine.wrong)
        one.analytic, one.numeric = given[one.spot].item(), mine.slopes[mine.spots.index(one.spot)].total
        one.difference = abs(one.analytic - one.numeric)
        one.mistake, one.cause, _ = by_numbers(trace, one.event, *mine.pair(given))
