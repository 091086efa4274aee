"""The user's backward as a tape: run again at other numbers, and compared there with the true gradient."""

from typing import NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.exact import Exact, apart
from minipaddle.tools.checks.gradient.tape import Numbers, Tape, in_double, recorded
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.replay import Missing
from minipaddle.tools.words.language import say

_EQUAL = 1e-5
"""Both sides are computed in double precision, but recorded float32 constants have six digits."""


class Point(NamedTuple):
    """Numbers at which backward is compared with the true gradient."""

    space: Numbers
    """The numbers of all values in forward."""
    seeds: Numbers
    """The incoming gradients, by the values that forward returned."""
    right: Numbers
    """The true gradients of the inputs."""


class Backward:
    """Runs a recorded backward again. Raises Missing if it computed outside of operators."""

    def __init__(self, exact: Exact) -> None:
        self.exact, self.trace, self.event = exact, exact.trace, exact.event
        self.constants = {
            id_: in_double(one) for id_, one in exact.recorded.items() if id_ not in exact.space
        }
        """What forward reads and its inputs do not change."""
        self.of_forward = {**self.constants, **exact.space, **self._outputs(exact.space)}
        self.stale = _stale(self.trace, exact, self.of_forward)
        arrived = [id_ for id_ in exact.call.incoming if id_ is not None]
        self.tape = Tape(self.trace, self.event, [*arrived, *self.of_forward, *self.stale])
        terms = [part for part in self.tape.returned() if part is not None]
        if not terms or any(how not in ("bool", "__format__", "__repr__") for how in self.tape.reads()):
            raise Missing(say("what ran inside {name} was not recorded", name=self.event.title))
        self.here = Point(exact.space, exact.seeds, exact.tape.pull(exact.space, exact.seeds))

    def _outputs(self, space: Numbers) -> Numbers:
        """Return the outputs of the call, by id; the values that its body returned have other ids."""
        made = zip(self.exact.forward.outputs, self.exact.tape.results(space))
        return {id_: array for id_, array in made if id_ is not None and array is not None}

    def start(self, point: Point) -> Numbers:
        """Return the numbers that backward can read at a point."""
        space = {**self.constants, **point.space, **self._outputs(point.space)}
        for terms, id_ in zip(self.exact.tape.returned(), self.exact.call.incoming):
            if id_ is not None and terms and terms[0] in point.seeds:
                space[id_] = point.seeds[terms[0]]
        return space

    def answer(self, made: Numbers, places: list[int]) -> Array | None:
        """Return the gradient of the input at these places; None if it gets none."""
        results = self.tape.results(made)
        found = [results[place] for place in places if place < len(results)]
        there = [in_double(one) for one in found if one is not None]
        return sum(there[1:], there[0]) if there else None

    def gives(self, point: Point, places: list[int]) -> Array | None:
        """Return backward's gradient, at a point, of the input at these places."""
        return self.answer(self.tape.run(self.start(point)), places)

    @property
    def is_faithful(self) -> bool:
        """Whether backward, run again, reproduces its recorded results up to rounding."""
        rng, eps = np.random.default_rng(6), self.exact.eps
        start = {
            id_: array * (1 + eps * rng.uniform(-1, 1, array.shape)) if array.dtype.kind in "fc" else array
            for id_, array in self.start(self.here).items()
        }
        shaken = self.tape.run(start)
        for _, value, places in self.exact.wanted():
            made = self.trace.known([self.event.outputs[place] for place in places])
            again = self.gives(self.here, places)
            if again is None or not made:
                continue
            was = sum(
                (in_double(recorded(self.trace, one.id)) for one in made), np.zeros(value.shape, value.dtype)
            )
            near = self.answer(shaken, places)
            noise = 0.0 if near is None else 16 * float(np.abs(near - again).max(initial=0))
            if again.shape != was.shape or apart(again, was, 1e-2, noise).any():
                return False
        return True

    @property
    def branches(self) -> bool:
        """Whether Python read numbers in backward, as ``if`` does: other numbers may take another branch."""
        return any(True for _ in self.tape.reads())

    def seeded(self) -> Point:
        """Return the point of the run, with random incoming gradients of the same size."""
        rng = np.random.default_rng(2)
        return self._point(self.here.space, rng)

    def generic(self, keeping: bool = False) -> Point | None:
        """Return a random point, perhaps `keeping` labels, whose rows sum to one; None if forward cannot run there."""
        rng = np.random.default_rng(3)
        start = {id_: self.here.space[id_] for id_ in self.exact.tape.given}
        for id_, array in start.items():
            moves = array.dtype.kind in "fc" and not (keeping and self.trace.values[id_].stop_gradient)
            start[id_] = _moved(rng, array) if moves else array
        point = self._point(self.exact.tape.run(start), rng)
        return point if all(np.isfinite(one).all() for one in point.right.values()) else None

    def near(self, low: float, high: float) -> Point | None:
        """Return a point with every input that requires gradient multiplied by random factors between two numbers.

        Numbers that are equal by chance differ there. Zeros stay zero, unless there is nothing else: then all are one
        number, and those that meet as equals in a maximum still do.
        """
        rng, values = np.random.default_rng(7), self.trace.values
        start = {}
        for id_ in self.exact.tape.given:
            array = self.here.space[id_]
            if array.dtype.kind in "fc" and not values[id_].stop_gradient:
                factors = rng.uniform(low, high, array.shape)
                if array.ndim > 1 and np.array_equal(array, array.swapaxes(-1, -2)) and np.ptp(array):
                    factors = (factors + factors.swapaxes(-1, -2)) / 2
                array = array * factors if array.any() else array + 1 - low
            start[id_] = array
        point = self._point(self.exact.tape.run(start), rng)
        return point if all(np.isfinite(one).all() for one in point.right.values()) else None

    @property
    def is_closed(self) -> bool:
        """Whether backward reads nothing else that was computed, and no input was computed from another one."""
        inside = {id_ for one in self.trace.inside(self.event) for id_ in one.outputs}
        known = inside | {*self.of_forward} | {*self.event.inputs}
        read = {id_ for one in self.trace.inside(self.event) for id_ in one.inputs if id_ is not None} - known
        outside = [self.trace.values[id_] for id_ in read if self.tape.base(id_) not in known]
        if self.stale or any(self._sources(value) for value in outside):
            return False
        inputs, seen = {*self.exact.tape.given}, set[int]()
        left = [source for id_ in inputs for source in self._sources(self.trace.values[id_])]
        while left and not inputs & seen:
            id_ = left.pop()
            left += [] if id_ in seen else self._sources(self.trace.values[id_])
            seen.add(id_)
        return not inputs & seen

    def _sources(self, value: Value) -> list[int]:
        """Return the values that a value was computed from, or shares its numbers with."""
        maker = self.trace.maker(value)
        return [id_ for id_ in (value.same, *(maker.inputs if maker is not None else ())) if id_ is not None]

    def _point(self, space: Numbers, rng: np.random.Generator) -> Point:
        seeds = {
            id_: rng.uniform(0.25, 1, seed.shape)
            * (rng.choice([-1, 1], seed.shape) if seed.dtype.kind == "f" else _turned(rng, seed.shape, np.pi))
            * (float(np.abs(seed).max(initial=0)) or 1.0)
            for id_, seed in self.here.seeds.items()
        }
        return Point(space, seeds, self.exact.tape.pull(space, seeds))


