"""The true gradient of user code, by the gradient rules of all operators that its forward applied.

It covers all elements and needs no step size. Its rounding error is measured, not guessed: the same gradient
in the precision of the run, and with the last digit of the incoming gradients changed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.results import Call
from minipaddle.tools.checks.gradient.tape import Numbers, Tape, in_double, recorded
from minipaddle.tools.record.events import Event, Value
from minipaddle.tools.words.group_by import grouped

_NUDGE = 1e-6
"""The relative step by which an input is moved, to see whether it is at a kink."""


@dataclass
class Gradient:
    """The gradient of one input: as computed, and as it should be."""

    id: int
    value: Value
    places: list[int]
    """Its positions among the inputs of the call; an input passed twice gets one gradient."""
    given: Array
    right: Array
    noise: Array
    """The largest difference that rounding alone explains."""
    none: bool = False
    """Whether backward returned None for it."""
    wrong: Array = field(default_factory=lambda: np.zeros(0, bool))
    """Which elements are wrong."""
    unsure: Array = field(default_factory=lambda: np.zeros(0, bool))
    """Which elements cannot be judged: the right gradient is not finite there."""


class Exact:
    """A call of the user's own code: its forward as a tape, and its true gradient.

    Raises Missing if its forward computed outside of operators, or numbers were not kept.
    """

    def __init__(self, call: Call, tolerance: float) -> None:
        self.call, self.tolerance = call, tolerance
        self.trace, self.forward, self.event = call
        self.tape = Tape(self.trace, self.forward, [id_ for id_ in self.forward.inputs if id_ is not None])
        self.tape.insist_on_operators()
        self.recorded = self.tape.as_run()
        self.eps = _coarsest(self.tape, self.event)
        start = {id_: in_double(self.recorded[id_]) for id_ in self.tape.given}
        self.space = self.tape.run(start)
        self.seeds = self._seeds()

    def _seeds(self) -> Numbers:
        """Return the incoming gradients, by the value that the body returned."""
        seeds: Numbers = {}
        for terms, id_ in zip(self.tape.returned(), self.call.incoming):
            for term in terms or () if id_ is not None else ():
                seed = in_double(recorded(self.trace, id_ or 0))
                seeds[term] = seeds[term] + seed if term in seeds else seed
        return seeds

    @property
    def nothing_came_in(self) -> bool:
        """Whether every gradient that came in is zero: then nothing can be compared."""
        return not any(seed.any() for seed in self.seeds.values())

    def is_flat(self, id_: int) -> bool:
        """Return whether the true gradient of an input is zero for any incoming gradient."""
        rng = np.random.default_rng(5)
        seeds = {out: rng.uniform(0.5, 1.5, seed.shape) for out, seed in self.seeds.items()}
        found = self.tape.pull(self.space, seeds).get(id_)
        return found is None or not found.any()

    def wanted(self) -> Iterator[tuple[int, Value, list[int]]]:
        """Yield the inputs whose gradients are wanted: id, value, places."""
        places = grouped((value.id, place) for place, value in self.call.floating)
        for id_, those in places.items():
            switched = (
                cut.how
                for cut in self.trace.cuts
                if cut.made == id_ and cut.before_event <= self.forward.index
            )
            last = [how for how in switched if how.startswith("stop_gradient")][-1:]
            stopped = last == ["stop_gradient=True"] or (not last and self.trace.values[id_].stop_gradient)
            wanted = self.call.arrives if stopped else self.call.asks_for
            if any(map(wanted, those)):
                yield id_, self.trace.values[id_], those

    def gradients(self) -> list[Gradient]:
        """Return for each wanted input the computed gradient and the exact one, compared."""
        right = self.tape.pull(self.space, self.seeds)
        coarse = {
            id_: np.asarray(seed, np.dtype(self.trace.values[id_].dtype)) for id_, seed in self.seeds.items()
        }
        rough = self.tape.pull(self.recorded, coarse)
        rng = np.random.default_rng(0)
        shaken = {
            id_: seed * (1 + self.eps * rng.uniform(-1, 1, seed.shape)) for id_, seed in self.seeds.items()
        }
        moved = self.tape.pull(self.space, shaken)
        found = []
        for id_, value, places in self.wanted():
            zeros = in_double(np.zeros(value.shape, value.dtype))
            true = in_double(right.get(id_, zeros))
            noise = _noise([in_double(one.get(id_, zeros)) - true for one in (rough, moved)])
            one = Gradient(id_, value, places, self._computed(value, places), true, noise)
            parts, outputs = self.event.parts, self.event.outputs
            one.none = all(
                place >= len(outputs) or outputs[place] is None or (bool(parts) and parts[place] == ())
                for place in places
            )
            self.compare(one)
            found.append(one)
        self.excuse_kinks(found, self.space, self.seeds)
        return found

    def _computed(self, value: Value, places: list[int]) -> Array:
        total = in_double(np.zeros(value.shape, value.dtype))
        for place in places:
            made = self.trace.value(self.event.outputs[place] if place < len(self.event.outputs) else None)
            if made is not None:
                total = total + recorded(self.trace, made.id)
        return total

    def compare(self, one: Gradient) -> None:
        """Set the masks of wrong elements, and of elements that cannot be judged."""
        tolerance = max(self.tolerance, 32 * self.eps)
        one.wrong = apart(one.given, one.right, tolerance, one.noise)
        one.unsure = ~np.isfinite(one.right)
        one.wrong &= ~one.unsure

    # -- kinks -----------------------------------------------------------------------------------------------------

    def excuse_kinks(self, found: list[Gradient], space: Numbers, seeds: Numbers) -> None:
        """Accept, where an input is at a kink, any gradient between the slopes to both sides."""
        suspects = [one for one in found if one.wrong.any()]
        if not suspects:
            return
        ends = {one.id: [one.right] for one in suspects}
        for nudged in self._nudged(suspects, space):
            near = self.tape.pull(nudged, seeds)
            for one in suspects:
                ends[one.id].append(in_double(near.get(one.id, np.zeros_like(one.right))))
        for one in suspects:
            with np.errstate(invalid="ignore"):
                sides, given = real_parts(np.array(ends[one.id])), real_parts(one.given)
                low, high = sides.min(axis=1), sides.max(axis=1)
                room = 1e-3 * float(np.abs(one.right[np.isfinite(one.right)]).max(initial=0)) + one.noise
                at_kink = (high - low > np.maximum(room, 1e-3 * np.abs(one.right))).any(axis=0)
                between = ((given >= low - room) & (given <= high + room)).all(axis=0)
            one.wrong &= ~(at_kink & between)

    def _nudged(self, suspects: list[Gradient], space: Numbers) -> Iterator[Numbers]:
        """Yield numbers with moved inputs: up and down where the gradient is too large or small, then everywhere."""
        rng = np.random.default_rng(1)
        for sign in (1, -1):
            for side in (1, -1):
                where = {one.id: sign * (np.sign((one.given - one.right).real) == side) for one in suspects}
                yield self._moved(where, space)
        for _ in range(2):
            yield self._moved({one.id: rng.choice([-1.0, 1.0], one.value.shape) for one in suspects}, space)

    def _moved(self, directions: dict[int, Array], space: Numbers) -> Numbers:
        start = {id_: space[id_] for id_ in self.tape.given}
        for id_, direction in directions.items():
            size = np.abs(start[id_]) + float(np.abs(start[id_]).mean() or 1.0)
            start[id_] = start[id_] + _NUDGE * size * direction
        return self.tape.run(start)


def apart(given: Array, right: Array, tolerance: float, noise: Array | float = 0.0) -> Array:
    """Return the mask of elements that differ by more than the tolerance plus rounding error."""
    finite = right[np.isfinite(right)]
    scale = float(np.abs(finite).max(initial=0))
    with np.errstate(invalid="ignore"):
        near: Array = np.abs(given - right) <= tolerance * np.abs(right) + 0.01 * tolerance * scale + noise
    return ~near


def real_parts(array: Array) -> Array:
    """Return real numbers as one part, and complex ones as two: real and imaginary, along a new first axis."""
    return np.stack([array.real, array.imag] if array.dtype.kind == "c" else [array])


def _coarsest(tape: Tape, event: Event) -> float:
    """Return the machine epsilon of the coarsest dtype that forward or backward computed in."""
    ids = [id_ for step in tape.steps for id_ in (*step.inputs, *step.outputs)]
    ids += [*tape.given, *event.inputs, *event.outputs]
    ids += [id_ for one in tape.trace.inside(event) for id_ in one.outputs]
    kinds = {np.dtype(value.dtype) for value in tape.trace.known(ids)}
    return max((float(np.finfo(kind).eps) for kind in kinds if kind.kind in "fc"), default=0.0)


def _noise(differences: list[Array]) -> Array:
    """Return a bound on a gradient's rounding error, from samples, which may be small by chance."""
    with np.errstate(invalid="ignore", over="ignore"):
        finite = [np.where(np.isfinite(one), np.abs(one), 0.0) for one in differences]
        typical = max((float(np.quantile(one, 0.75)) for one in finite if one.size), default=0.0)
        noise: Array = 8 * np.maximum(np.max(finite, axis=0), typical)
    return noise
