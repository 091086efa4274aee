"""One call by itself, at the numbers that it met: what it computes for other inputs, and what its rules give then."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.custom.py_layer import PyLayerContext
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.results import Call
from minipaddle.tools.checks.gradient.slopes import Function
from minipaddle.tools.checks.gradient.tape import AsTheyCome, Tape, in_double, recorded
from minipaddle.tools.record.events import Value
from minipaddle.tools.record.kinds import Op
from minipaddle.tools.record.replay import Missing
from minipaddle.tools.words.language import say


def function_of(call: Call, dtype: str = "float64") -> Function:
    """Return what forward computes of its floating inputs, as a function; what else it reads is given in `dtype`.

    Raises Missing if it cannot be had: numbers were not kept, or the user's code is not at hand.
    """
    if call.forward.op in TABLE or call.forward.op == "select_input":
        return Applied(call, dtype).function([position for position, _ in call.floating])
    if call.forward.index in call.trace.calls:
        return _of_live_layer(call, *call.trace.calls[call.forward.index])
    return _of_recorded_layer(call)


def _of_live_layer(call: Call, layer: Any, arguments: Sequence[Any]) -> Function:
    """Call the user's own code again: a PyLayer's ``forward``, or the function of a py_func, which takes arrays."""
    ids, on_tensors = [value.id for _, value in call.floating], isinstance(layer, type)

    def run(arrays: Sequence[Array]) -> list[Array]:
        left = list(enumerate(ids))  # the same value may stand in several places: each is an input of its own

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
    """Run the operators again that the body of the user's ``forward`` applied."""
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
    """One call of an operator, at the numbers of the run, in `dtype`. Each place has a number of its own.

    What stands among the inputs twice may be moved in both places differently.
    """

    def __init__(self, call: Call, dtype: str = "float64") -> None:
        self.forward, self.replay = call.forward, AsTheyCome(call.trace)
        forward = call.forward
        ids = [id_ for id_ in (*forward.inputs, *forward.outputs) if id_ is not None]
        self.space = {id_: in_double(recorded(call.trace, id_), dtype) for id_ in ids}
        inputs: list[int | None] = []
        for place, id_ in enumerate(forward.inputs):
            inputs.append(None if id_ is None else -1 - place)
            if id_ is not None:
                self.space[-1 - place] = self.space[id_]
        self.call = Op(
            forward.index,
            forward.op,
            forward.title,
            inputs,
            forward.outputs,
            attrs=forward.attrs,
            parts=forward.parts,
        )

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
