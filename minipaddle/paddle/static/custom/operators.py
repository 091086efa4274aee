"""Operators that run user code: functions with arrays (py_func), and Blocks (static_pylayer, PyLayer).

Each is a call of a custom operator: its gradient is another Operator, made from the user's backward. They are
appended by :mod:`minipaddle.paddle.static.custom.py_func` and :mod:`minipaddle.paddle.static.custom.static_pylayer`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.engine.operator.custom import CustomOperator
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.static.host_tensor import HostTensor
from minipaddle.paddle.static.program import Block, Operator, Variable
from minipaddle.paddle.static.program.block_operator import BlockGradient, BlockOperator, Handed, Known, Row
from minipaddle.paddle.static.program.clone import inlined
from minipaddle.paddle.static.program.operator import escaping


class CustomCall(Operator, in_files=False):
    """A call with its inputs in the first slot, and its outputs in the slot Out."""

    def gradient_call(self, block: Block, grads: Sequence[Any], results: Sequence[Any]) -> Operator:
        """Return the Operator that gives `results`, one for each input or None, for `grads`, one for each output."""
        raise NotImplementedError

    def of_reads(self, maker: Any, results: Sequence[Any]) -> Sequence[Any]:
        """Return the gradient of each of :meth:`reads`, given the inputs' gradients."""
        return results

    def gradients(self, maker: Any, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient, with zeros for an output without one."""
        outs = [one for one in self.outputs["Out"] if one is not None]
        whole = [maker.zeros(out) if grad is None else grad for out, grad in zip(outs, grads)]
        asked = dict(zip(self.reads(), wanted, strict=True))
        given = next(iter(self.inputs.values()))
        results = [maker.new_like(one) if asked[one] else None for one in given]
        call = self.gradient_call(maker.block, whole, results)
        call.origin = self
        maker.append(call)
        return self.of_reads(maker, results)


# -- functions -----------------------------------------------------------------------------------------------------

_callable_ids = count()


class PyFunction(CustomOperator):
    """A user function, with its number in a Program's listing."""

    type = "py_func"

    def __init__(self, function: Callable[..., Any]) -> None:
        self.code = function
        self.id = next(_callable_ids)

    @property
    def label(self) -> str:
        """Its label in pictures."""
        return f"py_func {self.name}"

    @property
    def backward(self) -> PyFunction | None:
        """The backward function of the function, for the next order: its attribute ``backward_func``."""
        function = getattr(self.code, "backward_func", None)
        return None if function is None else PyFunction(function)


class PyFuncOperator(CustomCall, in_files=False):
    """A call of a user function.

    Attributes:
        definition: the function.
        backward: computes the gradients: called with inputs, outputs and the gradients of the outputs.
        skipped: Variables that `backward` does not get.
    """

    has_kernel = False
    runs_user_code = True
    parts = ("skipped",)
    is_gradient = False

    def __init__(
        self,
        block: Block,
        inputs: Sequence[Variable],
        outs: Sequence[Any],
        definition: PyFunction,
        backward: PyFunction | None = None,
        skipped: Sequence[Variable] = (),
    ) -> None:
        super().__init__(block, "py_func", {"X": list(inputs)}, {"Out": list(outs)}, {})
        self.definition, self.backward, self.skipped = definition, backward, list(skipped)

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {
            "forward_callable_id": self.definition.id,
            "backward_callable_id": -1 if self.backward is None else self.backward.id,
            "backward_skip_vars": [variable.name for variable in self.skipped],
        }

    def compute(self, *values: Array) -> Any:
        """Return the function's results as arrays."""
        arguments = [HostTensor(np.asarray(value)) for value in values]
        answer = run_inside(current.get().with_grad(True), self.definition.code, *arguments)
        arrays = arrays_of(self.definition.name, answer, self.outputs["Out"])
        return arrays[0] if len(arrays) == 1 else arrays

    @property
    def label(self) -> str:
        """Its label in pictures and listings."""
        return self.definition.label

    @property
    def flows(self) -> bool:
        """Whether gradients pass through it."""
        return self.backward is not None or self.is_gradient

    def gradient_call(self, block: Block, grads: Sequence[Any], results: Sequence[Any]) -> Operator:
        """Return a call of the backward function.

        Raises:
            RuntimeError: if there is none.
        """
        name = self.definition.name
        if self.backward is None:
            raise failure(
                RuntimeError,
                f"py_func cannot be differentiated again: the backward function {name} has none itself.",
                f"set {name}.backward_func = a function of its inputs, outputs and their gradients",
            )
        skipped = set(self.skipped)
        given = [one for one in (*self.inputs["X"], *self.writes()) if one not in skipped]
        call = PyFuncOperator(block, [*given, *grads], results, self.backward, self.backward.backward)
        call.is_gradient = True
        return call

    def refuse_file(self) -> None:
        """Raise: a user function cannot be written to a file."""
        raise invalid(
            f"A Program with py_func cannot be saved: {self.definition.name} is Python that no file can hold.",
            "prune it away: save_inference_model keeps only what the fetches need",
        )


def arrays_of(name: str, answer: Any, outs: Sequence[Any]) -> list[Array]:
    """Return the results of a py_func's function as arrays, for the `outs` that are not None.

    Raises:
        ValueError: mentioning **py_func**, if there are too many or too few, or one is None or no array.
    """
    found = answer if isinstance(answer, (list, tuple)) else [] if answer is None and not outs else [answer]
    if len(found) != len(outs):
        raise invalid(
            f"py_func: {name} returned {len(found)} values, but {len(outs)} outputs are declared.",
            "return one value for each Variable in `out`; a list or tuple counts as several",
        )
    return [_array(name, value, out) for value, out in zip(found, outs) if out is not None]


def _array(name: str, value: Any, out: Any) -> Array:
    """Return one result as an array with no other reference."""
    if value is None:
        raise invalid(
            f"py_func: {name} returned None for {out.name!r}.",
            "return an array, or zeros where there is nothing",
        )
    what = f"py_func: what {name} returned for {out.name!r} is no array"
    try:
        array: Array = np.array(value.numpy() if hasattr(value, "numpy") else value)
    except ValueError as error:
        raise invalid(f"{what}: {error}.") from None
    if array.dtype.kind not in "biufc":
        raise invalid(f"{what} of numbers, but {type(value).__name__}.")
    return array


# -- Blocks --------------------------------------------------------------------------------------------------------


class PyLayerOperator(CustomCall, BlockOperator):
    """A call of static_pylayer, or of a PyLayer.

    Attributes:
        body: the Block that computes the outputs.
        backward: the Block that computes the gradients, or None.
        incoming: the Variables of `backward` for the gradients of the outputs.
        answers: for each input the Variable of `backward` with its gradient; None: zeros.
    """

    parts = ("body", "backward", "incoming", "answers")
    backward: Block | None = None
    incoming: Sequence[Variable] = ()
    answers: Sequence[Variable | None] = ()

    def __init__(
        self,
        block: Block,
        inputs: Sequence[Variable],
        outs: Sequence[Variable],
        scope: Variable,
        forward: Block,
    ) -> None:
        super().__init__(block, "pylayer", {"Input": list(inputs)}, {"Out": list(outs), "Scope": [scope]}, {})
        self.body = forward

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"blocks": self.blocks()}

    def blocks(self) -> list[Block]:
        """Return the Blocks that it runs."""
        return [self.body] if self.backward is None else [self.body, self.backward]

    def writes(self) -> list[Variable]:
        """Return the Variables it writes: the outputs, and outer Variables written by the forward Block."""
        listed = [*self.outputs["Out"], *self.outputs["Scope"]]
        return list(dict.fromkeys([*listed, *escaping(self.body)]))

    @property
    def flows(self) -> bool:
        """Whether gradients pass through it."""
        return self.backward is not None

    def gradient_call(self, block: Block, grads: Sequence[Any], results: Sequence[Any]) -> Operator:
        """Return the Operator of the backward Block."""
        return PyLayerGradOperator(self, block, grads, results)

    def of_reads(self, maker: Any, results: Sequence[Any]) -> Sequence[Any]:
        """Return the gradient of each Variable read: captured ones have none."""
        found: list[Any] = maker.summed(self.inputs["Input"], results, self.reads())
        return found


