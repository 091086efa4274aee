"""The quick way to run a Block: compiled once to one Python function, and cached.

Each Operator is one line, ``v7 = k3(v1, v6); del v1``: its kernel, with values in local variables, which are dropped
after their last use. For a chain of small operators this costs a third of an interpreter's loop. The number of the
line tells which Operator failed. :mod:`minipaddle.paddle.static.executor.interpreter` is the readable version.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from minipaddle.paddle.static.executor.interpreter import explained, missing
from minipaddle.paddle.static.program import Block, Operator, Variable
from minipaddle.paddle.static.program.block_operator import BlockOperator
from minipaddle.paddle.static.program.ends import Ends, ends_of
from minipaddle.paddle.static.program.table_operator import kernel_of, rewritten_in

_FILE = "<program>"
_READS = "__reads__"  # among the function's globals: for each Operator, the local variables that it reads


def function_of(
    block: Block,
    inputs: Sequence[Variable],
    outputs: Sequence[Variable],
    calls: Sequence[Ends] | None = None,
    unknown: Sequence[str] = (),
) -> Callable[..., list[Any]]:
    """Return the function that runs `calls` (default: all), from values of `inputs` to values of `outputs`.

    `unknown` are further fed names, for the error.

    Raises:
        RuntimeError: naming a Variable that is read before it has a value, and the Operator that reads it.
    """
    chosen = ends_of(block.ops) if calls is None else calls
    source, space = source_of(block, inputs, outputs, chosen, unknown)
    exec(compile(source, _FILE, "exec"), space)
    run: Callable[..., list[Any]] = space["run"]

    def run_and_explain(*values: Any) -> list[Any]:
        try:
            return run(*values)
        except Exception as error:
            raise _told(error, run, chosen) from None

    return run_and_explain


def source_of(
    block: Block,
    inputs: Sequence[Variable],
    outputs: Sequence[Variable],
    calls: Sequence[Ends],
    unknown: Sequence[str] = (),
) -> tuple[str, dict[str, Any]]:
    """Return the text of the function and the names that it uses."""
    rewritten = rewritten_in(block)
    # the number of the last Operator that reads each Variable; one past the end for `outputs`
    last = {variable: index for index, call in enumerate(calls) for variable in call.reads}
    last |= dict.fromkeys(outputs, len(calls))
    names: dict[Variable, str] = {}
    numbers = count()
    reads: dict[Operator, list[str]] = {}
    space: dict[str, Any] = {"__name__": __name__, _READS: reads}

    def read(variable: Any, op: Operator | None) -> str:
        if variable is None:
            return "None"
        if variable not in names:
            raise missing(variable, op, unknown)
        return names[variable]

    def write(variable: Variable, index: int) -> str:
        if last.get(variable, -1) < index:
            return "_"
        names.setdefault(variable, f"v{next(numbers)}")
        return names[variable]

    parameters = [names.setdefault(variable, f"v{next(numbers)}") for variable in inputs]
    lines = [f"def run({', '.join(parameters)}):"]
    for index, (op, taken, given) in enumerate(calls):
        space[f"k{index}"] = (
            op.bind(function_of) if isinstance(op, BlockOperator) else kernel_of(op, rewritten)
        )
        arguments = reads[op] = [read(variable, op) for variable in taken]
        targets = [write(variable, index) for variable in given]
        over = [names[one] for one in dict.fromkeys(taken) if one is not None and last[one] == index]
        dropped = [name for name in over if name not in targets]
        call = f"k{index}({', '.join(arguments)})"
        lines.append(
            f"    {', '.join(targets)} = {call}" + (f"; del {', '.join(dropped)}" if dropped else "")
            if targets
            else f"    {call}"
        )
    lines.append(f"    return [{', '.join(read(variable, None) for variable in outputs)}]")
    return "\n".join(lines), space


def _told(error: Exception, run: Callable[..., Any], calls: Sequence[Ends]) -> Exception:
    """Return the error with operator and user's line: the frame tells which line of the function was running."""
    code = getattr(run, "__code__", None)
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not code:
        trace = trace.tb_next
    if trace is None:
        return error
    op = calls[trace.tb_lineno - 2].op
    reads = trace.tb_frame.f_globals[_READS][op]
    return explained(error, op, [trace.tb_frame.f_locals.get(name) for name in reads])
