"""One operator by itself, at the numbers that it met: what it computes for other inputs, and its derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.autograd.py_layer import PyLayerContext
from minipaddle.autograd.tensor import Tensor
from minipaddle.core.eager import EAGER, within
from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.trace.replay import Missing, Replay
from minipaddle.words.language import say

Function = Callable[[Sequence[Array]], list[Array]]
"""From the numbers of the differentiable inputs to those of the outputs, in double precision."""


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
        if id_ is not None and np.dtype(trace.values[id_].dtype).kind == "f"
    ]


def function_of(trace: Trace, forward: Event, dtype: str = "float64") -> Function:
    """Return the function that `forward` applied, of its floating inputs; what else it reads is given in `dtype`.

    Raises:
        Missing: if it cannot be had: numbers were not kept, or the user's code is not at hand.
    """
    if forward.op in TABLE or forward.op == "select_input":
        return _of_operator(trace, forward, dtype)
    if forward.index in trace.calls:
        return _of_live_layer(trace, forward, *trace.calls[forward.index])
    return _of_recorded_layer(trace, forward, dtype)


def _numbers(trace: Trace, id_: int) -> Array:
    array = trace.values[id_].array
    if array is None:
        raise Missing(f"the numbers of {trace.values[id_].name} were not kept")
    return array


def _in(dtype: str, array: Array) -> Array:
    return array.astype(dtype) if array.dtype.kind == "f" else array


class _InDouble(Replay):
    """A replay whose results stay in the precision in which they come."""

    def _numbers_are_kept_in(self, value: Value) -> bool:
        return False


def _of_operator(trace: Trace, forward: Event, dtype: str) -> Function:
    replay = _InDouble(trace)
    positions = [position for position, _ in floating_inputs(trace, forward)]
    known = trace.known([*forward.inputs, *forward.outputs])
    given = {value.id: _in(dtype, _numbers(trace, value.id)) for value in known}

    def run(arrays: Sequence[Array]) -> list[Array]:
        # An input that is there twice may differ in both places: each place gets a number of its own.
        inputs: list[int | None] = list(forward.inputs)
        space = dict(given)
        for position, array in zip(positions, arrays):
            inputs[position] = -1 - position
            space[-1 - position] = array
        call = Event(forward.index, "op", forward.op, forward.title, inputs, forward.outputs, forward.attrs)
        return [np.asarray(out) for out in replay.outputs(call, space.__getitem__) if out is not None]

    return run


def _of_live_layer(trace: Trace, forward: Event, layer: Any, arguments: Sequence[Any]) -> Function:
    """Call the user's own code again: a PyLayer's ``forward``, or the function of a py_func, which takes arrays."""
    places = {value.id: place for place, (_, value) in enumerate(floating_inputs(trace, forward))}

    def run(arrays: Sequence[Array]) -> list[Array]:
        def filled(argument: Any) -> Any:
            if isinstance(argument, Value):
                place = places.get(argument.id)
                array = _numbers(trace, argument.id) if place is None else arrays[place]
                return Tensor(array) if hasattr(layer, "forward") else array
            if isinstance(argument, (list, tuple)):
                return type(argument)(filled(item) for item in argument)
            return argument

        given = [filled(argument) for argument in arguments]
        with within(EAGER.with_grad(False)):
            made = layer.forward(PyLayerContext(), *given) if hasattr(layer, "forward") else layer(*given)
        several = made if isinstance(made, (list, tuple)) else [made]
        return [out.array if isinstance(out, Tensor) else out for out in several if hasattr(out, "dtype")]

    return run


def _of_recorded_layer(trace: Trace, forward: Event, dtype: str) -> Function:
    """Run the operators again that the body of the user's ``forward`` applied."""
    if forward.body is None:
        raise Missing(f"what ran inside {forward.title} was not recorded")
    enter, leave = forward.body
    ran = trace.events[enter + 1 : leave]
    body = [event for event in ran if event.kind == "op" and event.phase == forward.phase]
    made = {value.id for event in body for value in trace.known(event.outputs)}
    returned = [terms[0] for terms in forward.parts if terms]
    if not returned or not made.issuperset(returned) or any(event.op == "python" for event in body):
        raise Missing(
            say(
                "{name}.forward computes outside of paddle's operators (NumPy, say), and a recording holds no code to "
                "run again: check the script itself, `minipaddle check SCRIPT`",
                name=forward.title,
            )
        )
    replay = _InDouble(trace)
    ids = [value.id for _, value in floating_inputs(trace, forward)]
    inside = _inside(trace, [value.id for event in body for value in trace.known(event.inputs)], ids)

    def run(arrays: Sequence[Array]) -> list[Array]:
        space: dict[int, Array] = dict(zip(ids, arrays))
        space |= {inner: space[outer] for inner, outer in inside.items()}

        def numbers(id_: int) -> Array:
            return space[id_] if id_ in space else _in(dtype, _numbers(trace, id_))

        for event in body:
            for id_, array in zip(event.outputs, replay.outputs(event, numbers)):
                if id_ is not None and array is not None:
                    space[id_] = array
        return [space[id_] for id_ in returned]

    return run


def _inside(trace: Trace, read: Sequence[int], given: Sequence[int]) -> dict[int, int]:
    """Return which values that a body reads are its arguments with another holder."""
    found = {}
    for id_ in dict.fromkeys(read):
        outer: int | None = id_
        while outer is not None and outer not in given:
            outer = trace.values[outer].same
        if outer is not None and outer != id_:
            found[id_] = outer
    return found


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
