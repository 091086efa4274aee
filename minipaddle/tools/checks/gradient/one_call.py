"""The check of one call: of user code, or of a built-in operator.

User code is checked exactly, as far as its forward consists of operators, else by moving its inputs. For an
operator, its rules are compared with the change of its outputs, at numbers from a run: one small move of all
inputs tests all elements; where it finds a mistake, each element is moved alone.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial

import numpy as np

from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.traits import has, is_random
from minipaddle.tools.checks.gradient.backward import equal
from minipaddle.tools.checks.gradient.by_numbers import by_place, causes_of, one_of, wrong_arguments
from minipaddle.tools.checks.gradient.exact import Exact, Gradient, apart
from minipaddle.tools.checks.gradient.mistakes import mistake_of, only_the_diagonal, silent_mistakes
from minipaddle.tools.checks.gradient.results import Call, Checked, How, Mistake, checked, nothing_came_in
from minipaddle.tools.checks.gradient.second import check_second
from minipaddle.tools.checks.gradient.slopes import Applied, Compared, Slopes, compare, function_of
from minipaddle.tools.checks.gradient.source import line_of_answer
from minipaddle.tools.checks.gradient.tape import Arrays, in_double, recorded
from minipaddle.tools.record.events import Event, Value
from minipaddle.tools.record.replay import Missing
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


def check_own(call: Call, how: How) -> list[Checked]:
    """Return the results for each input of a call of the user's own code."""
    try:
        exact = Exact(call, how.tolerance)
    except Missing:
        if call.forward.index not in call.trace.calls:
            raise
        return check_moved(call, how)
    gradients = exact.gradients()
    silent = {} if any(one.wrong.any() for one in gradients) else dict(silent_mistakes(exact, gradients))
    rows = [_compared_with_exact(exact, gradients, one, silent.get(one.id)) for one in gradients]
    captured = exact.tape.captured()
    rows += [_captured(call, *one, -1 - at) for at, one in enumerate(captured) if not _reached(call, one[0])]
    return rows if any(one.verdict == "wrong" for one in rows) else rows + check_second(exact)


def _reached(call: Call, value: Value) -> bool:
    """Return whether a backward pass inside the user's backward stores the gradient of a value."""
    stored = (one for one in call.trace.inside(call.event) if one.kind == "store")
    return any(one.holder == value.holder for one in call.trace.known(one.about for one in stored))


def _captured(call: Call, value: Value, user: Event, place: int) -> Checked:
    """Return the result for a tensor that forward uses although it is not an argument."""
    found = checked(call, value, place)
    found.leave("unchecked", say("forward uses it, and it is none of its arguments: no gradient reaches it"))
    found.mistake, found.line = "captured", user.where
    return found


def _compared_with_exact(
    exact: Exact, gradients: list[Gradient], one: Gradient, silent: Callable[[], Mistake] | None
) -> Checked:
    """Return the result for one input: its gradient, compared with the exact one."""
    found = checked(exact.call, one.value, one.places[0])
    found.exact = True
    found.compare(one.given, one.right, one.wrong, one.unsure)
    if one.wrong.any():
        found.find = partial(mistake_of, exact, gradients, one)
    elif silent is not None:
        found.verdict, found.find = "wrong", silent
    elif exact.nothing_came_in:
        found.leave("unchecked", nothing_came_in())
    return found


# -- code that computes outside of operators: inputs are moved -------------------------------------------------------


def check_moved(call: Call, how: How) -> list[Checked]:
    """Return the results of a check of user code by moving its inputs (finite differences)."""
    function = function_of(call, how.dtype)
    came = [np.zeros(()) if id_ is None else recorded(call.trace, id_) for id_ in call.incoming]
    seeds = [in_double(seed) for seed in came]
    arrays = [in_double(recorded(call.trace, value.id), how.dtype) for _, value in call.floating]
    found = []
    for which, (place, value) in enumerate(call.floating):
        if value.stop_gradient or not call.asks_for(place):
            continue
        found.append(checked(call, value, place))
        if any(seed.any() for seed in seeds):
            slopes = Slopes(function, seeds, arrays, which, how.step)
            (made,) = call.event.outputs[place : place + 1] or [None]
            given = np.zeros_like(slopes.array) if made is None else in_double(recorded(call.trace, made))
            _compare_with_slopes(found[-1], call, place, slopes, how.tolerance, given)
        else:
            found[-1].leave("unchecked", nothing_came_in())
    return found


