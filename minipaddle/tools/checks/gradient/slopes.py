"""Slopes: finite differences of outputs for small moves of inputs, with their measured noise.

For code outside of operators, which no rule differentiates, and for the operators themselves. Below: one call
as a function of its inputs, at the recorded numbers, and the results of its rules there.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.custom.py_layer import PyLayerContext
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.results import Call
from minipaddle.tools.checks.gradient.tape import AsTheyCome, Tape, in_double, recorded
from minipaddle.tools.record.events import Value
from minipaddle.tools.record.replay import Missing
from minipaddle.tools.words.language import say

_ALL = 256
"""Most elements of an input that are all moved alone; of a larger input a sample is, then all elements together."""
_SOME = 64  # size of that sample: one call of forward for each element, twice
_KINK = 0.02
"""If the slopes to both sides differ by more than this part of the gradient, there is no gradient to compare with."""

Function = Callable[[Sequence[Array]], list[Array]]
"""From the numbers of the differentiable inputs to the numbers of the outputs."""
Spot = tuple[int, ...]


class Slope(NamedTuple):
    """The change of the outputs, weighted by the seeds, per move of an input; for a complex one, along both axes."""

    total: complex
    noise: float
    """Bound on the error of `total`: the difference between two step sizes, plus rounding."""
    kink: float
    """The difference of the slopes to both sides."""


class Slopes:
    """The slopes for input number `which`; `seeds` are the gradients that came in, one per output."""

    def __init__(
        self,
        function: Function,
        seeds: Sequence[Array],
        arrays: Sequence[Array],
        which: int,
        step: float | None,
    ) -> None:
        self.function, self.seeds, self.which = function, seeds, which
        self.arrays = list(arrays)
        self.array = self.arrays[which]
        here = function(self.arrays)
        kinds = [out.dtype for out in here if out.dtype.kind in "fc"]
        self.eps = max([float(np.finfo(kind).eps) for kind in kinds], default=2.0**-52)
        """The machine epsilon of the outputs: code that casts may have fewer digits than its inputs."""
        self.step = step or self.eps ** (1 / 3)
        self.here = self._weighted(here)

    def _weighted(self, outs: Sequence[Array]) -> Array:
        parts = [(in_double(out) * np.conj(seed)).real.ravel() for out, seed in zip(outs, self.seeds)]
        return np.concatenate(parts).astype(np.float64)

    def _at(self, array: Array) -> Array:
        return self._weighted(
            self.function([*self.arrays[: self.which], array, *self.arrays[self.which + 1 :]])
        )

    def spot(self, spot: Spot) -> Slope:
        """Return the slope for one element."""
        alone = np.zeros_like(self.array)
        alone[spot] = 1
        size = self.step * max(1.0, abs(self.array[spot]))
        real = self._between(alone, size)
        if self.array.dtype.kind != "c":
            return real
        other = self._between(1j * alone, size)
        return Slope(real.total + 1j * other.total, real.noise + other.noise, real.kink + other.kink)

    def columns(self) -> Iterator[Array]:
        """Yield the columns of the Jacobian, one per input element, with rows weighted by the seeds."""
        for spot in np.ndindex(self.array.shape):
            alone = np.zeros_like(self.array)
            alone[spot] = self.step
            yield (self._at(self.array + alone) - self._at(self.array - alone)) / (2 * self.step)

    def diagonal(self) -> Array | None:
        """Return the diagonal of the Jacobian; None if outputs and inputs do not correspond one to one."""
        if self.here.size != self.array.size or len(self.seeds) != 1 or self.array.dtype.kind == "c":
            return None
        found = [column[place] for place, column in enumerate(self.columns())]
        return np.array(found).reshape(self.array.shape)

    def along(self, direction: Array) -> Slope:
        """Return the slope when several elements are moved at once."""
        return self._between(direction, self.step * max(1.0, float(np.abs(self.array).max(initial=0))))

    def _between(self, direction: Array, size: float) -> Slope:
        near, kink, lost = self._central(direction, size)
        far, _, _ = self._central(direction, 4 * size)
        return Slope(near, abs(near - far) + lost, kink)

    def _central(self, direction: Array, size: float) -> tuple[float, float, float]:
        up, down = (self._at(self.array + sign * size * direction) for sign in (1, -1))
        moved = np.abs(self.here[up != down])
        lost = 4 * self.eps * float(np.sqrt((moved * moved).sum())) / size
        both = up + down - 2 * self.here
        return float((up - down).sum()) / (2 * size), float(np.abs(both).sum()) / size - lost, lost


class Compared(NamedTuple):
    """A gradient compared with the slopes."""

    spots: list[Spot]
    """The elements that were moved alone."""
    slopes: list[Slope]
    wrong: list[Spot]
    """The wrong ones among these, the worst first."""
    unsure: int
    """How many of these are at a kink, or below the noise."""
    covered: bool
    """Whether all other elements were tested by one joint move."""


def compare(slopes: Slopes, given: Array, tolerance: float) -> Compared:
    """Return a gradient compared with slopes: of each element, or of some elements and of all together."""
    shape = slopes.array.shape
    spots = list(np.ndindex(shape)) if slopes.array.size <= _ALL else _chosen(shape)
    found = [slopes.spot(spot) for spot in spots]
    totals = [abs(one.total) for one in found if np.isfinite(one.total)]
    scale = max([*totals, *(abs(given[spot]) for spot in spots), 1e-30])
    tolerance = max(tolerance, 10 * slopes.eps**0.5)
    wrong, unsure = [], 0
    for spot, one in zip(spots, found):
        size = max(abs(one.total), abs(given[spot]))
        gap = abs(one.total - given[spot])
        if not np.isfinite(one.total) or one.kink > _KINK * scale or 4 * one.noise > max(size, 1e-3 * scale):
            unsure += 1
        elif not gap <= tolerance * (size + 0.01 * scale) + 4 * one.noise:
            wrong.append((gap, spot))
    ordered = [spot for _, spot in sorted(wrong, reverse=True)]
    if len(spots) == slopes.array.size or ordered:
        return Compared(spots, found, ordered, unsure, len(spots) == slopes.array.size)
    missed, sure = _missed(slopes, given, tolerance)
    found += [slopes.spot(spot) for spot in missed]
    return Compared([*spots, *missed], found, missed, unsure, sure)


def _chosen(shape: Spot) -> list[Spot]:
    size = int(np.prod(shape))
    chosen = np.random.default_rng(0).choice(size, _SOME, replace=False)
    return [tuple(int(i) for i in np.unravel_index(flat, shape)) for flat in sorted(chosen)]


def _missed(slopes: Slopes, given: Array, tolerance: float) -> tuple[list[Spot], bool]:
    """Return the place of a wrong element, if any, and whether every slope was well above its noise.

    All elements are moved at once; if the slope is wrong, a wrong element is found by bisection.
    """
    signs = np.random.default_rng(1).choice([-1.0, 1.0], given.shape)
    if given.dtype.kind == "c":
        signs = signs * np.exp(1j * np.linspace(0.2, 6, given.size)).reshape(given.shape)
    sure = True

    def differs(some: Array) -> bool:
        nonlocal sure
        chosen = np.zeros(given.size, signs.dtype)
        chosen[some] = signs.ravel()[some]
        direction = chosen.reshape(given.shape)
        one = slopes.along(direction.astype(slopes.array.dtype))
        parts = (given.conj() * direction).real
        size = float(np.sqrt((parts * parts).sum()))
        if not np.isfinite(one.total) or one.kink > _KINK * size or 4 * one.noise > _KINK * size:
            sure = False
            return False
        return abs(one.total - float(parts.sum())) > tolerance * size / 10 + 4 * one.noise

    some = np.arange(given.size)
    if not differs(some):
        return [], sure
    while len(some) > 1:
        half = some[: len(some) // 2]
        some = half if differs(half) else some[len(some) // 2 :]
    return [tuple(int(i) for i in np.unravel_index(some[0], given.shape))], sure


def function_of(call: Call, dtype: str = "float64") -> Function:
    """Return forward as a function of its floating inputs; its other inputs are given in `dtype`.

    Raises Missing if that is impossible: numbers were not kept, or the user's code is not loaded.
    """
    if call.forward.op in TABLE or call.forward.op == "select_input":
        return Applied(call, dtype).function([position for position, _ in call.floating])
    if call.forward.index in call.trace.calls:
        return _of_live_layer(call, *call.trace.calls[call.forward.index])
    return _of_recorded_layer(call)


def _of_live_layer(call: Call, layer: Any, arguments: Sequence[Any]) -> Function:
    """Call the user's code again: a PyLayer's ``forward``, or the function of a py_func, which takes arrays."""
    ids, on_tensors = [value.id for _, value in call.floating], isinstance(layer, type)

    def run(arrays: Sequence[Array]) -> list[Array]:
        left = list(enumerate(ids))  # a value that occurs twice counts as two inputs

        def filled(argument: Any) -> Any:
            if isinstance(argument, Value):
                place = next((place for place, id_ in left if id_ == argument.id), None)
                left[:] = [one for one in left if one[0] != place]
                array = recorded(call.trace, argument.id) if place is None else arrays[place]
                return Tensor(array.copy()) if on_tensors else array
            if isinstance(argument, (list, tuple)):
                return type(argument)(filled(item) for item in argument)
            return argument

        given = [filled(argument) for argument in arguments]
        with within(EAGER.with_grad(False)):
            made = layer.forward(PyLayerContext(), *given) if on_tensors else layer(*given)
        several = made if isinstance(made, (list, tuple)) else [made]
        return [out.array if isinstance(out, Tensor) else out for out in several if hasattr(out, "dtype")]

    return run


def _of_recorded_layer(call: Call) -> Function:
    """Run again the operators that the user's ``forward`` applied."""
    tape = Tape(call.trace, call.forward, [id_ for id_ in call.forward.inputs if id_ is not None])
    tape.insist_on_operators()
    places = [value.id for _, value in call.floating]
    if len(set(places)) < len(places):
        raise Missing(say("one tensor stands for several of its inputs: none of them can be moved alone"))
    start = {id_: in_double(recorded(call.trace, id_)) for id_ in tape.given}

    def run(arrays: Sequence[Array]) -> list[Array]:
        made = tape.run({**start, **dict(zip(places, arrays))})
        return [out for out in tape.results(made) if out is not None]

    return run


