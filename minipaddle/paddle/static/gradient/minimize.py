"""Operators that an optimizer appends to a Program: gradients, then clipping, decay and updates, sorted by name.

:mod:`minipaddle.paddle.optimizer` has the rules, evaluated on Variables here; this file adds the differences in a
Program: the Variables of the learning rate and the state, and the roles of the Operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import within
from minipaddle.engine.names.unique import unique_name
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.math.scale import scale
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.optimizer import append_gradients, append_step, append_training
from minipaddle.paddle.static.build import BUILDING, overloaded, unnamed
from minipaddle.paddle.static.build.parameters import new_state
from minipaddle.paddle.static.gradient.backward import gradients_of_loss
from minipaddle.paddle.static.program import Block, Operator, Program, Role, TableOperator, Variable
from minipaddle.paddle.static.program.program import DEFAULTS, program_guard

Pair = tuple[Variable, Variable]


@append_training.filled
def minimize(
    optimizer: Any, loss: Any, startup: Program | None, parameters: Any, no_grad_set: Any
) -> tuple[list[Operator], list[Pair]]:
    """Append gradients and updates; see :meth:`minipaddle.paddle.optimizer.Optimizer.minimize`."""
    assert isinstance(loss, Variable), f"The loss should be a Variable, but received {type(loss).__name__}."
    program, startup = loss.block.program, startup or DEFAULTS[1]
    marked = [] if loss.op is None else [loss.op]
    with program_guard(program, startup), program.undone_on_error(*marked), startup.undone_on_error():
        pairs = backward(optimizer, loss, parameters, no_grad_set)
        return append_updates(optimizer, pairs), pairs


@append_gradients.filled
def backward(
    optimizer: Any, loss: Any, parameters: Any, no_grad_set: Any, callbacks: Any = None
) -> list[Pair]:
    """Append the gradients of `loss` with respect to the optimizer's parameters."""
    assert isinstance(loss, Variable), f"The loss should be a Variable, but received {type(loss).__name__}."
    if parameters is None and not any(group.everything for group in optimizer.groups):
        parameters = [parameter for group in optimizer.groups for parameter in group.params]
    return gradients_of_loss(loss, parameters, no_grad_set, callbacks)


@append_step.filled
def append_updates(optimizer: Any, pairs: Sequence[Pair]) -> list[Operator]:
    """Append clipping, decay and updates; return the update Operators."""
    if not pairs:
        return []
    program = pairs[0][0].block.program
    block = program.current_block()
    start = len(block.ops)
    states: dict[Program, ProgramState] = optimizer.__dict__.setdefault("_programs", {})
    state = states.get(program) or ProgramState(program)
    with program_guard(program), program.as_role(Role.OPTIMIZE), within(BUILDING):
        for group in optimizer.groups:
            optimizer.update(group, sorted(group.of(pairs), key=lambda pair: pair[0].name), state)
    updates = [op for op in block.ops[start:] if op.type == optimizer.operator.type]
    _note_pairs(block.ops[start:], pairs, updates, state.masters)
    states[program] = state  # not before all went well
    return updates


def _note_pairs(
    ops: Sequence[Operator],
    pairs: Sequence[Pair],
    updates: Sequence[Operator],
    masters: dict[Variable, Variable],
) -> None:
    """Store with each Operator the parameter and gradient it works on; one that works on several, the last so far."""
    final: dict[str, str] = {}
    for op in updates:
        if "Grad" in op.inputs:
            (one,), (grad,) = op.inputs["Param"], op.inputs["Grad"]
            if one in masters:  # its gradient is a cast of the parameter's
                one, (grad,) = masters[one], grad.op.inputs["X"]
            final[one.name] = grad.name
    owner = {master.name: one.name for master, one in masters.items()}
    for parameter, grad in pairs:
        if parameter.name in final:
            owner |= dict.fromkeys((parameter.name, grad.name, final[parameter.name]), parameter.name)
    current: str | None = None
    for op in (op for op in ops if not op.role & Role.RATE):
        current = next((owner[name] for name in op.input_arg_names if name in owner), current)
        if current is not None:
            op.role_var = [current, final[current]]


class ProgramState:
    """The learning rate and the accumulators of one optimizer in one Program: persistable Variables."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._rate: Variable | None = None
        self._found: dict[tuple[str, str], Variable] = {}
        self.masters: dict[Variable, Variable] = {}
        """The 16-bit parameters, by their float32 master weights."""

    def rate(self, optimizer: Any, parameter: Variable, share: float) -> Variable:
        """Return the learning rate of one parameter."""
        dtype = "float64" if parameter.meta.dtype == np.float64 else "float32"
        rate = self.start_rate(optimizer, (), dtype) if self._rate is None else self._rate
        if share == 1.0:
            return rate
        with overloaded(), self.program.as_role(Role.OPTIMIZE | Role.RATE):
            scaled: Variable = scale(rate, share)
            return scaled

    def start_rate(self, optimizer: Any, shape: tuple[int, ...], dtype: str) -> Variable:
        """Return the new Variable of the learning rate."""
        name = unique_name("learning_rate")
        self._rate = made = self._made(name, shape, dtype, optimizer.get_lr())
        made.stop_gradient = True
        if callable(optimizer.learning_rate):
            self.program.schedules[name] = optimizer.learning_rate
        return made

    def master(self, parameter: Variable) -> Variable:
        """Return the float32 master weight of a parameter, which takes its steps; the startup program copies it."""
        key = "fp32_master", parameter.name
        if key not in self._found:
            name = unique_name(f"{parameter.name}_fp32_master")
            made = self._made(name, parameter.shape, "float32", 0.0)
            made.stop_gradient = True
            vars(made)["optimize_attr"] = getattr(parameter, "optimize_attr", {})
            startup = DEFAULTS[1].global_block()
            _cast(startup, startup.vars.get(parameter.name, parameter), startup.vars[name])
            self._found[key], self.masters[made] = made, parameter
        return self._found[key]

    def round(self, master: Variable, parameter: Variable) -> None:
        """Append the rounding of the master weight into the parameter."""
        _cast(self.program.current_block(), master, parameter)

    def decayed(self, pairs: Sequence[Pair], decay: Callable[[Any, Any], Any]) -> list[Pair]:
        """Return the pairs with ``decay(parameter, gradient)``: all decay comes before the first update."""
        with unnamed(self.program.generated_name):
            return [(parameter, decay(parameter, grad)) for parameter, grad in pairs]

    def accumulator(self, one: Accumulator, parameter: Variable, start: float) -> Variable:
        """Return an accumulator; the startup program writes `start` into it."""
        key = one.name, parameter.name
        if key not in self._found:
            name = unique_name(f"{parameter.name}_{one.name}")
            dtype = one.dtype or parameter.meta.dtype
            self._found[key] = self._made(name, one.shape_for(parameter.shape), dtype, start)
        return self._found[key]

    def _made(self, name: str, shape: Any, dtype: Any, value: float) -> Variable:
        return new_state(name, shape, dtype, value, self.program, DEFAULTS[1])


def _cast(block: Block, source: Variable, target: Variable) -> None:
    block.add_op(
        TableOperator(block, cast, [source], [target], {**cast.defaults, "dtype": target.meta.dtype})
    )
