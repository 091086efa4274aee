"""The gradient rules of our own operators, at the numbers that a run met: one small move of all inputs shows all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minipaddle.checks.gradient.exact import apart
from minipaddle.checks.gradient.slopes import Function
from minipaddle.checks.gradient.tape import AsTheyCome, in_double, recorded
from minipaddle.core.eager import EAGER, within
from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE
from minipaddle.trace.events import Event, Trace

_STEPS = (1e-6, 1e-4, 1e-3)
"""How far inputs are moved, as parts of their sizes."""
_TOLERANCE = 1e-4
"""Of the length of the gradient: one wrong element of millions is longer."""
_ROUNDED = 2e-2
"""What single precision may lose."""


class Applied:
    """One call of an operator, at the numbers of the run, in `dtype`. Each place has a number of its own.

    What stands among the inputs twice may be moved in both places differently.
    """

    def __init__(self, trace: Trace, forward: Event, dtype: str = "float64") -> None:
        self.trace, self.forward = trace, forward
        self.replay = AsTheyCome(trace)
        ids = [id_ for id_ in (*forward.inputs, *forward.outputs) if id_ is not None]
        self.space = {id_: in_double(recorded(trace, id_), dtype) for id_ in ids}
        inputs: list[int | None] = []
        for place, id_ in enumerate(forward.inputs):
            inputs.append(None if id_ is None else -1 - place)
            if id_ is not None:
                self.space[-1 - place] = self.space[id_]
        self.call = Event(
            forward.index, "op", forward.op, forward.title, inputs, forward.outputs, forward.attrs
        )
        self.call.parts = forward.parts

    def outputs(self, moved: dict[int, Array] | None = None) -> list[Array | None]:
        """Return what the operator gives, where inputs at these places have other numbers."""
        space = {**self.space, **{-1 - place: array for place, array in (moved or {}).items()}}
        return self.replay.outputs(self.call, space.__getitem__)

    def function(self, places: Sequence[int]) -> Function:
        """Return the operator as a function of the inputs at `places`."""

        def run(arrays: Sequence[Array]) -> list[Array]:
            made = self.outputs(dict(zip(places, arrays)))
            return [np.asarray(out) for out in made if out is not None]

        return run

    def rules(self, wanted: Sequence[bool], seeds: Sequence[Array | None]) -> Sequence[Array | None]:
        """Return what the rules give for the inputs that are wanted, in double precision."""
        made = {id_: out for id_, out in zip(self.call.outputs, self.outputs()) if id_ is not None}
        space = {**self.space, **{id_: out for id_, out in made.items() if out is not None}}
        op = TABLE[self.forward.op]
        with within(EAGER.reading), np.errstate(all="ignore"):
            return self.replay.rules(op, self.call, wanted, seeds, space.__getitem__)

    def noise(self, wanted: Sequence[bool], seeds: Sequence[Array | None], place: int) -> Array:
        """Return how far single precision may take the gradient of one input: what has cancelled is all rounding."""
        rng, eps = np.random.default_rng(0), float(np.finfo(np.float32).eps)
        shaken = [None if one is None else one * (1 + eps * rng.uniform(-1, 1, one.shape)) for one in seeds]
        one, other = (self.rules(wanted, given)[place] for given in (seeds, shaken))
        if one is None or other is None:
            return np.zeros(())
        gap = np.abs(np.asarray(one) - np.asarray(other))
        noise: Array = 64 * np.maximum(gap, gap.max(initial=0))
        return noise


class Moved:
    """All wanted inputs of a call moved at once, up and down, each element by chance this or that way."""

    def __init__(self, applied: Applied, places: Sequence[int], seeds: Sequence[Array | None]) -> None:
        self.applied, self.places, self.seeds = applied, places, seeds
        rng = np.random.default_rng(0)
        self.directions = {}
        for place in places:
            array = applied.space[-1 - place]
            known = np.isfinite(array)
            size = np.where(
                known, np.abs(array) + float(np.abs(array[known]).mean() if known.any() else 0.0), 0.0
            )
            turn = 1.0 if array.dtype.kind == "f" else np.exp(1j * rng.uniform(0, 6, array.shape))
            direction = np.where(size == 0, known, size) * rng.choice([-1.0, 1.0], array.shape) * turn
            if TABLE[applied.forward.op].symmetric and place == 0:
                direction = direction + direction.swapaxes(-1, -2).conj()
            self.directions[place] = direction

    def apart(self, wanted: Sequence[bool]) -> float | None:
        """Return how far rules and slope are apart, as a part of the gradient's length; None: nobody can tell.

        A short step loses what rounding takes, a long one what bends: if the rules are right, one of them shows it.
        """
        gaps = []
        for step in _STEPS:
            up, down = self._ends(step), self._ends(-step)
            gap = self._gap(self.seeds, wanted, up, down, step)
            if gap > _TOLERANCE:
                smooth = self._smooth(up, down)
                if not any(one is not None and one.any() for one in smooth):
                    continue
                gap = self._gap(smooth, wanted, up, down, step)
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
        wanted: Sequence[bool],
        up: Sequence[Array | None],
        down: Sequence[Array | None],
        step: float,
    ) -> float:
        answers = self.applied.rules(wanted, seeds)
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


def rounded_away(given: Array, right: Array, noise: Array | float = 0.0) -> Array:
    """Return where what was computed is further from what is right than single precision explains."""
    return apart(given, right, _ROUNDED, noise)