class Applied:
    """One call of an operator, at the numbers of the run, in `dtype`; inputs are told apart by position.

    A value that is passed twice may be moved differently in both positions.
    """

    def __init__(self, call: Call, dtype: str = "float64") -> None:
        self.forward, self.replay = call.forward, AsTheyCome(call.trace, in_double=True)
        forward = call.forward
        ids = [id_ for id_ in (*forward.inputs, *forward.outputs) if id_ is not None]
        self.space = {id_: in_double(recorded(call.trace, id_), dtype) for id_ in ids}
        inputs = [None if id_ is None else -1 - place for place, id_ in enumerate(forward.inputs)]
        given = [(place, id_) for place, id_ in enumerate(forward.inputs) if id_ is not None]
        self.space |= {-1 - place: self.space[id_] for place, id_ in given}
        self.call = replace(forward, inputs=inputs)

    def outputs(self, moved: dict[int, Array] | None = None) -> list[Array | None]:
        """Return the operator's outputs, with other numbers for the inputs at the places `moved`."""
        space = {**self.space, **{-1 - place: array for place, array in (moved or {}).items()}}
        return self.replay.outputs(self.call, space.__getitem__)

    @cached_property
    def at_rest(self) -> list[Array | None]:
        """The operator's outputs at the numbers of the run."""
        return self.outputs()

    def function(self, places: Sequence[int]) -> Function:
        """Return the operator as a function of the inputs at `places`."""

        def run(arrays: Sequence[Array]) -> list[Array]:
            made = self.outputs(dict(zip(places, arrays)))
            return [np.asarray(out) for out in made if out is not None]

        return run

    def rules(self, wanted: Sequence[bool], seeds: Sequence[Array | None]) -> Sequence[Array | None]:
        """Return the gradients of the wanted inputs by the rules, in double precision."""
        made = {id_: out for id_, out in zip(self.call.outputs, self.at_rest) if id_ is not None}
        space = {**self.space, **{id_: out for id_, out in made.items() if out is not None}}
        op = TABLE[self.forward.op]
        with within(EAGER.reading), np.errstate(all="ignore"):
            return self.replay.rules(op, self.call, wanted, seeds, space.__getitem__)
