"""Check: the gradient that was computed, against how the outputs really change when an input is moved a little."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE
from minipaddle.debug.causes import Evidence, cause_of
from minipaddle.debug.language import say
from minipaddle.debug.local import floating_inputs, forward_of, function_of
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.trace.replay import Missing

__all__ = ["PRECISIONS", "Checked", "check_event", "check_operator", "check_trace", "gradient_events"]

_ALL = 256
"""Up to so many elements of an input are all moved; of larger ones, some, and all together."""
_SOME = 64
_ROUNDING = 64
"""So many units in the last place of the numbers that a gradient adds up may be lost in the sum."""


@dataclass
class Checked:
    """What came out for one input of one event."""

    event: Event
    name: str
    """The input."""
    verdict: str
    """``ok``, ``wrong``, ``unsure`` (at a kink, or numbers too large to tell) or ``unchecked``."""
    elements: int = 0
    """How many were moved."""
    difference: float = 0.0
    """The worst relative difference."""
    spot: tuple[int, ...] = ()
    analytic: float = 0.0
    numeric: float = 0.0
    cause: str = ""
    """The likely cause; or why it was not checked."""


def gradient_events(trace: Trace) -> Iterator[Event]:
    """Yield one gradient event for each operator, line and shape: a second one would say the same."""
    seen = set()
    for event in trace.events:
        forward = forward_of(trace, event) if event.kind == "grad" else None
        taken = (
            event.op != "conditional_block_grad" or event.body is not None
        )  # zeros of a branch say nothing
        if forward is not None and taken:
            shapes = tuple(value.shape for _, value in floating_inputs(trace, forward))
            key = (event.title, forward.where, shapes, repr(sorted(forward.attrs)))
            if key not in seen:
                seen.add(key)
                yield event


class Precision(NamedTuple):
    """How finely is looked: how far an input is moved, and which relative difference is a mistake."""

    step: float
    tolerance: float


PRECISIONS = {"float64": Precision(1e-5, 1e-3), "float32": Precision(1e-2, 2e-2)}
"""In single precision a difference of two results keeps half of their digits, so inputs are moved further."""


def check_trace(trace: Trace) -> Iterator[Checked]:
    """Check every kind of gradient event of a recording."""
    for event in gradient_events(trace):
        yield from check_event(trace, event)


def check_event(
    trace: Trace,
    event: Event,
    step: float | None = None,
    tolerance: float | None = None,
    dtype: str = "float64",
) -> list[Checked]:
    """Check one gradient event, for each input that got a gradient (or should have got one).

    The operator runs in `dtype`, by which `step` and `tolerance` are chosen where they are not given.
    """
    step = PRECISIONS[dtype].step if step is None else step
    tolerance = PRECISIONS[dtype].tolerance if tolerance is None else tolerance
    forward = forward_of(trace, event)
    if forward is None or event.kind != "grad":
        return []
    inputs = floating_inputs(trace, forward)
    try:
        function = _seeded(trace, forward, event, dtype)
        arrays = [_kept(value).astype(dtype) for _, value in inputs]
        slopes = [
            _Slopes(function, arrays, which, step) if _is_wanted(value) else None
            for which, (_, value) in enumerate(inputs)
        ]
        found = []
        for which, (position, value) in enumerate(inputs):
            slope = slopes[which]
            has_rule = forward.op not in TABLE or event.outputs[position] is not None
            if slope is not None and has_rule:
                found.append(_compare(trace, forward, event, position, value, slope, slopes, tolerance))
        return found
    except Missing as error:
        return [Checked(event, forward.title, "unchecked", cause=str(error))]
    except (ArithmeticError, TypeError, ValueError, RuntimeError) as error:
        return [Checked(event, forward.title, "unchecked", cause=f"{type(error).__name__}: {error}")]


def _is_wanted(value: Value) -> bool:
    return not value.stop_gradient


def _kept(value: Value) -> Array:
    if value.array is None:
        raise Missing(say("the numbers of {name} were not kept", name=value.name))
    return value.array


_Weighted = Callable[[Sequence[Array]], Array]
"""From the differentiable inputs to all elements of the outputs in a row, each times the gradient that came in."""


def _seeded(trace: Trace, forward: Event, event: Event, dtype: str) -> _Weighted:
    """Return the function the gradient of whose sum the event computed."""
    function = function_of(trace, forward, dtype)
    seeds = []
    for out, id_ in _incoming(trace, forward, event):
        made, seed = trace.value(out), trace.value(id_)
        zeros = np.zeros(made.shape if made else ())
        seeds.append(zeros if seed is None else _kept(seed).astype(np.float64))

    def weighted(arrays: Sequence[Array]) -> Array:
        outs = [np.asarray(out, np.float64) for out in function(arrays)]
        return np.concatenate([(out * seed).ravel() for out, seed in zip(outs, seeds)])

    return weighted


class _Slope(NamedTuple):
    """How the outputs change in all when an input is moved."""

    total: float
    kink: float
    """How much the slopes to both sides differ."""
    parts: float
    """The sum of the changes without their signs: what cancels in the total cannot be right to more digits."""


def _incoming(trace: Trace, forward: Event, event: Event) -> list[tuple[int | None, int | None]]:
    """Return each output of the forward event with the gradient that came in for it.

    A loop of a Program lists only what there is: a gradient knows what it is the gradient of.
    """
    if event.op != "while_grad":
        return list(zip(forward.outputs, event.inputs))
    of = {trace.values[id_].of: id_ for id_ in event.inputs if id_ is not None}
    return [(out, of.get(out)) for out in forward.outputs]


class _Slopes:
    """The numeric gradient for one input, at the elements that were moved."""

    def __init__(self, function: _Weighted, arrays: Sequence[Array], which: int, step: float) -> None:
        self.function, self.arrays, self.which = function, arrays, which
        self.array = arrays[which]
        self.here = function(arrays)
        self.spots = _spots(self.array)
        self.step = step
        self.found = [self._slope(spot) for spot in self.spots]

    @property
    def whole(self) -> Array | None:
        """All of it, if every element was moved."""
        if len(self.spots) < self.array.size:
            return None
        return np.array([slope.total for slope in self.found]).reshape(self.array.shape)

    def along(self, direction: Array) -> _Slope:
        """Return the slope if every element is moved at once."""
        return self._between(direction, self.step * max(1.0, float(np.abs(self.array).max(initial=0))))

    def _slope(self, spot: tuple[int, ...]) -> _Slope:
        alone = np.zeros_like(self.array)
        alone[spot] = 1
        return self._between(alone, self.step * max(1.0, abs(float(self.array[spot]))))

    def _between(self, direction: Array, size: float) -> _Slope:
        up, down = (
            sign * (self._at(self.array + sign * size * direction) - self.here) / size for sign in (1, -1)
        )
        rounding = 8 * float(np.finfo(self.array.dtype).eps) * abs(float(self.here.sum())) / size
        kink = float(np.abs(up - down).sum()) - rounding
        return _Slope(float((up + down).sum()) / 2, kink, float(np.abs(up + down).sum()) / 2)

    def _at(self, array: Array) -> Array:
        return self.function([*self.arrays[: self.which], array, *self.arrays[self.which + 1 :]])


def _spots(array: Array) -> list[tuple[int, ...]]:
    if array.size <= _ALL:
        return list(np.ndindex(array.shape))
    chosen = np.random.default_rng(0).choice(array.size, _SOME, replace=False)
    return [tuple(int(i) for i in np.unravel_index(flat, array.shape)) for flat in sorted(chosen)]


def _compare(
    trace: Trace,
    forward: Event,
    event: Event,
    position: int,
    value: Value,
    slopes: _Slopes,
    others: Sequence[_Slopes | None],
    tolerance: float,
) -> Checked:
    made = trace.value(event.outputs[position] if position < len(event.outputs) else None)
    analytic = np.zeros(value.shape) if made is None else _kept(made).astype(np.float64)
    numeric, kinks, parts = (np.array(column) for column in zip(*slopes.found))
    computed = np.array([analytic[spot] for spot in slopes.spots])
    scale = max(float(np.abs(numeric).max(initial=0)), float(np.abs(computed).max(initial=0)), 1e-12)
    sure = np.isfinite(numeric) & np.isfinite(computed) & (kinks < 0.02 * scale)
    if not sure.any():
        return Checked(event, value.name, "unsure", len(numeric), cause=say("at a kink, or not finite"))
    rounding = _ROUNDING * float(np.finfo(value.dtype).eps)
    apart = np.where(sure, np.abs(numeric - computed), 0)
    # A sum that has cancelled is as right as its parts are, however small it is itself.
    gaps = apart / np.where(apart > rounding * parts, scale, np.maximum(scale, parts))
    worst = int(np.argmax(gaps))
    found = Checked(
        event,
        value.name,
        "ok",
        len(numeric),
        float(gaps[worst]),
        slopes.spots[worst],
        float(computed[worst]),
        float(numeric[worst]),
    )
    if gaps[worst] > tolerance:
        found.verdict = "wrong"
        found.cause = cause_of(
            Evidence(
                analytic,
                slopes.whole,
                [(computed[sure], numeric[sure])],
                named=_named_arrays(trace, forward, event),
                others={
                    trace.values[forward.inputs[place] or 0].name: other.whole
                    for place, other in zip((p for p, _ in floating_inputs(trace, forward)), others)
                    if other is not None and other is not slopes
                },
            )
        )
    elif slopes.whole is None:
        direction = np.sign(analytic) + (analytic == 0)
        total, (moved, kink, summed) = float((analytic * direction).sum()), slopes.along(direction)
        size, gap = max(abs(total), abs(moved), 1e-12), abs(total - moved)
        if kink < 0.02 * size and gap > max(tolerance * size, rounding * summed):
            found.verdict, found.analytic, found.numeric, found.spot = "wrong", total, moved, ()
            found.difference = gap / size
            found.cause = say("moving all elements at once shows it; which one is wrong was not searched for")
    return found


def _named_arrays(trace: Trace, forward: Event, event: Event) -> dict[str, Array]:
    """Return what the rule might have left out: inputs, outputs and the gradients that came in."""
    found: dict[str, Array] = {}
    for id_ in (*forward.inputs, *forward.outputs, *event.inputs):
        value = trace.value(id_)
        if value is not None and value.array is not None:
            found[value.name] = value.array.astype(np.float64)
    return found


def check_operator(name: str) -> Trace:
    """Record one call of an operator and its backward, on the operator's own example.

    Raises:
        KeyError: if there is no such operator.
    """
    from minipaddle.autograd.tensor import Tensor
    from minipaddle.core.mode import current
    from minipaddle.core.watching import watching
    from minipaddle.trace.recorder import Recorder

    op = next(op for op in TABLE.values() if name in (op.type, op.name))
    inputs, attrs = op.example(np.random.default_rng(0))
    recorder = Recorder(f"check {name}")
    with watching(recorder):
        tensors = [None if array is None else Tensor(array) for array in inputs]
        for tensor in tensors:
            if tensor is not None and tensor.array.dtype.kind == "f":
                tensor.stop_gradient = False
        out = current.get().apply(op, tuple(tensors), {**op.defaults, **attrs})
        for one in out if isinstance(out, tuple) else (out,):
            if not one.stop_gradient:
                one.backward(
                    Tensor(np.random.default_rng(1).uniform(0.5, 1.5, one.array.shape)), retain_graph=True
                )
    trace = recorder.finish()
    for event in trace.events:
        event.where = None
        for input_name, id_ in zip(op.input_names, event.inputs if event.kind == "op" else ()):
            if id_ is not None:
                trace.values[id_].name = input_name
    return trace