class PyLayerGradOperator(BlockGradient):
    """The gradient of a ``pylayer``: it runs the backward Block."""

    full_slots = ("Input", "Out@GRAD")
    scope_slot = ""

    def __init__(
        self, origin: PyLayerOperator, block: Block, grads: Sequence[Variable], results: Sequence[Any]
    ) -> None:
        inputs = {**origin.inputs, "Out@GRAD": list(grads), "Scope": origin.outputs["Scope"]}
        assert origin.backward is not None
        triples = zip(origin.inputs["Input"], origin.answers, results, strict=True)
        rows = [Row(*three, None) for three in triples]
        handed = [Handed(one, grad, None, None) for one, grad in zip(origin.incoming, grads, strict=True)]
        super().__init__(origin, block, inputs, {"Input@GRAD": list(results)}, origin.backward, rows, handed)

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"backward_block": self.body}

    def checked(self, value: Any, like: Variable | None, known: Known) -> Any:
        """Return a gradient, checked for the shape of its input.

        Raises:
            ValueError: if it has another shape.
        """
        assert like is not None
        if value.shape != known[like].shape:
            raise invalid(
                f"The gradient of {like.name!r} that backward_fn computed has shape {list(value.shape)}, but "
                f"{like.name!r} has shape {list(known[like].shape)}.",
                "sum over the axes that forward_fn broadcast",
            )
        return value

    def gradients(self, maker: Any, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append the backward Block's Operators once more, and walk back through them."""
        start = len(maker.block.ops)
        given: dict[Any, Any] = dict(self.hands_in(True))
        copy_of = inlined(self.body, given, maker.block)
        results = [copy_of(row.answer) for row in self.rows if row.result is not None]
        pairs = [(result, grad) for result, grad in zip(results, grads, strict=True) if result is not None]
        found: Sequence[Any] = maker.back_through(start, pairs, self.reads(), wanted)
        return found
