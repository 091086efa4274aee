"""An eager function as a Program, and a Program as a differentiable function of Tensors.

:func:`trace` calls the function once, with Variables. Tensors that it uses but does not take as arguments (parameters
above all) are captured: a persistable Variable stands for each in the Program, and every run reads the Tensor's value.

:class:`ProgramFunction` is a custom operator: calling it runs the Program's plan and leaves one Node on the tape.
Backward runs the gradient Operators that :func:`minipaddle.paddle.static.gradients` appended, on values that the
forward run kept; with ``create_graph=True`` the gradient is a ProgramFunction itself, so any order works.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.mode.eager import EAGER, Arrays, current, run_inside, within
from minipaddle.engine.mode.mode import Mode
from minipaddle.engine.names.unique import guard
from minipaddle.engine.operator.custom import Made, OnTape
from minipaddle.engine.operator.operator import Operator as Definition
from minipaddle.engine.tape.node import MakeTensor, Node
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array, Attrs, Meta, meta_of
from minipaddle.engine.watch.watched_mode import observers
from minipaddle.ops.creation.assign import assign_op, assign_out
from minipaddle.ops.optimizer_steps.sgd import overwrite
from minipaddle.paddle.nn.parameter.create import ParameterSpec
from minipaddle.paddle.nn.parameter.parameter import Trainable
from minipaddle.paddle.static.build import BUILDING, Building
from minipaddle.paddle.static.executor.plan import function_of
from minipaddle.paddle.static.gradient.backward import gradients
from minipaddle.paddle.static.program import Block, InputSpec, Parameter, Program, TableOperator, Variable
from minipaddle.paddle.static.program.ends import ends_of
from minipaddle.paddle.static.program.program import program_guard
from minipaddle.paddle.static.pytree import flat, rebuilt


class Tracing(Building):
    """The mode that builds a Program and captures Tensors, each with its Variable."""

    __slots__ = ("block", "pairs", "written")

    as_eager = True

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.block = block
        self.pairs: dict[int, tuple[Tensor, Variable]] = {}
        self.written: dict[Variable, Variable] = {}
        """For each Variable that was written in place: the Variable with its present content."""

    def with_grad(self, flag: bool) -> Tracing:
        """Return the mode in which outputs stop gradients, or do not."""
        other = copy(self)
        other.grad = flag
        return other

    def variable_for(self, tensor: Tensor) -> Variable:
        """Return the Variable for `tensor`, made on first use."""
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
        """Return the Variable for a Tensor; for a Variable written in place, the Variable with its content."""
        if isinstance(value, Tensor):
            value = self.variable_for(value)
        return self.written.get(value, value) if isinstance(value, Variable) else value

    def input(self, op: Definition, position: int, value: Any, where: Line | None) -> Any:
        """Return an input as a Variable: a Tensor as its captured one."""
        return super().input(op, position, self.seen(value), where)

    def apply_inplace(self, op: Definition, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Append a call whose result is the content of its first input from now on; return the first input."""
        if op.updates:
            return super().apply_inplace(op, inputs, attrs)
        target = self.variable_for(inputs[0]) if isinstance(inputs[0], Tensor) else inputs[0]
        self.written[target] = self.seen(inputs[1]) if op is assign_out else self.apply(op, inputs, attrs)
        return inputs[0]

    def new_parameter(self, spec: ParameterSpec) -> Any:
        """Return a parameter made as in dynamic mode: it is captured when used."""
        with within(EAGER):
            return spec.drawn()


class ConcreteProgram:
    """The Program for one kind of arguments.

    Attributes:
        inputs: placeholders.
        outputs: Variables that the function returned.
        captured: the captured Tensors, with their Variables.
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
    ) -> None:
        self.main_program = program
        self.inputs, self.captured, self.result = list(inputs), list(captured), result
        self.outputs = [leaf for leaf in flat(result) if isinstance(leaf, Variable)]
        self.parameters = [tensor for tensor, _ in captured]
        everything = [*inputs, *[variable for _, variable in captured]]
        written = {one for op in program.global_block().ops for one in op.writes()}.difference(inputs)
        updated = [place for place, one in enumerate(everything) if one in written]
        outputs = [*self.outputs, *[everything[place] for place in updated]]
        self.function = ProgramFunction(program, everything, outputs, updated, name)

    def __call__(self, tensors: Sequence[Tensor]) -> Any:
        """Run it on Tensors for the placeholders; return the function's result, with Tensors."""
        answers = dict(zip(self.outputs, self.function([*tensors, *self.parameters])))
        return rebuilt(self.result, lambda leaf: answers[leaf] if isinstance(leaf, Variable) else leaf)


def trace(function: Callable[..., Any], specs: Any, name: str) -> ConcreteProgram:
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
    return ConcreteProgram(name, program, list(mode.pairs.values()), inputs, result)


READING = Arrays(EAGER)


