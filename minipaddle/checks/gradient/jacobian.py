"""One call by itself, at the numbers that it met: what it computes for other inputs, and how that changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.autograd.py_layer import PyLayerContext
from minipaddle.autograd.tensor import Tensor
from minipaddle.checks.gradient.operators import Applied
from minipaddle.checks.gradient.slopes import Function
from minipaddle.checks.gradient.tape import Tape, in_double, recorded
from minipaddle.core.dtype import dtype_named
from minipaddle.core.eager import EAGER, within
from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE
from minipaddle.trace.events import Event, Trace, Value


def forward_of(trace: Trace, event: Event) -> Event | None:
    """Return the forward event that `event` is, or is the gradient of; None for any other."""
    if event.kind == "op":
        return event
    if event.kind == "grad" and event.origin is not None:
        return trace.differentiated(event)
    return None


def floating_inputs(trace: Trace, forward: Event) -> list[tuple[int, Value]]:
    """Return the inputs that can be differentiated for: their positions, and the values."""
    return [
        (position, trace.values[id_])
        for position, id_ in enumerate(forward.inputs)
        if id_ is not None and dtype_named(trace.values[id_].dtype).kind in "fc"
    ]


def function_of(trace: Trace, forward: Event, dtype: str = "float64") -> Function:
    """Return the function that `forward` applied, of its floating inputs; what else it reads is given in `dtype`.

    Raises:
        Missing: if it cannot be had: numbers were not kept, or the user's code is not at hand.
    """
    if forward.op in TABLE or forward.op == "select_input":
        places = [position for position, _ in floating_inputs(trace, forward)]
        return Applied(trace, forward, dtype).function(places)
    if forward.index in trace.calls:
        return _of_live_layer(trace, forward, *trace.calls[forward.index])
    return _of_recorded_layer(trace, forward)


def _of_live_layer(trace: Trace, forward: Event, layer: Any, arguments: Sequence[Any]) -> Function:
    """Call the user's own code again: a PyLayer's ``forward``, or the function of a py_func, which takes arrays."""
    places = {value.id: place for place, (_, value) in enumerate(floating_inputs(trace, forward))}

    def run(arrays: Sequence[Array]) -> list[Array]:
        def filled(argument: Any) -> Any:
            if isinstance(argument, Value):
                place = places.get(argument.id)
                array = recorded(trace, argument.id) if place is None else arrays[place]
                return Tensor(array.copy()) if hasattr(layer, "forward") else array
            if isinstance(argument, (list, tuple)):
                return type(argument)(filled(item) for item in argument)
            return argument

        given = [filled(argument) for argument in arguments]
        with within(EAGER.with_grad(False)):
            made = layer.forward(PyLayerContext(), *given) if hasattr(layer, "forward") else layer(*given)
        several = made if isinstance(made, (list, tuple)) else [made]
        return [out.array if isinstance(out, Tensor) else out for out in several if hasattr(out, "dtype")]

    return run


def _of_recorded_layer(trace: Trace, forward: Event) -> Function:
    """Run the operators again that the body of the user's ``forward`` applied."""
    inputs = floating_inputs(trace, forward)
    tape = Tape(trace, forward, [id_ for id_ in forward.inputs if id_ is not None])
    tape.insist_on_operators()
    start = {id_: in_double(recorded(trace, id_)) for id_ in tape.given}

    def run(arrays: Sequence[Array]) -> list[Array]:
        space = {**start, **{value.id: array for (_, value), array in zip(inputs, arrays)}}
        return [out for out in tape.results(tape.run(space)) if out is not None]

    return run


def jacobian(function: Function, arrays: Sequence[Array], which: int, step: float = 1e-6) -> Array:
    """Return how the first output changes with each element of input number `which`: rows are outputs."""
    point = [array.astype(np.float64) for array in arrays]
    columns = []
    for place in np.ndindex(point[which].shape):
        ends = []
        for sign in (1, -1):
            moved = point[which].copy()
            moved[place] += sign * step
            ends.append(function([*point[:which], moved, *point[which + 1 :]])[0])
        columns.append(((ends[0] - ends[1]) / (2 * step)).ravel())
    return np.array(columns).T
