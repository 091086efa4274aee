"""ProgramFunction: a Program as a differentiable function of Tensors.

Calling it runs the Program's plan and leaves one Node on the tape. Backward runs the gradient Operators that
:func:`minipaddle.paddle.static.gradients` appended, on values that the forward run kept; with ``create_graph=True`` the
gradient is a ProgramFunction of its own, so any order works.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import EAGER, current, run_inside
from minipaddle.engine.mode.mode import Arrays, Mode
from minipaddle.engine.tape.node import CustomPlan, Edge, MakeTensor, Node
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array, Meta, meta_of
from minipaddle.engine.watch.watched_mode import around
from minipaddle.ops.optimizer_steps.sgd import overwrite
from minipaddle.paddle.static.build import BUILDING
from minipaddle.paddle.static.executor.plan import function_of
from minipaddle.paddle.static.gradient.backward import gradients
from minipaddle.paddle.static.program import Program, Variable

READING = Arrays(EAGER)


class ProgramFunction:
    """A Program from `inputs` to `outputs`.

    Args:
        program: is not changed any more.
        inputs: Variables that take their values from the arguments.
        outputs: Variables whose values are returned.
        updated: outputs, counted from the end, that are to be written back into the Tensors at these positions of the
            arguments (running averages).
        name: what to call it.
        title: what to call its Program where there are several: with the class of a method.
    """

    def __init__(
        self,
        program: Program,
        inputs: Sequence[Variable],
        outputs: Sequence[Variable],
        updated: Sequence[int] = (),
        name: str = "run_program",
        title: str = "",
    ) -> None:
        self.program = program
        self.inputs, self.outputs, self.updated = list(inputs), list(outputs), list(updated)
        self.name = name
        self.title = title or name
        self.flows = not all(one.stop_gradient for one in self.outputs)
        """Whether an output has gradients."""
        for told in around():
            told.made_program(program, self.title)

    @cached_property
    def run(self) -> Callable[..., list[Any]]:
        """The plan without anything kept."""
        return function_of(self.program.global_block(), self.inputs, self.outputs)

    @cached_property
    def gradient(self) -> Gradient:
        """The gradient program."""
        gradient = Gradient(self)
        for told in around():
            told.made_program(gradient.program, f"{self.title}.train")
        return gradient

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Run it on Tensors, which are recorded as one call."""
        found: list[Tensor] = current.get().apply_custom(ProgramCall(self, tensors))
        return found


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
        self.incoming = [
            block.add(
                Variable(
                    block, f"{self.outputs[place].name}@SEED@{place}", self.outputs[place].meta, is_data=True
                )
            )
            for place in self.flowing
        ]
        outputs = [self.outputs[place] for place in self.flowing]
        inputs = [self.inputs[place] for place in self.wanted]
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


class ProgramCall(CustomPlan):
    """One call of a ProgramFunction; lives on as the operator and the plan of its record."""

    type = "run_program"
    title = "RunProgram"

    def __init__(self, function: ProgramFunction, tensors: Sequence[Tensor]) -> None:
        self.function = function
        self.inputs = tensors

    @property
    def name(self) -> str:
        """What to call it."""
        return self.function.name

    @property
    def label(self) -> str:
        """What pictures call it: its inside is a Program, which ``minipaddle program`` shows."""
        return f"to_static: {self.function.title}"

    def carry_out(self, mode: Mode) -> list[Tensor]:
        """Run the Program, and connect its outputs if recording is on and an input requires gradient."""
        arrays = [tensor.array for tensor in self.inputs]
        edges = tuple([tensor.edge for tensor in self.inputs])
        recording = mode.grad and self.function.flows and edges.count(None) != len(edges)
        program = self.function.gradient.program if recording else self.function.program
        for told in around():
            told.runs_program(program)
        found = run_inside(
            READING, self.function.gradient.forward if recording else self.function.run, *arrays
        )
        count = len(self.function.outputs)
        results = [
            Tensor(np.array(value, subok=True) if _borrowed(value, arrays) else value)
            for value in found[:count]
        ]
        self._write_back(results, mode)
        if recording:
            self._connect(results, edges, found[count:])
        self.inputs = ()
        return results[: count - len(self.function.updated)]

    def _write_back(self, results: Sequence[Tensor], mode: Mode) -> None:
        updated = self.function.updated
        for place, value in zip(updated, results[len(results) - len(updated) :], strict=True):
            mode.apply_inplace(overwrite, (self.inputs[place], value), {})

    def _connect(
        self, results: Sequence[Tensor], edges: tuple[Edge | None, ...], kept: Sequence[Any]
    ) -> None:
        record = Node(self, {}, edges, self, (tuple(tensor.array for tensor in self.inputs), tuple(kept)))
        record.metas = [meta_of(result.array) for result in results]
        for index in self.function.gradient.flowing:
            results[index].edge = (record, index)

    def gather(
        self, grads: Sequence[Any], metas: Sequence[Meta], zeros: Callable[[Meta], Any]
    ) -> Sequence[Any]:
        """Put zeros where an output has no gradient, and leave out those that never have one."""
        return [
            zeros(metas[place]) if grads[place] is None else grads[place]
            for place in self.function.gradient.flowing
        ]

    def arrays(self, saved: tuple[Any, ...]) -> Iterator[Array]:
        """Yield the inputs, which must not have been overwritten."""
        yield from saved[0]

    def connect(self, record: Node, saved: tuple[Any, ...], tensor: MakeTensor) -> tuple[Any, ...]:
        """Return the inputs as Tensors that stand where they stood in the graph."""
        inputs, values = saved
        pairs = zip(inputs, record.edges, strict=True)
        return tuple(
            [tensor(array, edge, "input", place) for place, (array, edge) in enumerate(pairs)]
        ), values

    def run(self, grads: Sequence[Any], saved: tuple[Any, ...]) -> Sequence[Any]:
        """Return the gradient of each input: arrays for arrays, Tensors for Tensors."""
        gradient = self.function.gradient
        inputs, values = saved
        if isinstance(current.get(), Arrays):
            answers: Sequence[Any] = gradient.backward(*values, *grads)
        else:
            answers = gradient.function([*inputs, *grads])
        found = dict(zip(gradient.results, answers, strict=True))
        return [found.get(place) for place in range(len(inputs))]


def _borrowed(value: Any, arrays: Sequence[Array]) -> bool:
    """Whether a result is, or may be a view of, something that somebody else has."""
    return isinstance(value, np.ndarray) and (value.base is not None or any(value is one for one in arrays))
