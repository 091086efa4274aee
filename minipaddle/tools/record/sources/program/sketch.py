"""A recording of a Program that nobody has run: its Operators as events, shapes in the place of numbers.

Every Block is gone through once, both branches of a cond among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minipaddle.paddle.static.executor.interpreter import Entered, Left, ProgramStep, StepEvent
from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.program import Program
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.tools.record.builder import Builder
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.memory import Memory
from minipaddle.tools.record.sources.program.events import ProgramSource
from minipaddle.tools.record.sources.program.values import Given


def sketch(program: Program, title: str = "program") -> Trace:
    """Return a recording without numbers of all that a run of `program` may do.

    Args:
        program: is left alone.
        title: what to call the recording.
    """
    trace = Trace(title)
    builder = Builder(trace, Memory(trace, 0))
    given = Given({one: one.meta for one in program.list_vars()})
    source = ProgramSource(program, program.global_block().ops, builder, given, "sketch")
    for step in _steps(program.global_block()):
        source.step(step)
    source.finish()
    return trace


def _steps(block: Block) -> Iterator[StepEvent]:
    """Yield what a run would do, each Block once."""
    for op in block.ops:
        for inner in op.blocks()[:1]:  # the second of a pylayer is run by its gradient
            yield Entered(op, inner, None, op.hands_in(True))
            yield from _steps(inner)
            yield Left(op, inner, None, op.hands_out())
        yield ProgramStep(op, [_meta(one) for one in op.reads()], [_meta(one) for one in op.writes()])


def _meta(variable: Variable | None) -> Any:
    return None if variable is None else variable.meta
