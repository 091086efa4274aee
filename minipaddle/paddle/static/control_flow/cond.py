"""cond: in a Program, two Blocks of which one runs; in dynamic mode, plain Python."""

from __future__ import annotations

import warnings
from typing import Any

from minipaddle.engine.mode.eager import current
from minipaddle.engine.value.meta import Shape
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import full
from minipaddle.ops.logic.compare import logical_not
from minipaddle.paddle.static.build import check_variable
from minipaddle.paddle.static.control_flow import conditional_block
from minipaddle.paddle.static.control_flow.conditional_block import Function
from minipaddle.paddle.static.program import Variable, current_block, default_main_program
from minipaddle.paddle.static.pytree import flat, rebuilt


def cond(
    pred: Any,
    true_fn: Function | None = None,
    false_fn: Function | None = None,
    name: str | None = None,
    return_names: Any = None,
) -> Any:
    """Return the result of `true_fn` if `pred` is true, else of `false_fn`; only one of them runs.

    Args:
        pred: bool, with one element.
        true_fn: a function without arguments; None does nothing.

    Returns:
        A pytree with the structure of both results; None if both return None. Sizes that differ between them are -1.

    Raises:
        TypeError: **pred** is no bool tensor; **true_fn** or **false_fn** is not callable.
        ValueError: only one returns **None**, or they return different numbers of **vars**; when running: `pred` has
            more than one element.
    """
    for argument, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        _check_callable(f"{argument} in cond", function)
    if current.get().dynamic:
        chosen = true_fn if bool(pred) else false_fn
        return None if chosen is None else chosen()
    check_variable(pred, "pred", "cond", "b")
    with default_main_program().undone_on_error():
        yes = branch(pred, true_fn)
        no = None if false_fn is None else branch(logical_not(pred), false_fn)
        return _merged(pred, yes, no)


def branch(condition: Variable, function: Function | None) -> Any:
    """Append a conditional_block; return the function's result, with Variables of the Block around it."""
    if function is None:
        return None
    program = default_main_program()
    block, body = program.current_block(), program.new_block()
    with program.in_block(body):
        result, outs = conditional_block.results_around(function(), body, block)
    block.add_op(
        conditional_block.ConditionalBlock(block, condition, body, outs, conditional_block.step_scopes(block))
    )
    return result


def _merged(pred: Variable, yes: Any, no: Any) -> Any:
    """Append the selection of results of the branch that ran; return them."""
    if yes is None and no is None:
        return None
    if yes is None or no is None:
        some, none = ("true_fn", "false_fn") if no is None else ("false_fn", "true_fn")
        raise ValueError(
            f"Incompatible return values of true_fn and false_fn in cond: {some} returns non-None while {none} "
            "returns None"
        )
    left, right = flat(yes), flat(no)
    if len(left) != len(right):
        raise ValueError(
            f"true fn returns {len(left)} vars, but false fn returns {len(right)} vars, which is not equals"
        )
    mask = None
    merged = []
    for one, other in zip(left, right, strict=True):
        if not isinstance(one, Variable) and not isinstance(other, Variable) and one == other:
            merged.append(one if one is None else _number(one))
            continue
        mask = cast(pred, "int32") if mask is None else mask
        _check_kinds(one, other)
        merged.append(selected(mask, one, other))
    answers = iter(merged)
    return rebuilt(yes, lambda leaf: next(answers))


def selected(mask: Any, one: Any, other: Any) -> Variable:
    """Append a select_input of two results, numbers among them as constants, and return its output.

    If their ranks differ, warn, and use the shape of the first: a run decides between them.
    """
    like = next((value for value in (one, other) if isinstance(value, Variable)), None)
    false, true = _as_variable(other, like), _as_variable(one, like)
    block = current_block()
    shape: Shape = true.shape
    if true.ndim == false.ndim:
        shape = conditional_block.common_shape(true.shape, false.shape)
    else:
        warnings.warn(
            f"the input shapes of select_input should have the same rank, but get {false.shape}, {true.shape}",
            stacklevel=2,
        )
    out = block.create_var(
        None, shape, true.meta.dtype, stop_gradient=true.stop_gradient and false.stop_gradient
    )
    block.add_op(conditional_block.SelectInput(block, mask, [false, true], out))
    return out


def _check_kinds(one: Any, other: Any) -> None:
    """Raise for two numbers of different types."""
    if not isinstance(one, Variable) and not isinstance(other, (Variable, type(one))):
        raise TypeError(
            f"Unsupported return type of true_fn and false_fn in cond: false_var returned by false_fn is "
            f"'{type(other)}' and true_var of true_fn is '{type(one)}'"
        )


def _as_variable(value: Any, like: Variable | None) -> Variable:
    """Return a result as a Variable: a number as a constant, of the other result's type if that is a number too.

    Raises:
        TypeError: for any other value.
    """
    if isinstance(value, Variable):
        return value
    value = _number(value)
    dtype = "bool" if isinstance(value, bool) else "int64" if isinstance(value, int) else "float64"
    constant: Variable = full([], value, dtype if like is None else like.meta.dtype)
    return constant


def _number(value: Any) -> Any:
    if not isinstance(value, (bool, int, float)):
        raise TypeError(f"Unsupported return type of true_fn and false_fn in cond: {type(value).__name__}")
    return value


def _check_callable(argument: str, function: Any) -> None:
    """Raise unless it is a function or None."""
    if function is not None and not callable(function):
        raise TypeError(f"The {argument} must be callable, but received {type(function).__name__}.")
