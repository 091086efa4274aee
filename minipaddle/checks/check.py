"""The gradient check: what backward computed beside what is right.

The user's own code is checked exactly, at every call and every element, as far as its forward is made of operators
(:mod:`minipaddle.checks.exact`); beyond that inputs are moved (:mod:`minipaddle.checks.slopes`), as for the operators
themselves (:mod:`minipaddle.checks.operators`). What is wrong is explained by :mod:`minipaddle.checks.mistakes`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from minipaddle.checks.exact import Exact, Gradient, incoming, is_asked_for
from minipaddle.checks.intended import is_intended
from minipaddle.checks.jacobian import floating_inputs, forward_of, function_of
from minipaddle.checks.mistakes import by_numbers, mistake_of, silent_mistake
from minipaddle.checks.operators import Applied, Moved, rounded_away
from minipaddle.checks.search import Mistake, line_of_answer
from minipaddle.checks.slopes import Slopes, compare
from minipaddle.checks.tape import in_double, recorded
from minipaddle.core.errors import Line
from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.trace.replay import Missing
from minipaddle.words.language import say

Verdict = Literal["ok", "wrong", "unsure", "unchecked", "intended"]
"""unsure: at a kink, or below the noise. intended: wrong, and the script says that it is meant."""
_RANK: tuple[Verdict, ...] = ("wrong", "intended", "unsure", "ok", "unchecked")


@dataclass
class Checked:
    """The result for one input of an operator at one line: of the call where it is worst."""

    event: Event
    name: str
    """The input."""
    verdict: Verdict
    elements: int = 0
    """How many the input has."""
    covered: int = 0
    """How many of them were compared."""
    difference: float = 0.0
    """The worst relative difference."""
    spot: tuple[int, ...] = ()
    analytic: float = 0.0
    numeric: float = 0.0
    cause: str = ""
    """The likely cause; or why it was not checked."""
    mistake: str = ""
    """The kind of mistake, a key of :data:`minipaddle.checks.mistakes.KINDS`."""
    line: Line | None = None
    """The line of the user's code that the mistake is in."""
    exact: bool = False
    """Whether it was compared with our own rules, and not with slopes."""
    wrong_elements: int = 0
    calls: int = 1
    """How many calls there were of this line."""
    checked_calls: int = 1
    call: int = 1
    """Which of them this is, from 1."""


class Group(NamedTuple):
    """The gradient events of one operator, at one line, with inputs of the same shapes."""

    forward: Event
    events: list[Event]


def is_users_own(forward: Event) -> bool:
    """Return whether a call runs code that is no operator of ours: a PyLayer, a py_func, a Block."""
    return forward.op not in TABLE and forward.op != "select_input"


def groups(trace: Trace) -> list[Group]:
    """Return the gradient events of a recording: of an operator one line and shape make a group."""
    found: dict[tuple[object, ...], Group] = {}
    for event in trace.events:
        forward = forward_of(trace, event) if event.kind == "grad" else None
        # A branch that was not taken gave zeros, of which there is nothing to check.
        taken = event.op != "conditional_block_grad" or event.body is not None
        if forward is not None and taken:
            shapes = tuple(value.shape for _, value in floating_inputs(trace, forward))
            key = (event.title, forward.where, shapes, repr(sorted(forward.attrs)))
            found.setdefault(key, Group(forward, [])).events.append(event)
    return list(found.values())


class How(NamedTuple):
    """How the check compares."""

    step: float | None = None
    """How far an input is moved; None: as the precision of the outputs wants it."""
    tolerance: float = 1e-3
    """Which relative difference is a mistake."""
    dtype: str = "float64"
    """In which precision operators run when an input is moved."""
    intended: Collection[str] = ()
    """Names of classes and functions whose backward is meant not to be the gradient."""


AS_USUAL = How()


