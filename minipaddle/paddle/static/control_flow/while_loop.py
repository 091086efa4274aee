"""while_loop: in a Program, a Block that runs repeatedly; in dynamic mode, plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.engine.mode.eager import current
from minipaddle.engine.value.meta import Meta
from minipaddle.ops.creation.assign import assign_op
from minipaddle.ops.creation.full import full
from minipaddle.paddle.static.build import check_variable
from minipaddle.paddle.static.control_flow import conditional_block
from minipaddle.paddle.static.control_flow.conditional_block import Function
from minipaddle.paddle.static.control_flow.while_operator import While
from minipaddle.paddle.static.program import Block, Variable, default_main_program
from minipaddle.paddle.static.pytree import flat, rebuilt


def while_loop(
    cond: Function, body: Function, loop_vars: Any, is_test: bool = False, name: str | None = None
) -> list[Any]:
    """Replace `loop_vars` by the results of `body` for them, as long as `cond` returns true for them.

    Args:
        cond: function of the loop variables; returns a bool tensor with one element.
        body: function of the loop variables; returns as many.
        loop_vars: list or tuple of tensors, or pytrees of them.

    Returns:
        The final loop variables, as a list.

    Raises:
        TypeError: **cond** or **body** is not callable, **loop_vars** is no list, or the condition is no **bool** with
            one element (**shape**).
        ValueError: **loop_vars** is empty, or `body` returns another number of them.
    """
    for argument, function in (("cond", cond), ("body", body)):
        if not callable(function):
            raise TypeError(f"{argument} in while_loop should be callable")
    if not isinstance(loop_vars, (list, tuple)):
        raise TypeError(
            f"The type of 'loop_vars' in while_loop must be list or tuple, but received {type(loop_vars)}."
        )
    if not loop_vars:
        raise ValueError("loop_vars in while_loop should not be empty")
    if current.get().dynamic:
        values = list(loop_vars)
        while bool(cond(*values)):
            values = _as_many(body(*values), len(values))
        return values
    with default_main_program().undone_on_error():
        return _appended_loop(cond, body, _each_its_own(list(loop_vars)))


def _as_many(result: Any, count: int) -> list[Any]:
    """Return the result of `body` as a list."""
    found = list(result) if isinstance(result, (list, tuple)) else [result]
    if len(found) != count:
        raise ValueError(
            "body in while_loop should return the same arity (length and structure) and types as loop_vars: "
            f"{count} expected, but {len(found)} returned"
        )
    return found


def _appended_loop(cond: Function, body: Function, loop_vars: list[Any]) -> list[Any]:
    """Append a while and its Block; return the loop variables, which the Block writes."""
    program = default_main_program()
    block = program.current_block()
    condition = cond(*loop_vars)
    check_variable(condition, "cond", "while_loop", "b")
    if math.prod(condition.shape) not in (1, -1):
        raise failure(
            TypeError,
            f"the shape of the variable returned by cond should be [1], but given shape as {list(condition.shape)}.",
            "reduce it with paddle.all or paddle.any",
        )
    inner = program.new_block()
    with program.in_block(inner):
        # new containers, as the body may change them
        results = _as_many(body(*rebuilt(loop_vars, lambda leaf: leaf)), len(loop_vars))
        again = cond(*results)
        _assign_back(inner, flat(loop_vars), _as_many(flat(results), len(flat(loop_vars))))
        if again is not condition:
            conditional_block.assigned(inner, again, condition)
    block.add_op(While(block, condition, inner, conditional_block.step_scopes(block)))
    return loop_vars


def _each_its_own(loop_vars: list[Any]) -> list[Any]:
    """Return loop variables, with duplicates copied: the loop writes to each of them."""
    met: set[Variable] = set()

    def own(leaf: Any) -> Any:
        if isinstance(leaf, Variable):
            leaf = assign_op(leaf) if leaf in met else leaf
            met.add(leaf)
        return leaf

    own_vars: list[Any] = rebuilt(loop_vars, own)
    return own_vars


def _assign_back(block: Block, targets: Sequence[Any], results: Sequence[Any]) -> None:
    """Append the copies of the results to the loop variables; a result that is a loop variable is copied first."""
    changing = {one for one in targets if isinstance(one, Variable)}
    pairs = []
    for target, result in zip(targets, results, strict=True):
        if not isinstance(target, Variable) or result is target:
            continue
        value: Any = (
            result if isinstance(result, Variable) else full(list(target.shape), result, target.meta.dtype)
        )
        if value in changing:
            aside = block.create_like(value, value.stop_gradient)
            conditional_block.assigned(block, value, aside)
            value = aside
        pairs.append((value, target))
    for value, target in pairs:
        target.stop_gradient = target.stop_gradient and value.stop_gradient
        if target.ndim == value.ndim:  # a size that the body changes is unknown
            target.meta = Meta(conditional_block.common_shape(target.shape, value.shape), target.meta.dtype)
        else:
            target.meta = value.meta
        conditional_block.assigned(block, value, target)
