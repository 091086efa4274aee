"""The reference interpreter: run a Block one Operator at a time, and show each step.

:meth:`Executor.steps` gives it to tools and readers. :mod:`minipaddle.paddle.static.executor.plan` does the same
faster; the two agree to the bit, for they call the same kernels in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, NamedTuple

from minipaddle.engine.errors import failure, locate
from minipaddle.paddle.static.program import Block, Operator, TableOperator, Variable
from minipaddle.paddle.static.program.block_operator import BlockOperator
from minipaddle.paddle.static.program.table_operator import kernel_of, rewritten_in


class ProgramStep(NamedTuple):
    """An Operator was run."""

    op: Operator
    inputs: list[Any]
    """Values of ``op.reads()``."""
    outputs: list[Any]
    """Values of ``op.writes()``."""
    values: dict[Variable, Any] | None = None
    """The values of the Block's Variables; None if it was not run."""


class Entered(NamedTuple):
    """A Block of an Operator begins."""

    op: Operator
    block: Block
    iteration: int | None
    """Of a loop, from 0; backward runs from the last to 0."""
    handed: Sequence[tuple[Variable, Variable | None]]
    """Pairs (in the Block, around it) of Variables passed in under another name; None: zeros."""


class Left(NamedTuple):
    """A Block of an Operator ended."""

    op: Operator
    block: Block
    iteration: int | None
    answers: Sequence[tuple[Variable | None, Variable | None]]
    """Pairs (in the Block, around it) of its results: see :meth:`Operator.hands_out`."""


class Writing(NamedTuple):
    """An Operator is about to write these arrays in place: an optimizer's."""

    op: Operator
    arrays: list[Any]


StepEvent = ProgramStep | Entered | Left | Writing
Steps = Generator[StepEvent, None, list[Any]]


def steps_of(
    block: Block,
    inputs: Sequence[Variable],
    outputs: Sequence[Variable],
    operators: Sequence[Operator] | None = None,
) -> Callable[..., Steps]:
    """Return a generator function from values of `inputs` to values of `outputs` that yields every step.

    It runs `operators`, by default all of the Block.
    """
    rewritten = rewritten_in(block)
    chosen = block.ops if operators is None else operators
    ready = [(op, _bound(op, rewritten)) for op in chosen]

    def steps(*values: Any) -> Steps:
        env: dict[Variable, Any] = dict(zip(inputs, values, strict=True))
        for op, run in ready:
            given = [None if variable is None else _value(env, variable, op) for variable in op.reads()]
            if isinstance(op, TableOperator) and op.definition.updates:
                yield Writing(op, [given[position] for position in op.definition.updates])
            try:
                result = yield from run(*given)
            except Exception as error:
                raise explained(error, op, given) from None
            written = op.writes()
            outs = [result] if len(written) == 1 else list(result)
            env.update(zip(written, outs, strict=True))
            yield ProgramStep(op, given, outs, env)
        return [_value(env, variable, None) for variable in outputs]

    return steps


def _bound(op: Operator, rewritten: frozenset[Variable]) -> Callable[..., Generator[StepEvent, None, Any]]:
    """Return a generator function that runs `op`."""
    if isinstance(op, BlockOperator):
        return _announcing(op)
    kernel = kernel_of(op, rewritten)

    def run(*values: Any) -> Generator[StepEvent, None, Any]:
        return kernel(*values)
        yield

    return run


def _announcing(op: BlockOperator) -> Callable[..., Generator[StepEvent, None, Any]]:
    """Return a generator function that runs `op` and reports the begin and end of its Blocks."""
    numbers: Iterator[int] | None = None
    first = True

    def announced(
        block: Block, inputs: Sequence[Variable], outputs: Sequence[Variable]
    ) -> Callable[..., Steps]:
        inside = steps_of(block, inputs, outputs)

        def steps(*values: Any) -> Steps:
            nonlocal first
            iteration = None if numbers is None else next(numbers)
            yield Entered(op, block, iteration, op.hands_in(first))
            results = yield from inside(*values)
            first = False
            yield Left(op, block, iteration, op.hands_out())
            return results

        return steps

    bound = op.bind(announced)

    def run(*values: Any) -> Generator[StepEvent, None, Any]:
        nonlocal numbers, first
        numbers, first = op.iterations(values), True
        return (yield from bound(*values))

    return run


def value_of(steps: Generator[Any, None, Any]) -> Any:
    """Run a generator to its end, and return its value."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


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


def explained(error: Exception, op: Operator, values: Sequence[Any]) -> Exception:
    """Return the reworded error of `op`, with the user's line."""
    try:
        op.explain(values)
    except Exception as worded:
        error = worded.with_traceback(None)  # which would hold this frame, and so the inputs, in a cycle
    return locate(error, op.type, op.where) if op.has_kernel else error