def check_trace(trace: Trace, how: How = AS_USUAL) -> Iterator[Checked]:
    """Yield the results for every operator and every line of a recording."""
    for group in groups(trace):
        yield from check_group(trace, group, how)


def check_group(trace: Trace, group: Group, how: How = AS_USUAL) -> list[Checked]:
    """Return the results of all calls of the user's own code, of the worst call for each input; of operators the first.

    The rules of an operator do not know of which call they are.
    """
    events = group.events if is_users_own(group.forward) else group.events[:1]
    by_place: dict[int, list[Checked]] = {}
    for call, event in enumerate(events, 1):
        for place, one in enumerate(check_event(trace, event, how)):
            one.call = call
            by_place.setdefault(place, []).append(one)
    merged = []
    for found in by_place.values():
        worst = min(found, key=lambda one: _RANK.index(one.verdict))
        worst.calls = len(group.events)
        worst.checked_calls = sum(1 for one in found if one.verdict != "unchecked")
        merged.append(worst)
    return merged


def check_event(trace: Trace, event: Event, how: How = AS_USUAL) -> list[Checked]:
    """Return the results of one gradient event, for each input that got a gradient (or should have got one)."""
    forward = forward_of(trace, event)
    if forward is None or event.kind != "grad":
        return []
    check = _check_own if is_users_own(forward) else _check_operator
    try:
        found = check(trace, forward, event, how)
    except Missing as error:
        return [Checked(event, forward.title, "unchecked", cause=str(error))]
    except (ArithmeticError, TypeError, ValueError, RuntimeError, IndexError) as error:
        return [Checked(event, forward.title, "unchecked", cause=f"{type(error).__name__}: {error}")]
    if any(one.verdict == "wrong" for one in found) and is_intended(trace, forward, event, how.intended):
        for one in found:
            one.verdict = "intended" if one.verdict == "wrong" else one.verdict
    return found


def nothing_came_in() -> str:
    """Return why a call is unchecked whose outputs got zeros."""
    return say("every gradient that came in is zero: there is nothing to compare")


# -- the user's own code, exactly --------------------------------------------------------------------------------------


def _check_own(trace: Trace, forward: Event, event: Event, how: How) -> list[Checked]:
    try:
        exact = Exact(trace, forward, event, how.tolerance)
    except Missing:
        if forward.index not in trace.calls:
            raise
        return _check_moved(trace, forward, event, how)
    gradients = exact.gradients()
    silent = None if any(one.wrong.any() for one in gradients) else silent_mistake(exact, gradients)
    return [_checked(exact, gradients, one, silent) for one in gradients]


def _checked(
    exact: Exact, gradients: list[Gradient], one: Gradient, silent: tuple[int, Mistake] | None
) -> Checked:
    """Return the result for one input."""
    found = Checked(exact.event, one.value.name, "ok", one.given.size, one.given.size, exact=True)
    sizes = float(np.abs(one.right[~one.unsure]).max(initial=0)) or 1.0
    with np.errstate(invalid="ignore"):
        gaps = np.where(one.unsure, 0.0, np.abs(one.given - one.right)) / sizes
    gaps[np.isnan(gaps)] = np.inf
    shown = gaps if not one.wrong.any() else np.where(one.wrong, gaps, -1.0)
    if gaps.size:
        found.spot = tuple(int(i) for i in np.unravel_index(int(np.argmax(shown)), gaps.shape))
        found.difference = float(gaps[found.spot])
        found.analytic, found.numeric = float(one.given[found.spot]), float(one.right[found.spot])
    if one.wrong.any():
        found.verdict = "wrong"
        found.wrong_elements = int(one.wrong.sum())
        _explain(found, mistake_of(exact, gradients, one))
    elif silent is not None and silent[0] == one.id:
        found.verdict, found.wrong_elements = "wrong", 0
        _explain(found, silent[1])
    elif exact.nothing_came_in:
        found.verdict, found.cause, found.covered = "unchecked", nothing_came_in(), 0
    elif one.unsure.any():
        found.covered -= int(one.unsure.sum())
        if one.unsure.all():
            found.verdict, found.cause = "unsure", say("the gradient is not finite")
    return found


