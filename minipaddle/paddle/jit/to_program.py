"""Tracing: call a function that was written eagerly once, with Variables, and have a Program.

What the function uses without being given it, parameters above all, is captured: a persistable Variable stands for it
in the Program, and its value is read from the Tensor in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

from minipaddle.engine.errors import Line
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.names.unique import guard
from minipaddle.engine.operator.operator import Operator as Definition
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Attrs, meta_of
from minipaddle.ops.creation.assign import assign_op, assign_out
from minipaddle.paddle.jit.program_function import ProgramFunction
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
from minipaddle.paddle.static.pytree import flat, rebuilt


class Tracing(Building):
    """Building that captures Tensors, each with the Variable that stands for it."""

    __slots__ = ("block", "pairs", "written")

    as_eager = True
    writes = True

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.block = block
        self.pairs: dict[int, tuple[Tensor, Variable]] = {}
        self.written: dict[Variable, Variable] = {}
        """For each Variable that was written into in place: the one with its content now."""

    def with_grad(self, flag: bool) -> Tracing:
        """Return the mode in which outputs stop gradients, or do not."""
        if flag == self.grad:
            return self
        other = copy(self)
        other.grad = flag
        return other

    def variable_for(self, tensor: Tensor) -> Variable:
        """Return the Variable for `tensor`, made when it is met first."""
        if id(tensor) not in self.pairs:
            block, name, meta = self.block, tensor.name, meta_of(tensor.array)
            made = (
                Parameter(block, name, meta, trainable=tensor.trainable)
                if isinstance(tensor, Trainable)
                else Variable(block, name, meta, persistable=True, stop_gradient=tensor.stop_gradient)
            )
            self.pairs[id(tensor)] = tensor, made
        variable = self.pairs[id(tensor)][1]
        if self.block.vars.get(variable.name) is not variable:  # new, or taken back with its Block
            self.block.add(variable)
        return variable

    def seen(self, value: Any) -> Any:
        """Return a Tensor as the Variable for it, and a Variable that was written into as the one with its content."""
        if isinstance(value, Tensor):
            value = self.variable_for(value)
        return self.written.get(value, value) if isinstance(value, Variable) else value

    def input(self, op: Definition, position: int, value: Any, where: Line | None) -> Any:
        """Return an input as a Variable; a Tensor as the one that stands for it."""
        return super().input(op, position, self.seen(value), where)

    def apply_inplace(self, op: Definition, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Append a call whose result is the content of its first input from here on; return the first input."""
        if op.updates:
            return super().apply_inplace(op, inputs, attrs)
        target = self.variable_for(inputs[0]) if isinstance(inputs[0], Tensor) else inputs[0]
        self.written[target] = self.seen(inputs[1]) if op is assign_out else self.apply(op, inputs, attrs)
        return inputs[0]

    def new_parameter(self, spec: ParameterSpec) -> Any:
        """Make a parameter as in dynamic mode: it is captured where it is used."""
        with within(EAGER):
            return spec.drawn()


class ConcreteProgram:
    """The Program of one kind of arguments.

    Attributes:
        inputs: placeholders.
        outputs: Variables that the function returned.
        captured: the Tensors that it captured, with the Variables that stand for them.
        parameters: these Tensors.
        main_program: the Program.
    """

    def __init__(
        self,
        name: str,
        program: Program,
        captured: Sequence[tuple[Tensor, Variable]],
        inputs: Sequence[Variable],
        result: Any,
        title: str = "",
    ) -> None:
        self.main_program = program
        self.inputs, self.captured, self.result = list(inputs), list(captured), result
        self.outputs = [leaf for leaf in flat(result) if isinstance(leaf, Variable)]
        self.parameters = [tensor for tensor, _ in captured]
        everything = [*inputs, *[variable for _, variable in captured]]
        written = {one for op in program.global_block().ops for one in op.writes()}.difference(inputs)
        updated = [place for place, one in enumerate(everything) if one in written]
        outputs = [*self.outputs, *[everything[place] for place in updated]]
        self.function = ProgramFunction(program, everything, outputs, updated, name, title)

    def __call__(self, tensors: Sequence[Tensor]) -> Any:
        """Run it on Tensors for the placeholders; return what the function returned, with Tensors."""
        answers = dict(zip(self.outputs, self.function([*tensors, *self.parameters])))
        return rebuilt(self.result, lambda leaf: answers[leaf] if isinstance(leaf, Variable) else leaf)


def trace(function: Callable[..., Any], specs: Any, name: str, title: str) -> ConcreteProgram:
    """Call `function` once, with placeholders for the InputSpecs among its arguments: a tuple and a dict."""
    program = Program()
    block = program.global_block()
    mode, inputs = Tracing(block), list[Variable]()

    def placed(leaf: Any) -> Any:
        if not isinstance(leaf, InputSpec):
            return leaf
        called = leaf.name or f"input_{len(inputs)}"
        if called in block.vars:
            called = f"{called}_{len(inputs)}"
        variable = Variable(block, called, leaf.meta, stop_gradient=leaf.stop_gradient, is_data=True)
        inputs.append(block.add(variable))
        return variable

    with guard(), program_guard(program, Program()), within(mode):
        args, kwargs = rebuilt(specs, placed)
        result = rebuilt(function(*args, **kwargs), mode.seen)
        captured = {variable for _, variable in mode.pairs.values()}
        for variable, content in mode.written.items():
            if variable in captured:
                block.add_op(TableOperator(block, assign_op, [content], [variable], {}))
    return ConcreteProgram(name, program, list(mode.pairs.values()), inputs, result, title)
