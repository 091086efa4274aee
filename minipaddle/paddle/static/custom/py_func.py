"""py_func: an operator that calls a Python function of the user when the Program runs.

Unlike static_pylayer's functions, which are called once to build, this one is called in every run, with numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from itertools import count
from typing import Any

import numpy as np

from minipaddle.engine.errors import Line, defined_at, failure
from minipaddle.engine.mode.eager import current
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.engine.watch.notify import run_body
from minipaddle.paddle.static.build import check_variables, static_only
from minipaddle.paddle.static.host_tensor import HostTensor
from minipaddle.paddle.static.program import Block, Operator, Variable, default_main_program
from minipaddle.paddle.static.program import variable as points

_callable_ids = count()
reading: ContextVar[Callable[[Callable[..., Any]], Callable[..., Any]]] = ContextVar(
    "reading", default=lambda one: one
)
"""What to call in the place of a function: by default itself. A tool that reads along sets something else."""


class Callback:
    """A function of the user's with the number by which a Program lists it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.id = next(_callable_ids)

    @property
    def name(self) -> str:
        """What to call it."""
        return getattr(self.function, "__name__", None) or type(self.function).__name__

    @property
    def where(self) -> Line | None:
        """Where it is defined, if it is Python."""
        return defined_at(self.function)

    @property
    def backward(self) -> Callback | None:
        """The function's own backward function, for the next order: its attribute ``backward_func``."""
        return callback(getattr(self.function, "backward_func", None))


def callback(function: Callable[..., Any] | None) -> Callback | None:
    """Return a function as a Callback; None for None."""
    return None if function is None else Callback(function)