def _explain(found: Checked, mistake: Mistake) -> None:
    found.mistake, found.cause, found.line = mistake


# -- code that left the operators: inputs are moved --------------------------------------------------------------------


def _check_moved(trace: Trace, forward: Event, event: Event, how: How) -> list[Checked]:
    """Return what moving the inputs of the user's own code shows."""
    inputs = floating_inputs(trace, forward)
    function = function_of(trace, forward, how.dtype)
    seeds = []
    for out, id_ in zip(forward.outputs, incoming(trace, forward, event)):
        made = trace.value(out)
        seeds.append(np.zeros(made.shape if made else ()) if id_ is None else in_double(recorded(trace, id_)))
    arrays = [recorded(trace, value.id).astype(how.dtype) for _, value in inputs]
    found, slopes = [], {}
    for which, (place, value) in enumerate(inputs):
        if value.stop_gradient or not is_asked_for(trace, event, place):
            continue
        if not any(seed.any() for seed in seeds):
            found.append(Checked(event, value.name, "unchecked", value_size(value), cause=nothing_came_in()))
            continue
        slopes[place] = Slopes(function, seeds, arrays, which, how.step)
        found.append(_beside(trace, event, place, value, slopes, how.tolerance))
    return found


def value_size(value: Value) -> int:
    """Return how many elements a value has."""
    return int(np.prod(value.shape))


def _beside(
    trace: Trace, event: Event, place: int, value: Value, slopes: dict[int, Slopes], tolerance: float
) -> Checked:
    """Return one gradient beside the slopes."""
    made = event.outputs[place] if place < len(event.outputs) else None
    given = np.zeros(value.shape) if made is None else in_double(recorded(trace, made))
    mine = compare(slopes[place], given, tolerance)
    size = value_size(value)
    found = Checked(event, value.name, "ok", size, size if mine.covered else len(mine.spots))
    found.covered -= mine.unsure
    if len(mine.spots) and mine.unsure == len(mine.spots):
        found.verdict, found.cause = "unsure", say("at a kink, or below the noise of the numbers")
        return found
    scale = max(float(np.abs(given).max(initial=0)), *(abs(one.total) for one in mine.slopes), 1e-30)
    worst = mine.wrong[0] if mine.wrong else None
    for spot, one in zip(mine.spots, mine.slopes):
        gap = abs(one.total - float(given[spot])) / scale
        if spot == worst or (worst is None and gap >= found.difference and np.isfinite(gap)):
            found.spot, found.difference = spot, gap
            found.analytic, found.numeric = float(given[spot]), one.total
    if mine.wrong:
        found.verdict, found.wrong_elements = "wrong", len(mine.wrong)
        whole = mine.whole(value.shape)
        pairs = [(np.array([given[spot] for spot in mine.spots]), np.array([s.total for s in mine.slopes]))]
        _explain(found, by_numbers(trace, event, given, whole, pairs))
        found.line = line_of_answer(trace, event, place)
    return found


# -- our own operators -------------------------------------------------------------------------------------------------


def _check_operator(trace: Trace, forward: Event, event: Event, how: How) -> list[Checked]:
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
        one.analytic, one.numeric = float(given[one.spot]), float(right[one.spot])
        one.cause = say("rounding: {right} in double precision", right=f"{one.numeric:.4g}")


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
        one.analytic, one.numeric = float(given[one.spot]), mine.slopes[mine.spots.index(one.spot)].total
        one.difference = abs(one.analytic - one.numeric)
        pairs = [(np.array([given[spot] for spot in mine.spots]), np.array([s.total for s in mine.slopes]))]
        _explain(one, by_numbers(trace, one.event, given, mine.whole(given.shape), pairs))
        one.line = None