class ProgramFunction(OnTape):
    """A Program from `inputs` to `outputs`.

    Args:
        program: a Program; it must not change afterwards.
        inputs: Variables that take their values from the arguments.
        outputs: Variables whose values are returned.
        updated: outputs, counted from the end, to write back into the Tensors at these positions of the
            arguments (running averages).
        name: of the function; of a method with its class.
    """

    type = "run_program"
    title = "RunProgramGradNode"
    name = label = ""
    where = None

    def __init__(
        self,
        program: Program,
        inputs: Sequence[Variable],
        outputs: Sequence[Variable],
        updated: Sequence[int] = (),
        name: str = "run_program",
    ) -> None:
        self.program = program
        self.inputs, self.outputs, self.updated = list(inputs), list(outputs), list(updated)
        self.told_as, self.name = name, name.rpartition(".")[2]
        self.label = f"to_static: {name}"  # `minipaddle program` shows its inside
        self.code = self
        self.flows = not all(one.stop_gradient for one in self.outputs)
        self.may_raise = any(op.runs_user_code for block in program.blocks for op in block.ops)
        for told in observers():
            told.program_made(program, name)

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Run it on Tensors, which are recorded as one call."""
        found: list[Tensor] = current.get().apply_custom(self, tensors)
        return found

    @cached_property
    def forward_only(self) -> Callable[..., list[Any]]:
        """The plan that keeps no values."""
        return function_of(self.program.global_block(), self.inputs, self.outputs)

    @cached_property
    def gradient(self) -> Gradient:
        """The gradient program."""
        gradient = Gradient(self)
        for told in observers():
            told.program_made(gradient.program, f"{self.told_as}.train")
        return gradient

    def forward(self, mode: Mode, inputs: Sequence[Tensor], recorded: bool) -> Made:
        """Run the Program; write running averages back."""
        arrays = [tensor.array for tensor in inputs]
        run = self.gradient.forward if recorded else self.forward_only
        for told in observers():
            told.program_runs(self.gradient.program if recorded else self.program)
        found = run_inside(READING, run, *arrays)
        count = len(self.outputs)
        results = [
            Tensor(np.array(value, subok=True) if _borrowed(value, arrays) else value)
            for value in found[:count]
        ]
        shown = count - len(self.updated)
        for place, value in zip(self.updated, results[shown:], strict=True):
            mode.apply_inplace(overwrite, (inputs[place], value), {})
        saved = tuple([tensor.array for tensor in inputs]), tuple(found[count:])
        return results[:shown], results, self.gradient.flowing if recorded else (), saved

    def gather(
        self, grads: Sequence[Any], metas: Sequence[Meta], zeros: Callable[[Meta], Any]
    ) -> Sequence[Any]:
        """Fill in zeros for outputs without a gradient; drop outputs that never have one."""
        places = self.gradient.flowing
        return [zeros(metas[place]) if grads[place] is None else grads[place] for place in places]

    def arrays(self, saved: tuple[Any, ...]) -> Iterator[Array]:
        """Yield the inputs, which must not have been overwritten."""
        yield from saved[0]

    def connect(self, node: Node, saved: tuple[Any, ...], tensor: MakeTensor) -> tuple[Any, ...]:
        """Return the inputs as Tensors connected to the graph as before, and other kept values as constants."""
        inputs, kept = saved
        pairs = enumerate(zip(inputs, node.edges, strict=True))
        others = [tensor(one, None, "inside", 0) if isinstance(one, np.ndarray) else one for one in kept]
        return tuple([tensor(array, edge, "input", place) for place, (array, edge) in pairs]), tuple(others)

    def run(self, grads: Sequence[Any], saved: tuple[Any, ...]) -> Sequence[Any]:
        """Return the gradient of each input."""
        gradient, (inputs, kept) = self.gradient, saved
        numbers = isinstance(current.get(), Arrays)
        answers = gradient.backward(*kept, *grads) if numbers else gradient.function([*inputs, *grads])
        found = dict(zip(gradient.results, answers, strict=True))
        return [found.get(place) for place in range(len(inputs))]


class Gradient:
    """The gradient of a ProgramFunction: a copy of its Program with gradient Operators appended."""

    def __init__(self, function: ProgramFunction) -> None:
        program = function.program.clone()
        block = program.global_block()
        self.inputs = [block.vars[one.name] for one in function.inputs]
        self.outputs = [block.vars[one.name] for one in function.outputs]
        self.flowing = [place for place, one in enumerate(self.outputs) if not one.stop_gradient]
        """Positions of the outputs that gradients come in for."""
        wanted = [place for place, one in enumerate(self.inputs) if not one.stop_gradient]
        count = len(block.ops)
        outputs = [self.outputs[place] for place in self.flowing]
        inputs = [self.inputs[place] for place in wanted]
        named = [(f"{one.name}@SEED@{place}", one.meta) for place, one in zip(self.flowing, outputs)]
        self.incoming = [block.add(Variable(block, name, meta, is_data=True)) for name, meta in named]
        found = run_inside(BUILDING, gradients, outputs, inputs, self.incoming)
        self.results = {place: one for place, one in zip(wanted, found, strict=True) if one is not None}
        self.program = program
        known = {*self.inputs, *[one for op in block.ops[:count] for one in op.writes()]}
        needed = dict.fromkeys(one for op in block.ops[count:] for one in op.reads() if one is not None)
        self.kept = [one for one in needed if one in known]
        self.forward = function_of(
            block, self.inputs, [*self.outputs, *self.kept], ends_of(block.ops[:count])
        )
        self.backward = function_of(
            block, [*self.kept, *self.incoming], list(self.results.values()), ends_of(block.ops[count:])
        )

    @cached_property
    def function(self) -> ProgramFunction:
        """The gradient as a function of inputs and gradients of outputs, itself differentiable."""
        inputs = [*self.inputs, *self.incoming]
        for one in self.incoming:
            one.stop_gradient = False
        return ProgramFunction(self.program, inputs, list(self.results.values()), name="run_program_grad")


def _borrowed(value: Any, arrays: Sequence[Array]) -> bool:
    """Whether a result is, or may be a view of, an array with other owners."""
    return isinstance(value, np.ndarray) and (value.base is not None or any(value is one for one in arrays))
