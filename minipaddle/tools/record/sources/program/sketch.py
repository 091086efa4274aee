"""A recording of a Program that nobody has run: its Operators as events, shapes in the place of numbers.

Every Block is gone through once, both branches of a cond among them. On request the rules of gradient Operators are
evaluated on Variables, as a second derivative would do it, and shown as what they consist of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minipaddle.engine.mode.eager import within
from minipaddle.engine.names.unique import guard
from minipaddle.paddle.static.build.mode import BUILDING
from minipaddle.paddle.static.executor.interpreter import Entered, Left, ProgramStep, StepEvent
from minipaddle.paddle.static.gradient.grad_operator import GradOperator
from minipaddle.paddle.static.gradient.rules_over_variables import read_over_variables
from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.operator import Operator, Role
from minipaddle.paddle.static.program.program import Program, program_guard
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.tools.record.builder import Builder
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.memory import Memory
from minipaddle.tools.record.sources.program.blocks import OpenedRule
from minipaddle.tools.record.sources.program.events import ProgramSource
from minipaddle.tools.record.sources.program.values import Given


def sketch(program: Program, title: str = "program", unfold: bool = False) -> Trace:
    """Return a recording without numbers of all that a run of `program` may do.

    Args:
        program: is left alone.
        title: what to call the recording.
        unfold: open gradient Operators into the small operators that their rules are made of.
    """
    trace = Trace(title)
    if unfold:
        program = program.clone()
        _open_rules(program)
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


def _open_rules(program: Program) -> None:
    """Put an opened rule in the place of every gradient Operator."""
    with within(BUILDING), program_guard(program, Program()), guard(), program.as_role(Role.BACKWARD):
        for block in list(program.blocks):
            block.ops = [_opened(op) if isinstance(op, GradOperator) else op for op in block.ops]


def _opened(op: GradOperator) -> Operator:
    """Return the same Operator with a Block in which its rule is written out."""
    program = op.block.program
    body = program.new_block(op.block)
    with program.in_block(body):
        answers = read_over_variables(op, op.grads, [result is not None for result in op.results])
    for one in body.ops:
        one.where = op.where
    return OpenedRule(op, body, [one for one in answers if one is not None])