class PyFuncOperator(Operator, in_files=False):
    """A call of a function of the user's.

    Attributes:
        forward: the function.
        backward: what computes the gradients: called with inputs, outputs and the gradients of the outputs.
        skipped: Variables that `backward` does not get.
    """

    has_kernel = False
    runs_user_code = True
    parts = ("skipped",)

    def __init__(
        self,
        block: Block,
        inputs: Sequence[Variable],
        outs: Sequence[Any],
        forward: Callback,
        backward: Callback | None = None,
        skipped: Sequence[Variable] = (),
    ) -> None:
        super().__init__(block, "py_func", {"X": list(inputs)}, {"Out": list(outs)}, {})
        self.forward, self.backward, self.skipped = forward, backward, list(skipped)
        self.is_gradient = False

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {
            "forward_callable_id": self.forward.id,
            "backward_callable_id": -1 if self.backward is None else self.backward.id,
            "backward_skip_vars": [variable.name for variable in self.skipped],
        }

    def compute(self, *values: Array) -> Any:
        """Return what the function returns, as arrays of its outputs."""
        outs, called, name = self.outputs["Out"], self.forward, self.forward.name
        arguments = tuple([HostTensor(np.asarray(value)) for value in values])
        function, mode = reading.get()(called.function), current.get()
        result = run_body("forward", called, mode.with_grad(True), function, arguments)
        if len(outs) == 1 and outs[0] is not None and not isinstance(result, (list, tuple)):  # nearly always
            return _array(result, outs[0], name)
        arrays = [
            _array(value, out, name)
            for value, out in zip(_several(result, outs, name), outs)
            if out is not None
        ]
        return arrays[0] if len(arrays) == 1 else arrays

    @property
    def flows(self) -> bool:
        """Whether gradients pass it."""
        return self.backward is not None or self.is_gradient

    def gradients(self, maker: Any, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        if self.backward is None:
            raise failure(
                RuntimeError,
                f"py_func cannot be differentiated again: the backward function {self.forward.name} has none itself.",
                f"set {self.forward.name}.backward_func = a function of its inputs, outputs and their gradients",
            )
        inputs, outs = self.inputs["X"], self.writes()
        whole = [maker.zeros(out) if grad is None else grad for out, grad in zip(outs, grads, strict=True)]
        results = [maker.new_like(one) if asked else None for one, asked in zip(inputs, wanted, strict=True)]
        skipped = set(self.skipped)
        given = [one for one in (*inputs, *outs) if one not in skipped]
        op = PyFuncOperator(maker.block, [*given, *whole], results, self.backward, self.backward.backward)
        op.origin, op.is_gradient = self, True
        maker.append(op)
        return results

    def refuse_file(self) -> None:
        """Refuse: a function of the user's cannot be written down."""
        raise failure(
            ValueError,
            f"A Program with py_func cannot be saved: {self.forward.name} is Python that no file can hold.",
            "prune it away: save_inference_model keeps only what the fetches need",
        )


def _several(result: Any, outs: Sequence[Any], name: str) -> list[Any]:
    """Return what the function answered as one value for each output.

    Raises:
        ValueError: mentioning **py_func**, if there are too many or too few.
    """
    found = (
        list(result) if isinstance(result, (list, tuple)) else [] if result is None and not outs else [result]
    )
    if len(found) != len(outs):
        raise failure(
            ValueError,
            f"py_func: {name} returned {len(found)} values, but {len(outs)} outputs are declared.",
            "return one value for each Variable in `out`; a list or tuple counts as several",
        )
    return found


def _array(value: Any, out: Variable, name: str) -> Array:
    """Return one answer as an array that is nobody else's.

    Raises:
        ValueError: mentioning **py_func**, if it is None or no array.
    """
    if value is None:
        raise failure(
            ValueError,
            f"py_func: {name} returned None for {out.name!r}.",
            "return an array, or zeros where there is nothing",
        )
    try:
        array: Array = np.array(value.numpy() if hasattr(value, "numpy") else value)
    except ValueError as error:
        raise failure(
            ValueError, f"py_func: what {name} returned for {out.name!r} is no array: {error}."
        ) from None
    if array.dtype.kind not in "biufc":
        raise failure(
            ValueError,
            f"py_func: what {name} returned for {out.name!r} is no array of numbers, but {type(value).__name__}.",
        )
    return array


# -- building ------------------------------------------------------------------------------------------------


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
    block.add_op(PyFuncOperator(block, inputs, outs, Callback(func), callback(backward_func), skipped))
    return out


def _skipped(values: Any, inputs: list[Variable], outs: list[Variable]) -> list[Variable]:
    given = [] if values is None else values if isinstance(values, (list, tuple)) else [values]
    known = {one.name: one for one in (*inputs, *outs)}
    names = [getattr(one, "name", one) for one in given]
    for name in names:
        if name not in known:
            raise ValueError(f"Variable {name} is not found in forward inputs and outputs of py_func")
    return [known[name] for name in names]


# -- hooks ---------------------------------------------------------------------------------------------------


@points.register_hook.filled
def hooked(variable: Variable, hook: Callable[[Any], Any]) -> Hook:
    """Append a py_func that writes `variable` as it is, and calls `hook` on its gradient, as Paddle 2.6.2 does."""
    mode: Any = current.get()

    def backward(grad: HostTensor) -> Any:
        answer = hook(Tensor(grad.numpy()) if mode.as_eager else grad.numpy())
        return grad if answer is None else answer

    block = variable.block if mode.as_eager else default_main_program().current_block()
    same, wrapped = Callback(lambda value: value), Callback(backward)
    op = PyFuncOperator(block, [variable], [variable], same, wrapped, [variable])
    block.add_op(op, _behind_the_maker(variable) if mode.as_eager else None)
    return Hook(op)


def _behind_the_maker(variable: Variable) -> int:
    """Return the place in the Block of `variable` where it is made, and no hook was called yet."""
    for place, op in enumerate(variable.block.ops):
        if variable in set(op.writes()):
            return place if variable in set(op.reads()) else place + 1
    return 0


class Hook:
    """A hook of a Variable; :meth:`remove` takes it back."""

    def __init__(self, op: Operator) -> None:
        self._op = op

    def remove(self) -> bool:
        """Take the Operator away; return whether it was still there."""
        block = self._op.block
        if self._op not in block.ops:
            return False
        block._remove_op(self._op.idx)
        for op in block.ops:  # the Variable is again what the last Operator before made
            if self._op.inputs["X"][0] in set(op.writes()):
                self._op.inputs["X"][0].op = op
        return True
