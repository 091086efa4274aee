"""ProgramFunction: a Program as a differentiable function of Tensors.

A custom operator: calling it runs the Program's plan and leaves one Node on the tape. Backward runs the gradient
Operators that :func:`minipaddle.paddle.static.gradients` appended, on values that the forward run kept; with
``create_graph=True`` the gradient is a ProgramFunction of its own, so any order works.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import EAGER, current, run_inside
from minipaddle.engine.mode.mode import Arrays, Mode
from minipaddle.engine.operator.custom import Made, OnTape
from minipaddle.engine.tape.node import MakeTensor, Node
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array, Meta
from minipaddle.engine.watch.watched_mode import around
from minipaddle.ops.optimizer_steps.sgd import overwrite
from minipaddle.paddle.static.build import BUILDING
from minipaddle.paddle.static.executor.plan import function_of
from minipaddle.paddle.static.gradient.backward import gradients
from minipaddle.paddle.static.program import Program, Variable

READING = Arrays(EAGER)


class ProgramFunction(OnTape):
    """A Program from `inputs` to `outputs`.

    Args:
        program: a Program; it must not change afterwards.
        inputs: Variables that take their values from the arguments.
        outputs: Variables whose values are returned.
        updated: outputs, counted from the end, that are to be written back into the Tensors at these positions of the
            arguments (running averages).
        name: what to call it.
        told_as: what to call its Program where there are several: with the class of a method.
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
        told_as: str = "",
    ) -> None:
        self.program = program
        self.inputs, self.outputs, self.updated = list(inputs), list(outputs), list(updated)
        self.name, self.told_as = name, told_as or name
        self.label = f"to_static: {self.told_as}"  # `minipaddle program` shows its inside
        self.code = self
        self.flows = not all(one.stop_gradient for one in self.outputs)
        self.may_raise = any(op.runs_user_code for block in program.blocks for op in block.ops)
        for told in around():
            told.made_program(program, self.told_as)

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Run it on Tensors, which are recorded as one call."""
        found: list[Tensor] = current.get().apply_custom(self, tensors)
        return found

    @cached_property
    def forward_only(self) -> Callable[..., list[Any]]:
        """The plan without anything kept."""
        return function_of(self.program.global_block(), self.inputs, self.outputs)

    @cached_property
    def gradient(self) -> Gradient:
        """The gradient program."""
        gradient = Gradient(self)
        for told in around():
            told.made_program(gradient.program, f"{self.told_as}.train")
        return gradient

    def forward(self, mode: Mode, inputs: Sequence[Tensor], recorded: bool) -> Made:
        """Run the Program; write running averages back."""
        arrays = [tensor.array for tensor in inputs]
        run = self.gradient.forward if recorded else self.forward_only
        for told in around():
            told.runs_program(self.gradient.program if recorded else self.program)
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
        """Put zeros where an output has no gradient, and leave out those that never have one."""
        places = self.gradient.flowing
        return [zeros(metas[place]) if grads[place] is None else grads[place] for place in places]

    def arrays(self, saved: tuple[Any, ...]) -> Iterator[Array]:
        """Yield the inputs, which must not have been overwritten."""
        yield from saved[0]

    def connect(self, node: Node, saved: tuple[Any, ...], tensor: MakeTensor) -> tuple[Any, ...]:
        """Return the inputs as Tensors that stand where they stood in the graph, and what else was kept as others."""
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
    """How a ProgramFunction is differentiated: a copy of its Program with gradient Operators behind the others."""

    def __init__(self, function: ProgramFunction) -> None:
        program = function.program.clone()
        block = program.global_block()
        self.inputs = [block.vars[one.name] for one in function.inputs]
        self.outputs = [block.vars[one.name] for one in function.outputs]
        self.flowing = [place for place, one in enumerate(self.outputs) if not one.stop_gradient]
        """Positions of the outputs that gradients come in for."""
        self.wanted = [place for place, one in enumerate(self.inputs) if not one.stop_gradient]
        """Positions of the inputs that may require gradient."""
        count = len(block.ops)
        outputs = [self.outputs[place] for place in self.flowing]
        inputs = [self.inputs[place] for place in self.wanted]
        named = [(f"{one.name}@SEED@{place}", one.meta) for place, one in zip(self.flowing, outputs)]
        self.incoming = [block.add(Variable(block, name, meta, is_data=True)) for name, meta in named]
        found = run_inside(BUILDING, gradients, outputs, inputs, self.incoming)
        self.results = {place: one for place, one in zip(self.wanted, found, strict=True) if one is not None}
        self.program = program
        answers = list(self.results.values())
        known = {*self.inputs, *self.incoming}
        made = {one for op in block.ops[:count] for one in op.writes()}
        needed = dict.fromkeys(one for op in block.ops[count:] for one in op.reads() if one is not None)
        self.kept = [one for one in needed if one in made or (one in known and one not in set(self.incoming))]
        self.forward = function_of(block, self.inputs, [*self.outputs, *self.kept], block.ops[:count])
        self.backward = function_of(block, [*self.kept, *self.incoming], answers, block.ops[count:])

    @cached_property
    def function(self) -> ProgramFunction:
        """The gradient as a function of inputs and incoming gradients, to be differentiated in its turn."""
        inputs = [*self.inputs, *self.incoming]
        for one in self.incoming:
            one.stop_gradient = False
        return ProgramFunction(self.program, inputs, list(self.results.values()), name="run_program_grad")


def _borrowed(value: Any, arrays: Sequence[Array]) -> bool:
    """Whether a result is, or may be a view of, something that somebody else has."""
    return isinstance(value, np.ndarray) and (value.base is not None or any(value is one for one in arrays))
