"""The check of our own operators: their rules beside how their outputs change, at the numbers that a run met.

One small move of all inputs shows all; where it shows a mistake, each element is moved alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.traits import has, is_random
from minipaddle.tools.checks.gradient.call import Call
from minipaddle.tools.checks.gradient.exact import apart
from minipaddle.tools.checks.gradient.functions import Applied
from minipaddle.tools.checks.gradient.mistakes import by_numbers
from minipaddle.tools.checks.gradient.results import Checked, How, checked, nothing_came_in
from minipaddle.tools.checks.gradient.slopes import Slopes, compare
from minipaddle.tools.checks.gradient.tape import in_double, recorded
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number

_STEPS = (1e-6, 1e-4, 1e-3)
"""How far inputs are moved, as parts of their sizes."""
_TOLERANCE = 1e-4
"""Of the length of the gradient: one wrong element of millions is longer."""
_ROUNDED = 2e-2
"""What single precision may lose."""


def check_operator(call: Call, how: How) -> list[Checked]:
    """Return what the rules of an operator give beside how its outputs change."""
    outputs = call.event.outputs
    inputs = [(at, value) for at, value in call.floating if at < len(outputs) and outputs[at] is not None]
    seeds = [None if id_ is None else in_double(recorded(call.trace, id_)) for id_ in call.event.inputs]
    found = [checked(call, value) for _, value in inputs]
    if not any(seed is not None and seed.any() for seed in seeds):
        for one in found:
            one.leave("unchecked", nothing_came_in())
        return found
    if call.forward.op not in TABLE:  # it hands on what one of its inputs is
        return found
    op = TABLE[call.forward.op]
    if op.type != "dropout" and is_random(op, call.forward.attrs):
        for one in found:
            one.leave("unchecked", say("{op} keeps what chance drew", op=op.name))
        return found
    moved = _Moved(call, [place for place, _ in inputs], seeds, how)
    gap, answers = moved.apart(), moved.answers(seeds)
    for place, one in zip(moved.places, found):
        given, answer = in_double(recorded(call.trace, outputs[place] or 0)), answers[place]
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
    """Be unsure of a gradient that is right in double precision, but not as it was computed."""
    off = apart(given, right, _ROUNDED) & np.isfinite(right)
    if off.any():
        off &= apart(given, right, _ROUNDED, moved.noise(place))
    if off.any():
        one.spot = tuple(int(i) for i in np.argwhere(off)[0])
        one.verdict, one.covered = "unsure", int((~off).sum())
        one.analytic, one.numeric = given[one.spot].item(), right[one.spot].item()
        one.cause = say("rounding: {right} in double precision", right=number(one.numeric))


def _find_the_element(call: Call, moved: _Moved, one: Checked, place: int, given: Array, how: How) -> None:
    """Find the element of one input where rules and slopes are apart."""
    full = [np.zeros(()) if seed is None else seed for seed in moved.seeds]
    arrays = [moved.applied.space[-1 - other] for other in moved.places]
    slopes = Slopes(moved.applied.function(moved.places), full, arrays, moved.places.index(place), how.step)
    mine = compare(slopes, given, how.tolerance)
    if mine.wrong:
        one.verdict, one.spot, one.wrong_elements = "wrong", mine.wrong[0], len(mine.wrong)
        one.analytic, one.numeric = given[one.spot].item(), mine.slopes[mine.spots.index(one.spot)].total
        one.difference = abs(one.analytic - one.numeric)
        one.mistake, one.cause, _ = by_numbers(call, *mine.pair(given))


class _Moved:
    """All wanted inputs of a call moved at once, up and down, each element by chance this or that way."""

    def __init__(self, call: Call, places: list[int], seeds: Sequence[Array | None], how: How) -> None:
        self.applied, self.places, self.seeds = Applied(call, how.dtype), places, seeds
        self.wanted = [id_ is not None for id_ in call.event.outputs]
        rng = np.random.default_rng(0)
        self.directions = {}
        for place in places:
            array = self.applied.space[-1 - place]
            known = np.isfinite(array)
            typical = float(np.abs(array[known]).mean()) if known.any() else 0.0
            size = np.where(known, np.abs(array) + typical, 0.0)
            turn = 1.0 if array.dtype.kind == "f" else np.exp(1j * rng.uniform(0, 6, array.shape))
            direction = np.where(size == 0, known, size) * rng.choice([-1.0, 1.0], array.shape) * turn
            if has("symmetric", call.forward.op) and place == 0:
                direction = direction + direction.swapaxes(-1, -2).conj()
            self.directions[place] = direction

    def answers(self, seeds: Sequence[Array | None]) -> Sequence[Array | None]:
        """Return what the rules give where these gradients come in."""
        return self.applied.rules(self.wanted, seeds)

    def noise(self, place: int) -> Array:
        """Return how far single precision may take the gradient of one input: what has cancelled is all rounding."""
        rng, eps = np.random.default_rng(0), float(np.finfo(np.float32).eps)
        shaken = [
            None if one is None else one * (1 + eps * rng.uniform(-1, 1, one.shape)) for one in self.seeds
        ]
        one, other = (self.answers(seeds)[place] for seeds in (self.seeds, shaken))
        if one is None or other is None:
            return np.zeros(())
        gap = np.abs(np.asarray(one) - np.asarray(other))
        noise: Array = 64 * np.maximum(gap, gap.max(initial=0))
        return noise

    def apart(self) -> float | None:
        """Return how far rules and slope are apart, as a part of the gradient's length; None: nobody can tell.

        A short step loses what rounding takes, a long one what bends: if the rules are right, one of them shows it.
        """
        gaps = []
        for step in _STEPS:
            up, down = self._ends(step), self._ends(-step)
            gap = self._gap(self.seeds, up, down, step)
            if gap > _TOLERANCE:
                smooth = self._smooth(up, down)
                if not any(one is not None and one.any() for one in smooth):
                    continue
                gap = self._gap(smooth, up, down, step)
            if gap <= _TOLERANCE:
                return gap
            gaps.append(gap)
        return min(gaps) if gaps and max(gaps) < 2 * min(gaps) else None

    def _ends(self, step: float) -> list[Array | None]:
        moved = {
            place: self.applied.space[-1 - place] + step * direction
            for place, direction in self.directions.items()
        }
        return self.applied.outputs(moved)

    def _gap(
        self,
        seeds: Sequence[Array | None],
        up: Sequence[Array | None],
        down: Sequence[Array | None],
        step: float,
    ) -> float:
        answers = self.answers(seeds)
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

    def _smooth(self, up: Sequence[Array | None], down: Sequence[Array | None]) -> list[Array | None]:
        """Return what came in, with zeros where an output is at a kink or not finite: there is no slope there."""
        seeds: list[Array | None] = []
        for seed, high, low, here in zip(self.seeds, up, down, self.applied.outputs()):
            if seed is None or high is None or low is None or here is None:
                seeds.append(None)
                continue
            with np.errstate(invalid="ignore"):
                bend = np.abs(high + low - 2 * here)
                calm = bend <= 1e-3 * np.abs(high - low) + 1e-14 * np.abs(here)
            seeds.append(np.where(calm, seed, 0.0))
        return seeds
