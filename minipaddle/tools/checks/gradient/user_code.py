"""The check of the user's own code: exactly, as far as its forward is made of operators, else by moving its inputs."""

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.backward import equal
from minipaddle.tools.checks.gradient.call import Call
from minipaddle.tools.checks.gradient.exact import Exact, Gradient
from minipaddle.tools.checks.gradient.functions import function_of
from minipaddle.tools.checks.gradient.intended import line_of_answer
from minipaddle.tools.checks.gradient.mistakes import (
    by_numbers,
    by_place,
    mistake_of,
    only_the_diagonal,
    silent_mistake,
)
from minipaddle.tools.checks.gradient.results import Checked, How, Mistake, checked, nothing_came_in
from minipaddle.tools.checks.gradient.slopes import Compared, Slopes, compare
from minipaddle.tools.checks.gradient.tape import in_double, recorded
from minipaddle.tools.record.events import Event, Value
from minipaddle.tools.record.replay import Missing
from minipaddle.tools.words.language import say


def check_own(call: Call, how: How) -> list[Checked]:
    """Return the results for each input of a call of the user's own code."""
    try:
        exact = Exact(call, how.tolerance)
    except Missing:
        if call.forward.index not in call.trace.calls:
            raise
        return check_moved(call, how)
    gradients = exact.gradients()
    silent = None if any(one.wrong.any() for one in gradients) else silent_mistake(exact, gradients)
    rows = [_beside_the_true_one(exact, gradients, one, silent) for one in gradients]
    captured = exact.tape.captured()
    return rows + [_captured(call, value, user) for value, user in captured if not _reached(call, value)]


def _reached(call: Call, value: Value) -> bool:
    """Return whether backward itself gives a value its gradient: it may run a backward pass of its own."""
    stored = (one for one in call.trace.inside(call.event) if one.kind == "store")
    return any(one.holder == value.holder for one in call.trace.known(one.about for one in stored))


def _captured(call: Call, value: Value, user: Event) -> Checked:
    """Return the result for what forward uses besides its arguments."""
    found = checked(call, value)
    found.leave("unchecked", say("forward uses it, and it is none of its arguments: no gradient reaches it"))
    found.mistake, found.line = "captured", user.where
    return found


def _beside_the_true_one(
    exact: Exact, gradients: list[Gradient], one: Gradient, silent: tuple[int, Mistake] | None
) -> Checked:
    """Return the result for one input."""
    found = checked(exact.call, one.value)
    found.exact = True
    sizes = float(np.abs(one.right[~one.unsure]).max(initial=0)) or 1.0
    with np.errstate(invalid="ignore"):
        gaps = np.asarray(
            np.where(one.unsure, 0.0, np.abs(one.given - one.right)) / sizes
        )  # of one number, too
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
        found.leave("unchecked", nothing_came_in())
    elif one.unsure.any():
        found.covered -= int(one.unsure.sum())
        if one.unsure.all():
            found.verdict, found.cause = "unsure", say("the gradient is not finite")
    return found


# -- code that left the operators: inputs are moved --------------------------------------------------------------------


def check_moved(call: Call, how: How) -> list[Checked]:
    """Return what moving the inputs of the user's own code shows."""
    function = function_of(call, how.dtype)
    seeds = []
    for out, id_ in zip(call.forward.outputs, call.incoming):
        made = call.trace.value(out)
        zeros = np.zeros(made.shape if made else ())
        seeds.append(zeros if id_ is None else in_double(recorded(call.trace, id_)))
    arrays = [in_double(recorded(call.trace, value.id), how.dtype) for _, value in call.floating]
    found = []
    for which, (place, value) in enumerate(call.floating):
        if value.stop_gradient or not call.asks_for(place):
            continue
        found.append(checked(call, value))
        if any(seed.any() for seed in seeds):
            slopes = Slopes(function, seeds, arrays, which, how.step)
            _beside_slopes(found[-1], call, place, slopes, how.tolerance)
        else:
            found[-1].leave("unchecked", nothing_came_in())
    return found


def _beside_slopes(found: Checked, call: Call, place: int, slopes: Slopes, tolerance: float) -> None:
    """Note how one gradient compares with the slopes."""
    (made,) = call.event.outputs[place : place + 1] or [None]
    given = np.zeros_like(slopes.array) if made is None else in_double(recorded(call.trace, made))
    mine = compare(slopes, given, tolerance)
    found.covered = (found.elements if mine.covered else len(mine.spots)) - mine.unsure
    if len(mine.spots) and mine.unsure == len(mine.spots):
        found.verdict, found.cause = "unsure", say("at a kink, or below the noise of the numbers")
        return
    scale = max(float(np.abs(given).max(initial=0)), *(abs(one.total) for one in mine.slopes), 1e-30)
    worst = mine.wrong[0] if mine.wrong else None
    for spot, one in zip(mine.spots, mine.slopes):
        gap = abs(one.total - given[spot]) / scale
        if spot == worst or (worst is None and gap >= found.difference and np.isfinite(gap)):
            found.spot, found.difference = spot, gap
            found.analytic, found.numeric = given[spot].item(), one.total
    if mine.wrong:
        found.verdict, found.wrong_elements = "wrong", len(mine.wrong)
        found.mistake, found.cause, found.line = _mistake(call, place, slopes, mine, given)


def _mistake(call: Call, place: int, slopes: Slopes, mine: Compared, given: Array) -> Mistake:
    """Return what is wrong with a gradient beside the slopes: by its numbers, or of which elements it is wrong."""
    line, (_, right, whole) = line_of_answer(call, place), mine.pair(given)
    found = by_numbers(call, *mine.pair(given))._replace(line=line)
    if found.kind:
        return found
    diagonal = slopes.diagonal()
    if diagonal is not None and equal(diagonal, given, 1e-3):
        return Mistake("diagonal", only_the_diagonal(), line)
    if not whole:
        return Mistake("elements", "", line)
    wrong = np.zeros(given.shape, bool)
    wrong[tuple(zip(*mine.wrong))] = True
    return by_place(wrong, given, right, line)