def _compare_with_slopes(
    found: Checked, call: Call, place: int, slopes: Slopes, tolerance: float, given: Array
) -> None:
    """Set the verdict on one gradient, compared with the slopes."""
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
        found.find = partial(_mistake, call, place, slopes, mine, given)


def _mistake(call: Call, place: int, slopes: Slopes, mine: Compared, given: Array) -> Mistake:
    """Return the mistake in a gradient that the slopes contradict: from its numbers, or its wrong elements."""
    line, whole = line_of_answer(call, place), len(mine.spots) == given.size
    which = () if whole else tuple(map(np.array, zip(*mine.spots)))
    right = np.array([slope.total for slope in mine.slopes]).reshape(given[which].shape)
    found = one_of([*causes_of(call, given[which], right, which)])._replace(line=line)
    if found.kind in ("", "moved", "term"):
        found = wrong_arguments(call, place) or found
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


_MASKED = 100
"""A mean this many times the median is that of a mask, not of what it leaves."""
_STEPS = (1e-6, 1e-4, 1e-3)
"""Relative moves of inputs, tried in turn: short ones suit strong curvature, long ones much rounding."""
_TOLERANCE = 1e-4
"""Relative to the gradient's norm: small enough to see one wrong element of millions."""
_ROUNDED = 2e-2
"""Relative error that single precision may cause: above it a gradient is wrong, below it perhaps only rounded."""


class _Moved:
    """All wanted inputs of a call moved at once, up and down, each element in a random direction."""

    def __init__(self, call: Call, places: list[int], seeds: Arrays, how: How) -> None:
        self.applied, self.places, self.seeds = Applied(call, how.dtype), places, seeds
        self.wanted = [id_ is not None for id_ in call.event.outputs]
        rng = np.random.default_rng(0)
        self.directions = {}
        for place in places:
            array = self.applied.space[-1 - place]
            known = np.isfinite(array)
            sizes = np.abs(array[known & (array != 0)])  # a mask of -1e9 says nothing of the others' size
            mean = float(np.abs(array[known]).mean()) if sizes.size else 0.0
            typical = min(mean, _MASKED * float(np.median(sizes))) if sizes.size else 0.0
            size = np.where(known, np.abs(array) + typical, 0.0)
            turn = 1.0 if array.dtype.kind == "f" else np.exp(1j * rng.uniform(0, 6, array.shape))
            direction = np.where(size == 0, known, size) * rng.choice([-1.0, 1.0], array.shape) * turn
            if has("symmetric", call.forward.op) and place == 0:
                direction = direction + direction.swapaxes(-1, -2).conj()
            self.directions[place] = direction

    @cached_property
    def answers(self) -> Sequence[Array | None]:
        """The results of the rules for the incoming gradients."""
        return self.applied.rules(self.wanted, self.seeds)

    def noise(self, place: int) -> Array:
        """Return a bound on the rounding error of one input's gradient in single precision."""
        rng, eps = np.random.default_rng(0), float(np.finfo(np.float32).eps)
        shaken = [
            None if one is None else one * (1 + eps * rng.uniform(-1, 1, one.shape)) for one in self.seeds
        ]
        one, other = self.answers[place], self.applied.rules(self.wanted, shaken)[place]
        if one is None or other is None:
            return np.zeros(())
        gap = np.abs(np.asarray(one) - np.asarray(other))
        noise: Array = 64 * np.maximum(gap, gap.max(initial=0))
        return noise

    def apart(self) -> float | None:
        """Return the gap between rules and slope, relative to the gradient's norm; None if it cannot be measured.

        A short step loses digits to rounding, a long one to curvature: if the rules are right, one step confirms it.
        """
        gaps = []
        for step in _STEPS:
            up, down = self._ends(step), self._ends(-step)
            gap = self._gap(self.seeds, self.answers, up, down, step)
            if gap > _TOLERANCE:
                smooth = self._smooth(up, down)
                if not any(one is not None and one.any() for one in smooth):
                    continue
                gap = self._gap(smooth, self.applied.rules(self.wanted, smooth), up, down, step)
            if gap <= _TOLERANCE:
                return gap
            gaps.append(gap)
        return min(gaps) if gaps and max(gaps) < 2 * min(gaps) else None

    def _ends(self, step: float) -> Arrays:
        moved = {
            place: self.applied.space[-1 - place] + step * direction
            for place, direction in self.directions.items()
        }
        return self.applied.outputs(moved)

    def _gap(
        self, seeds: Arrays, answers: Sequence[Array | None], up: Arrays, down: Arrays, step: float
    ) -> float:
        slope = 0.0
        for seed, high, low in zip(seeds, up, down):
            if seed is not None and high is not None and low is not None and high.dtype.kind in "fc":
                used = seed != 0
                slope += float((seed.conj() * (high - low))[used].real.sum()) / (2 * step)
        parts = [
            (answer.conj() * self.directions[place]).real
            for place, answer in enumerate(answers)
            if answer is not None and place in self.directions
        ]
        length = float(np.sqrt(sum(float(np.square(part).sum()) for part in parts)))
        gap = abs(slope - sum(float(part.sum()) for part in parts))
        sizes = [float(np.abs(seed).max(initial=0)) for seed in seeds if seed is not None]
        return gap / (length or max(sizes, default=0.0) or 1.0) if np.isfinite(gap) else np.inf

    def _smooth(self, up: Arrays, down: Arrays) -> Arrays:
        """Return the incoming gradients, zero where an output has no slope: at a kink, or not finite."""
        seeds: Arrays = []
        for seed, high, low, here in zip(self.seeds, up, down, self.applied.at_rest):
            if seed is None or high is None or low is None or here is None:
                seeds.append(None)
                continue
            with np.errstate(invalid="ignore"):
                bend = np.abs(high + low - 2 * here)
                calm = bend <= 1e-3 * np.abs(high - low) + 1e-14 * np.abs(here)
            seeds.append(np.where(calm, seed, 0.0))
        return seeds