def _moved(rng: np.random.Generator, array: Array) -> Array:
    near = rng.uniform(0.8, 1.2, array.shape)
    near = near if array.dtype.kind == "f" else near * _turned(rng, array.shape, 0.2)
    return array * near if array.any() else near - 0.5  # no number tells of a factor where all are zero


def _turned(rng: np.random.Generator, shape: tuple[int, ...], angle: float) -> Array:
    """Return complex numbers of size 1, turned by at most `angle`."""
    turned: Array = np.exp(1j * rng.uniform(-angle, angle, shape))
    return turned


def equal(one: Array | None, other: Array | None, tolerance: float = _EQUAL) -> bool:
    """Return whether two gradients are equal up to `tolerance`, and not all zero."""
    if one is None or other is None or one.shape != other.shape or not other.any():
        return False
    with np.errstate(invalid="ignore"):
        scale = float(np.abs(other).max(initial=0))
        return bool((np.abs(one - other) <= tolerance * scale).all())


class Stale(NamedTuple):
    """A value that backward reads although it does not belong to this call."""

    right: int
    """The value of this call that it should be."""
    why: str
    """overwritten: its memory was overwritten after forward; call: it belongs to another call."""
    maker: Event | None
    """The event that made the value."""


def _stale(trace: Trace, exact: Exact, of_forward: Numbers) -> dict[int, Stale]:
    """Return the stale values that backward reads instead of values of this forward call, by id."""
    inside = trace.inside(exact.event)
    made = {id_ for one in inside for id_ in one.outputs}
    read = {id_ for one in inside for id_ in one.inputs if id_ is not None} - made - set(of_forward)
    by_holder = {trace.values[id_].holder: id_ for id_ in sorted(of_forward, reverse=True)}
    others = _of_other_calls(trace, exact)
    found = {}
    for id_ in read - set(exact.event.inputs):
        value = trace.values[id_]
        before = by_holder.get(value.holder)
        if id_ in others:
            found[id_] = Stale(others[id_], "call", trace.maker(value))
        elif before is not None and trace.values[before].version < value.version:
            found[id_] = Stale(before, "overwritten", trace.maker(value))
    return found


def _of_other_calls(trace: Trace, exact: Exact) -> dict[int, int]:
    """Return the values of other calls of the same class, each mapped to its counterpart in this call."""
    mine = _values_of(trace, exact.forward)
    found: dict[int, int] = {}
    for event in trace.events:
        if event.op == exact.forward.op and event.title == exact.forward.title and event is not exact.forward:
            theirs = _values_of(trace, event)
            if len(theirs) == len(mine):
                pairs = [(other, own) for other, own in zip(theirs, mine) if other not in mine]
                values = trace.values
                found.update((other, own) for other, own in pairs if values[other].shape == values[own].shape)
    return found


def _values_of(trace: Trace, forward: Event) -> list[int]:
    made = [id_ for one in trace.inside(forward) for id_ in one.outputs]
    ids = [*forward.inputs, *made, *forward.outputs]
    return [id_ for id_ in ids if id_ is not None]
