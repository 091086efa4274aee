"""py_func: an operator that calls a user's Python function when the Program runs; hooks of Variables are py_funcs.

The functions of static_pylayer are called once, while building; this one is called in every run, with numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.engine.mode.eager import current
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.static.build import check_variables, static_only
from minipaddle.paddle.static.custom.operators import PyFuncOperator, PyFunction
from minipaddle.paddle.static.host_tensor import HostTensor
from minipaddle.paddle.static.program import Operator, Variable, current_block
from minipaddle.paddle.static.program import variable as points


def py_func(
    func: Callable[..., Any],
    x: Any,
    out: Any,
    backward_func: Callable[..., Any] | None = None,
    skip_vars_in_backward_input: Any = None,
) -> Any:
    """Append a call of `func`: Python code that runs in every run of the Program.

    Args:
        func: any callable; gets one tensor for each of `x`, which behaves as an array.
        x: its input Variables: one, a list or tuple, or None.
        out: its output Variables, made with ``create_var``: one, a list or tuple, or None for a probe.
        backward_func: gets `x`, `out` and the gradients of `out` (zeros for missing ones); returns one gradient for
            each of `x`. Its attribute ``backward_func`` is used for the second order, and so on.
        skip_vars_in_backward_input: Variables among `x` and `out` that it does not get.

    Returns:
        `out`, as given.

    Raises:
        TypeError: for a **function** that is not callable, or other values than Variables.
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
    block = current_block()
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


@points.register_hook.filled
def hooked(variable: Variable, hook: Callable[[Any], Any]) -> Hook:
    """Append a py_func that copies `variable`, and calls `hook` on its gradient, as Paddle 2.6.2 does."""
    mode: Any = current.get()

    def backward(grad: HostTensor) -> Any:
        answer = hook(Tensor(grad.numpy()) if mode.as_eager else grad.numpy())
        return grad if answer is None else answer

    block = variable.block if mode.as_eager else current_block()
    same, wrapped = PyFunction(lambda value: value), PyFunction(backward)
    op = PyFuncOperator(block, [variable], [variable], same, wrapped, [variable])
    block.add_op(op, _behind_the_maker(variable) if mode.as_eager else None)
    return Hook(op)


def _behind_the_maker(variable: Variable) -> int:
    """Return the index in the Block of `variable` after its maker, and before any hook's call."""
    for place, op in enumerate(variable.block.ops):
        if variable in set(op.writes()):
            return place if variable in set(op.reads()) else place + 1
    return 0


class Hook:
    """A hook of a Variable; :meth:`remove` removes it."""

    def __init__(self, op: Operator) -> None:
        self._op = op

    def remove(self) -> bool:
        """Remove the Operator; return whether it was still there."""
        block = self._op.block
        if self._op not in block.ops:
            return False
        block._remove_op(self._op.idx)
        for op in block.ops:  # restore the maker: the last Operator before
            if self._op.inputs["X"][0] in set(op.writes()):
                self._op.inputs["X"][0].op = op
        return True
