"""py_func: an operator that calls a Python function of the user when the Program runs.

Unlike static_pylayer's functions, which are called once to build, this one is called in every run, with numbers. What
it may answer is checked in ``engine/custom/answers.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from itertools import count
from typing import Any

import numpy as np

from minipaddle.engine.custom.answers import arrays_of
from minipaddle.engine.errors import failure
from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.engine.operator.custom import CustomOperator
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.static.build import check_variables, static_only
from minipaddle.paddle.static.custom.custom_call import CustomCall
from minipaddle.paddle.static.host_tensor import HostTensor
from minipaddle.paddle.static.program import Block, Operator, Variable, default_main_program

_callable_ids = count()
reading: ContextVar[Callable[[Callable[..., Any]], Callable[..., Any]]] = ContextVar(
    "reading", default=lambda one: one
)
"""What to call in the place of a function: by default itself. A tool that reads along sets something else."""


class PyFunction(CustomOperator):
    """A function of the user's with the number by which a Program lists it."""

    type = "py_func"

    def __init__(self, function: Callable[..., Any]) -> None:
        self.code = function
        self.id = next(_callable_ids)

    @property
    def label(self) -> str:
        """What pictures call it."""
        return f"py_func {self.name}"

    @property
    def backward(self) -> PyFunction | None:
        """The function's own backward function, for the next order: its attribute ``backward_func``."""
        function = getattr(self.code, "backward_func", None)
        return None if function is None else PyFunction(function)

    def on_arrays(self, values: Sequence[Array], outs: Sequence[Any]) -> list[Array]:
        """Return what the function answers, as arrays of those of `outs` that are not None."""
        arguments = [HostTensor(np.asarray(value)) for value in values]
        answer = run_inside(current.get().with_grad(True), reading.get()(self.code), *arguments)
        return arrays_of(self.name, answer, outs)


class PyFuncOperator(CustomCall, in_files=False):
    """A call of a function of the user's.

    Attributes:
        definition: the function.
        backward: what computes the gradients: called with inputs, outputs and the gradients of the outputs.
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
        """Return what the function returns, as arrays of its outputs."""
        arrays = self.definition.on_arrays(values, self.outputs["Out"])
        return arrays[0] if len(arrays) == 1 else arrays

    @property
    def label(self) -> str:
        """What pictures and listings call it."""
        return self.definition.label

    @property
    def flows(self) -> bool:
        """Whether gradients pass it."""
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
        """Refuse: a function of the user's cannot be written down."""
        raise failure(
            ValueError,
            f"A Program with py_func cannot be saved: {self.definition.name} is Python that no file can hold.",
            "prune it away: save_inference_model keeps only what the fetches need",
        )


def py_func(
    func: Callable[..., Any],
    x: Any,
    out: Any,
    backward_func: Callable[..., Any] | None = None,
    skip_vars_in_backward_input: Any = None,
) -> Any:
    """Append a call of `func`: Python that runs in every run of the Program.

    Args:
        func: any callable; gets one tensor for each of `x`, which behaves as an array.
        x: Variables that it gets: one, a list or tuple, or None.
        out: Variables that it fills, made with ``create_var``: one, a list or tuple, or None for a probe.
        backward_func: gets `x`, `out` and the gradients of `out` (zeros where there is none); returns one gradient for
            each of `x`. An attribute ``backward_func`` of it serves for the second order, and so on.
        skip_vars_in_backward_input: Variables among `x` and `out` that it does not get.

    Returns:
        `out`, as given.

    Raises:
        TypeError: for a **function** that is none, or other things than Variables.
        ValueError: for an `out` without **shape**, a Variable to skip that is neither in `x` nor in `out`, or if there
            is neither `x` nor `out`.
        AssertionError: in dynamic mode, mentioning **enable_static**.
    """
    static_only("py_func")
    backward = func if backward_func is None else backward_func
    for name, function in (("func", func), ("backward_func", backward)):
        if not callable(function):
            raise TypeError(f"Input {name} must be a function")
    inputs, outs = check_variables(x, "x", "py_func"), check_variables(out, "out", "py_func")
    if not inputs and not outs:
        raise failure(ValueError, "py_func needs at least one of x and out.")
    for one in outs:
        if one.shapeless:
            raise ValueError(
                f"Output shapes of py_func should be provided by users manually: {one.name!r} has no shape."
            )
    skipped = _skipped(skip_vars_in_backward_input, inputs, outs) if backward_func is not None else []
    block = default_main_program().current_block()
    for one in outs:
        one.stop_gradient = all(given.stop_gradient for given in inputs)
    own = None if backward_func is None else PyFunction(backward_func)
    block.add_op(PyFuncOperator(block, inputs, outs, PyFunction(func), own, skipped))
    return out


def _skipped(values: Any, inputs: list[Variable], outs: list[Variable]) -> list[Variable]:
    given = [] if values is None else values if isinstance(values, (list, tuple)) else [values]
    known = {one.name: one for one in (*inputs, *outs)}
    names = [getattr(one, "name", one) for one in given]
    for name in names:
        if name not in known:
            raise ValueError(f"Variable {name} is not found in forward inputs and outputs of py_func")
    return [known[name] for name in names]