def check_operator(call: Call, how: How) -> list[Checked]:
    """Return the results of an operator's rules, compared with the slopes of its outputs."""
    outputs = call.event.outputs
    inputs = [(at, value) for at, value in call.floating if at < len(outputs) and outputs[at] is not None]
    seeds = [None if id_ is None else in_double(recorded(call.trace, id_)) for id_ in call.event.inputs]
    found = [checked(call, value, place) for place, value in inputs]
    op, why = TABLE.get(call.forward.op), ""
    if not any(seed is not None and seed.any() for seed in seeds):
        why = nothing_came_in()
    elif op is not None and op.type != "dropout" and is_random(op, call.forward.attrs):
        why = say("{op} keeps what chance drew", op=op.name)
    for one in found if why else ():
        one.leave("unchecked", why)
    if why or op is None:  # of one that is not there the output is one of the inputs
        return found
    moved = _Moved(call, [place for place, _ in inputs], seeds, how)
    gap = moved.apart()
    for place, one in zip(moved.places, found):
        given, answer = in_double(recorded(call.trace, outputs[place] or 0)), moved.answers[place]
        right = np.zeros(given.shape) if answer is None else np.asarray(answer)
        if gap is None:
            one.leave("unsure", say("at a kink, or not finite"))
        elif gap > how.tolerance:
            _find_the_element(call, moved, one, place, right, how)
        else:
            one.difference = gap
            _lost_to_rounding(moved, one, place, given, right)
    return found


def _lost_to_rounding(moved: _Moved, one: Checked, place: int, given: Array, right: Array) -> None:
    """Set the verdict "unsure" if a gradient is right in double precision, but not in the precision of the run."""
    off = apart(given, right, _ROUNDED) & np.isfinite(right)
    if off.any():
        off &= apart(given, right, _ROUNDED, moved.noise(place))
    if off.any():
        one.show(np.argwhere(off)[0], given, right)
        one.verdict, one.covered = "unsure", int((~off).sum())
        one.cause = say("rounding: {right} in double precision", right=number(one.numeric))


def _find_the_element(call: Call, moved: _Moved, one: Checked, place: int, given: Array, how: How) -> None:
    """Set the verdict on one input by moving each element alone, to find the wrong one."""
    full = [np.zeros(()) if seed is None else seed for seed in moved.seeds]
    arrays = [moved.applied.space[-1 - other] for other in moved.places]
    slopes = Slopes(moved.applied.function(moved.places), full, arrays, moved.places.index(place), how.step)
    _compare_with_slopes(one, call, place, slopes, how.tolerance, given)
