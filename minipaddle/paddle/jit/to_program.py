"""Tracing: call a function that was written eagerly once, with Variables, and have a Program.

What the function uses without being given it, parameters above all, is captured: a persistable Variable stands for it
in the Program, and its value is read from the Tensor in every run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.errors import Line
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.names.unique import guard
from minipaddle.engine.operator.operator import Operator as Definition
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Attrs, meta_of
from minipaddle.ops.creation.assign import assign_op, assign_out
from minipaddle.paddle.nn.parameter.create import ParameterSpec
from minipaddle.paddle.nn.parameter.parameter import Trainable
from minipaddle.paddle.static.build import Building
from minipaddle.paddle.static.program import (
    Block,
    InputSpec,
    Parameter,
    Program,
    TableOperator,
    Variable,
    program_guard,
)
from minipaddle.paddle.static.pytree import rebuilt

__all__ = ["Captured", "Tracing", "trace"]


class Captured:
    """The Tensors that a traced function uses, each with the Variable that stands for it."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.pairs: dict[int, tuple[Tensor, Variable]] = {}
        self.written: dict[Variable, Variable] = {}
        """For each Variable that was written into in place: the one with its content now."""

    def variable_for(self, tensor: Tensor) -> Variable:
        """Return the Variable for `tensor`, made when it is met first."""
        if id(tensor) not in self.pairs:
            self.pairs[id(tensor)] = tensor, self._made(tensor)
        variable = self.pairs[id(tensor)][1]
        if (
            self.block.vars.get(variable.name) is not variable
        ):  # new, or taken back with the Block that met it first
            self.block.add(variable)
        return variable

    def seen(self, value: Any) -> Any:
        """Return a Tensor as the Variable for it, and a Variable that was written into as the one with its content."""
        if isinstance(value, Tensor):
            value = self.variable_for(value)
        return self.written.get(value, value) if isinstance(value, Variable) else value

    def write_back(self) -> None:
        """Append the writing of what captured Tensors hold in the end."""
        mine = {variable for _, variable in self.pairs.values()}
        for variable, content in self.written.items():
            if variable in mine:
                self.block.add_op(TableOperator(self.block, assign_op, [content], [variable], {}))

    def _made(self, tensor: Tensor) -> Variable:
        name, meta = tensor.name, meta_of(tensor.array)
        if isinstance(tensor, Trainable):
            return Parameter(self.block, name, meta, trainable=tensor.trainable)
        return Variable(self.block, name, meta, persistable=True, stop_gradient=tensor.stop_gradient)


class Tracing(Building):
    """Building that captures Tensors."""

    __slots__ = ("captured",)

    as_eager = True
    writes = True

    def __init__(self, captured: Captured, grad: bool = True) -> None:
        super().__init__(grad)
        self.captured = captured

    def with_grad(self, flag: bool) -> Tracing:
        """Return the mode in which outputs stop gradients, or do not."""
        return self if flag == self.grad else Tracing(self.captured, flag)

    def input(self, op: Definition, position: int, value: Any, where: Line | None) -> Any:
        """Return an input as a Variable; a Tensor as the one that stands for it."""
        return super().input(op, position, self.captured.seen(value), where)

    def apply_inplace(self, op: Definition, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Append a call whose result is the content of its first input from here on; return the first input."""
        if op.updates:
            return super().apply_inplace(op, inputs, attrs)
        target = inputs[0]
        if isinstance(target, Tensor):
            target = self.captured.variable_for(target)
        result = self.captured.seen(inputs[1]) if op is assign_out else self.apply(op, inputs, attrs)
        self.captured.written[target] = result
        return inputs[0]

    def new_parameter(self, spec: ParameterSpec) -> Any:
        """Make a parameter as in dynamic mode: it is captured where it is used."""
        with within(EAGER):
            return spec.drawn()


def trace(function: Callable[..., Any], specs: Any) -> tuple[Program, Captured, list[Variable], Any]:
    """Call `function` once, with placeholders for the InputSpecs among its arguments: a tuple and a dict.

    Returns:
        The Program, what it captured, the placeholders, and what the function returned.
    """
    program = Program()
    block = program.global_block()
    captured, inputs = Captured(block), list[Variable]()

    def placed(leaf: Any) -> Any:
        if not isinstance(leaf, InputSpec):
            return leaf
        name = leaf.name or f"input_{len(inputs)}"
        if name in block.vars:
            name = f"{name}_{len(inputs)}"
        variable = Variable(block, name, leaf.meta, stop_gradient=leaf.stop_gradient, is_data=True)
        inputs.append(block.add(variable))
        return variable

    with guard(), program_guard(program, Program()), within(Tracing(captured)):
        args, kwargs = rebuilt(specs, placed)
        result = rebuilt(function(*args, **kwargs), captured.seen)
        captured.write_back()
    return program, captured, inputs, result
