"""The check of the user's own code: exactly, as far as its forward is made of operators, else by moving its inputs."""

from __future__ import annotations

import numpy as np

from minipaddle.checks.gradient.backward import equal
from minipaddle.checks.gradient.exact import Exact, Gradient, incoming, is_asked_for
from minipaddle.checks.gradient.jacobian import floating_inputs, function_of
from minipaddle.checks.gradient.mistakes import (
    by_numbers,
    by_place,
    mistake_of,
    only_the_diagonal,
    silent_mistake,
)
from minipaddle.checks.gradient.results import Checked, How, Mistake, nothing_came_in, value_size
from minipaddle.checks.gradient.search.search import line_of_answer
from minipaddle.checks.gradient.slopes import Compared, Slopes, compare
from minipaddle.checks.gradient.tape import in_double, recorded
from minipaddle.core.errors import Line
from minipaddle.core.meta import Array
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.trace.replay import Missing
from minipaddle.words.language import say


def check_own(trace: Trace, forward: Event, event: Event, how: How) -> list[Checked]:
    """Return the results for each input of a call of the user's own code."""
    try:
        exact = Exact(trace, forward, event, how.tolerance)
    except Missing:
        if forward.index not in trace.calls:
            raise
        return check_moved(trace, forward, event, how)
    gradients = exact.gradients()
    silent = None if any(one.wrong.any() for one in gradients) else silent_mistake(exact, gradients)
    rows = [_checked(exact, gradients, one, silent) for one in gradients]
    return rows + [
        _captured(event, value, user)
        for value, user in exact.tape.captured()
        if not _reached(trace, event, value)
    ]


def _reached(trace: Trace, event: Event, value: Value) -> bool:
    """Return whether backward itself gives a value its gradient: it may run a backward pass of its own."""
    inside = trace.events[slice(*event.body)] if event.body is not None else []
    about = [trace.value(one.about) for one in inside if one.kind == "store"]
    return any(one is not None and one.holder == value.holder for one in about)


def _captured(event: Event, value: Value, user: Event) -> Checked:
    """Return the result for what forward uses besides its arguments."""
    cause = say("forward uses it, and it is none of its arguments: no gradient reaches it")
    return Checked(
        event, value.name, "unchecked", value_size(value), cause=cause, mistake="captured", line=user.where
    )


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
        found.analytic, found.numeric = one.given[found.spot].item(), one.right[found.spot].item()
    if one.wrong.any():
        found.verdict = "wrong"
        found.wrong_elements = int(one.wrong.sum())
        found.mistake, found.cause, found.line = mistake_of(exact, gradients, one)
    elif silent is not None and silent[0] == one.id:
        found.verdict, found.wrong_elements = "wrong", 0
        found.mistake, found.cause, found.line = silent[1]
    elif exact.nothing_came_in:
        found.verdict, found.cause, found.covered = "unchecked", nothing_came_in(), 0
    elif one.unsure.any():
        found.covered -= int(one.unsure.sum())
        if one.unsure.all():
            found.verdict, found.cause = "unsure", say("the gradient is not finite")
    return found


# -- code that left the operators: inputs are moved --------------------------------------------------------------------


def check_moved(trace: Trace, forward: Event, event: Event, how: How) -> list[Checked]:
    """Return what moving the inputs of the user's own code shows."""
    inputs = floating_inputs(trace, forward)
    function = function_of(trace, forward, how.dtype)
    seeds = []
    for out, id_ in zip(forward.outputs, incoming(trace, forward, event)):
        made = trace.value(out)
        seeds.append(np.zeros(made.shape if made else ()) if id_ is None else in_double(recorded(trace, id_)))
    arrays = [in_double(recorded(trace, value.id), how.dtype) for _, value in inputs]
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


def _where(mine: Compared, given: Array, line: Line | None) -> Mistake:
    """Return of which elements a gradient is wrong, where each of them was compared."""
    _, right, whole = mine.pair(given)
    if not whole:
        return Mistake("elements", "", line)
    wrong = np.zeros(given.shape, bool)
    for spot in mine.wrong:
        wrong[spot] = True
    return by_place(wrong, given, right, line)


def _alike(given: Array, diagonal: Array | None) -> bool:
    return diagonal is not None and equal(diagonal, given, 1e-3)


def _beside(
    trace: Trace, event: Event, place: int, value: Value, slopes: dict[int, Slopes], tolerance: float
) -> Checked:
    """Return one gradient beside the slopes."""
    made = event.outputs[place] if place < len(event.outputs) else None
    given = np.zeros(value.shape, value.dtype) if made is None else recorded(trace, made)
    given = in_double(given)
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
        gap = abs(one.total - given[spot]) / scale
        if spot == worst or (worst is None and gap >= found.difference and np.isfinite(gap)):
            found.spot, found.difference = spot, gap
            found.analytic, found.numeric = given[spot].item(), one.total
    if mine.wrong:
        found.verdict, found.wrong_elements = "wrong", len(mine.wrong)
        found.mistake, found.cause, _ = by_numbers(trace, event, *mine.pair(given))
        found.line = line_of_answer(trace, event, place)
        if not found.mistake and _alike(given, slopes[place].diagonal()):
            found.mistake, found.cause = "diagonal", only_the_diagonal()
        if not found.mistake:
            found.mistake, found.cause, _ = _where(mine, given, found.line)
    return found
