"""The reference interpreter: runs a Block one Operator at a time, and reports each to observers.

They are the observers of the eager engine (:class:`minipaddle.engine.watch.observer.Observer`).
:mod:`minipaddle.paddle.static.executor.plan` does the same faster, without observers; the two agree to the bit: they
call the same kernels in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from minipaddle.engine.errors import failure, invalid, locate
from minipaddle.engine.value.meta import Array
from minipaddle.engine.watch.observer import Tell
from minipaddle.paddle.static.program import Block, Operator, Variable
from minipaddle.paddle.static.program.block_operator import BlockOperator
from minipaddle.paddle.static.program.table_operator import kernel_of, rewritten_in


class Turn(NamedTuple):
    """One run of a Block of an Operator."""

    op: BlockOperator
    block: Block
    iteration: int | None
    """The iteration of a loop, from 0; backward runs from the last to 0."""
    handed: Sequence[tuple[Variable, Variable | None]]
    """Pairs (in the Block, around it) of Variables passed in under another name; None: zeros."""

    @property
    def name(self) -> str:
        """``while block 1, iteration 2``."""
        number = "" if self.iteration is None else f", iteration {self.iteration + 1}"
        return f"{self.op.type} block {self.block.idx}{number}"


def told_function_of(
    block: Block,
    inputs: Sequence[Variable],
    outputs: Sequence[Variable],
    operators: Sequence[Operator] | None = None,
    tell: Tell = (),
) -> Callable[..., list[Any]]:
    """Return the function that runs `operators` (default: all), from values of `inputs` to values of `outputs`."""
    rewritten = rewritten_in(block)
    chosen = block.ops if operators is None else operators
    kernels = [
        _telling(op, tell) if isinstance(op, BlockOperator) else kernel_of(op, rewritten) for op in chosen
    ]

    def run(*values: Any) -> list[Any]:
        env: dict[Variable, Any] = dict(zip(inputs, values, strict=True))
        for op, kernel in zip(chosen, kernels, strict=True):
            given = tuple(
                [None if variable is None else _value(env, variable, op) for variable in op.reads()]
            )
            for one in tell:
                one.will_apply(op, given)
            try:
                result = kernel(*given)
            except Exception as error:
                raise explained(error, op, given) from None
            written = op.writes()
            made = (result,) if len(written) == 1 else tuple(result)
            env.update(zip(written, made, strict=True))
            for one in tell:
                one.called(op, given, op.attrs, made, False)
        return [_value(env, variable, None) for variable in outputs]

    return run


def _telling(op: BlockOperator, tell: Tell) -> Callable[..., Any]:
    """Return a function that runs `op`, and reports the begin and end of its Blocks."""
    numbers: Iterator[int] | None = None
    first = True

    def runner(
        block: Block, inputs: Sequence[Variable], outputs: Sequence[Variable]
    ) -> Callable[..., list[Any]]:
        inside = told_function_of(block, inputs, outputs, tell=tell)

        def run(*values: Any) -> list[Any]:
            nonlocal first
            turn = Turn(op, block, None if numbers is None else next(numbers), op.hands_in(first))
            for one in tell:
                one.entered("block", turn, (), None)
            results = inside(*values)
            first = False
            for one in tell:
                one.left("block", turn, results, None)
            return results

        return run

    bound = op.bind(runner)

    def run(*values: Any) -> Any:
        nonlocal numbers, first
        numbers, first = op.iterations(values), True
        return bound(*values)

    return run


def _value(env: dict[Variable, Any], variable: Variable, op: Operator | None) -> Any:
    """Return the value of `variable`."""
    if variable in env:
        return env[variable]
    raise missing(variable, op)


def missing(variable: Variable, op: Operator | None, unknown: Sequence[str] = ()) -> Exception:
    """Return the error for a Variable without a value when `op` needs it; `unknown`: fed names that do not exist."""
    instead = (
        f"; what was fed is no Variable of the Program: {', '.join(map(repr, unknown))}" if unknown else ""
    )
    what = "a placeholder that was not fed" if variable.is_data else "not initialized: no op wrote it before"
    error = failure(
        RuntimeError,
        f"The Variable {variable.name!r} is {what}.",
        f"pass it: exe.run(program, feed={{{variable.name!r}: ...}}){instead}"
        if variable.is_data
        else "exe.run(paddle.static.default_startup_program()) gives parameters their first values"
        if variable.persistable
        else "look at the order of the ops",
    )
    return error if op is None else locate(error, op.type, op.where)


def refused(variable: Variable, array: Array) -> Exception:
    """Return the error for a fed array of another dtype or shape."""
    if array.dtype.kind not in "biufc":
        return TypeError(
            f"The feed of {variable.name!r} holds {array.dtype}, which is no data type of Paddle."
        )
    if array.dtype != variable.meta.dtype:
        wanted, got = variable.meta.dtype.name, array.dtype.name
        return invalid(
            f"The data type of fed Variable '{variable.name}' must be '{wanted}', but received '{got}'.",
            f"feed array.astype('{wanted}')",
        )
    return invalid(
        f"The fed Variable '{variable.name}' should have dimensions = {variable.ndim}, shape = {variable.shape}, but "
        f"received fed shape {list(array.shape)}.",
        "declare sizes that change from run to run as -1 or None",
    )


def explained(error: Exception, op: Operator, values: Sequence[Any]) -> Exception:
    """Return the reworded error of `op`, with the user's line."""
    try:
        op.explain(values)
    except Exception as worded:
        error = worded.with_traceback(None)  # without this frame, which would hold the inputs in a cycle
    return locate(error, op.type, op.where) if op.has_kernel else error
