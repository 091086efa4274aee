"""Running recorded events again, on other numbers.

It runs the kernels and gradient rules of the operators, event by event, never the script: the branches that the
script's own `if` and `while` took stay as recorded.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.engine.operator.plan import plan_of
from minipaddle.engine.value.meta import Array, meta_of
from minipaddle.ops.definition.traits import is_random
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Accumulate, Grad, Op, Store, Update

Numbers = Callable[[int], Array]


class Missing(LookupError):
    """Numbers that an event needs were not kept; the message names them."""


class Replay:
    """Runs single events of `trace` again; `in_double`: numbers may be of a larger dtype than the recorded ones."""

    def __init__(self, trace: Trace, in_double: bool = False) -> None:
        self.trace, self.in_double = trace, in_double

    def outputs(self, event: Event, numbers: Numbers) -> list[Array | None]:
        """Return the outputs of `event` for inputs with these `numbers`, one array per output.

        None for an output that was None. A random output keeps its recorded numbers. Raises Missing if numbers are
        missing, or the result of the user's own code is unknown.
        """
        with within(EAGER.reading), np.errstate(all="ignore"):
            made = self._run(event, numbers) if event.outputs else []
        return [self._in_recorded_dtype(array, id_) for array, id_ in zip(made, event.outputs, strict=True)]

    def _run(self, event: Event, numbers: Numbers) -> Sequence[Any]:
        match event:
            case Op():
                return self.applied(event, numbers)
            case Grad():
                return self._differentiated(event, numbers)
            case Update():
                return self._updated(event, numbers)
            case Accumulate():
                left, right = _inputs(event, numbers)
                return [left + right]
            case Store():
                (arrived,) = _inputs(event, numbers)
                return [arrived if event.before is None else numbers(event.before) + arrived]
        return [None] * len(event.outputs)

    def _in_recorded_dtype(self, array: Any, id_: int | None) -> Array | None:
        """Return a result in the value's recorded dtype, unless it is computed in double precision."""
        if array is None or id_ is None:
            return None
        value = self.trace.values[id_]
        found = np.asarray(array)
        if found.dtype != value.dtype and not self.in_double:
            found = np.asarray(found, np.dtype(value.dtype))
        return found if found.shape == value.shape else found.reshape(value.shape)

    def applied(self, event: Op, numbers: Numbers) -> Sequence[Any]:
        """Return the outputs of a forward operator."""
        op = TABLE.get(event.op)
        if op is None:
            return self._of_body(event, numbers)
        if is_random(op, event.attrs):
            return self._random_outputs(op, event, numbers)
        made = op.run(*_inputs(event, numbers), **event.attrs)
        return list(made) if op.multiple else [made]

    def _random_outputs(self, op: Operator, event: Event, numbers: Numbers) -> Sequence[Any]:
        """Return a random operator's recorded outputs; dropout applies its recorded mask to its input."""
        if op.type == "dropout" and event.outputs[1] is not None and event.inputs[0] is not None:
            mask = numbers(event.outputs[1])
            return [numbers(event.inputs[0]) * mask, mask]
        return [None if id_ is None else numbers(id_) for id_ in event.outputs]

    def _updated(self, event: Update, numbers: Numbers) -> Sequence[Any]:
        op = TABLE[event.op]
        arrays = [None if array is None else array.copy() for array in _inputs(event, numbers)]
        op.run(*arrays, **event.attrs)
        return [arrays[position] for position in op.updates]

    def _differentiated(self, event: Grad, numbers: Numbers) -> Sequence[Any]:
        forward = self.trace.differentiated(event)
        if forward is None:
            raise Missing("the forward call of this gradient was not recorded")
        op = TABLE.get(forward.op)
        if op is None:
            return self._of_body(event, numbers)
        grads = [None if id_ is None else numbers(id_) for id_ in event.inputs]
        return self.rules(op, forward, [id_ is not None for id_ in event.outputs], grads, numbers)

    def rules(
        self,
        op: Operator,
        forward: Event,
        wanted: Sequence[bool],
        grads: Sequence[Array | None],
        numbers: Numbers,
    ) -> Sequence[Any]:
        """Return the gradients of a call's `wanted` inputs, None for the others."""
        plan = plan_of(op, wanted)
        if plan is None:
            return [None] * len(wanted)
        outs = [None if id_ is None else numbers(id_) for id_ in forward.outputs]
        attrs = {**op.defaults, **forward.attrs}
        kept = plan.save(_inputs(forward, numbers), outs if op.multiple else outs[0], attrs)
        if op.multiple:
            grads = plan.gather(
                grads, [meta_of(out) for out in outs], lambda meta: np.zeros(meta.shape, meta.dtype)
            )
        return plan.run(grads, kept)

    def _of_body(self, event: Event, numbers: Numbers) -> Sequence[Any]:
        """Return the values that a body of user code returned; the operators in it are separate events.

        A function of arrays (py_func) is called again.
        """
        if event.op == "select_input":
            return [numbers(self.taken(event))]
        if event.op == "py_func":
            return self._called_again(event, numbers)
        if not event.parts:
            raise Missing(f"what ran inside {event.title} was not recorded")
        return [
            None if id_ is None else self._sum(terms, id_, numbers)
            for id_, terms in zip(event.outputs, event.parts, strict=True)
        ]

    def _sum(self, terms: tuple[int, ...] | None, id_: int, numbers: Numbers) -> Any:
        """Return the sum of the values that a body returned for an output."""
        value = self.trace.values[id_]
        if terms is None:
            raise Missing(f"nobody can say how {value.name} was made: operators of paddle did not make it")
        total = numbers(terms[0]) if terms else np.zeros(value.shape, value.dtype)
        for term in terms[1:]:
            total = total + numbers(term)
        return total

    def taken(self, event: Event) -> int:
        """Return the value of the branch taken in the recorded run; a replay takes the same branch."""
        mask = self.trace.value(event.inputs[0])
        if mask is None or mask.array is None:
            raise Missing("which branch was taken was not kept")
        taken = event.inputs[1 + int(bool(mask.array.reshape(())))]
        if taken is None:
            raise Missing("what the branch gave was not recorded")
        return taken

    def _called_again(self, event: Event, numbers: Numbers) -> Sequence[Any]:
        if event.index not in self.trace.calls:
            raise Missing("it is the user's own Python, and its code is not in the recording")
        function, arguments = self.trace.calls[event.index]
        made = function(*[numbers(one.id) if isinstance(one, Value) else one for one in arguments])
        several = iter(made if isinstance(made, (list, tuple)) else [made])
        return [None if id_ is None else next(several) for id_ in event.outputs]


def _inputs(event: Event, numbers: Numbers) -> list[Any]:
    return [None if id_ is None else numbers(id_) for id_ in event.inputs]
