"""conditional_block: a Block that runs only if a number is true; select_input: selects one of two results.

``cond`` consists of two conditional_blocks and a select_input for each result. Values that a Block saves for its
gradient are in the `Scope` output, as in Paddle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from minipaddle.engine.errors import invalid, locate
from minipaddle.engine.names.unique import unique_name
from minipaddle.engine.value.meta import Array, Meta, Shape
from minipaddle.ops.creation.assign import assign_op
from minipaddle.ops.definition.program_printing import printed
from minipaddle.ops.definition.var_type import VarType
from minipaddle.paddle.static.gradient.grad_maker import GradMaker
from minipaddle.paddle.static.gradient.tape import Tape
from minipaddle.paddle.static.program import Block, Operator, TableOperator, Variable
from minipaddle.paddle.static.program.block_operator import BlockGradient, BlockOperator, Known, Row
from minipaddle.paddle.static.program.operator import escaping, listed
from minipaddle.paddle.static.pytree import rebuilt

Function = Callable[..., Any]


def is_true(op: Operator, slot: str, known: Known) -> bool:
    """Return the condition in an input slot of `op` as a bool."""
    (condition,) = op.inputs[slot]
    value = known[condition]
    if value.size != 1:
        raise locate(
            invalid(
                f"The condition {condition.name!r} must have one element, but its shape is {list(value.shape)}.",
                "reduce it with paddle.all or paddle.any",
            ),
            op.type,
            op.where,
        )
    return bool(value.reshape(()))


class ConditionalBlock(BlockOperator):
    """Runs a Block if the condition is true; if not, its results have no value and nothing outside changes.

    Attributes:
        body: the Block.
        results: Variables that only this Operator has.
        grad_bodies: the Blocks of its gradients.
        changed: outer Variables that the Block writes.
    """

    control = "branch"
    parts = ("body", "results", "changed", "grad_bodies")
    full_slots = ("Cond",)
    settings: ClassVar = {"is_scalar_condition": True}

    def __init__(
        self, block: Block, condition: Variable, body: Block, results: Sequence[Variable], scope: Variable
    ) -> None:
        self.body, self.results = body, list(results)
        self.grad_bodies: list[Block] = []
        others = [one for one in escaping(body) if not any(one is result for result in results)]
        outs = {"Out": [*results, *others], "Scope": [scope]}
        inputs = {"Cond": [condition], "Input": [one for one in listed(body) if one is not condition]}
        super().__init__(block, "conditional_block", inputs, outs, {})
        self.changed = others

    def without_block(self) -> dict[Variable, Variable]:
        """Return the outer Variables that the Block would change."""
        return {one: one for one in self.changed}

    def turns(self, known: Known) -> Iterator[Known]:
        """Yield once, if the condition is true."""
        if is_true(self, "Cond", known):
            yield {}

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        reads = self.reads()
        inner = maker.inside(self.body)
        known = {*self.inputs["Input"], *self.changed}
        asked = [one for one, yes in zip(reads, wanted, strict=True) if yes and one in known]
        starts = dict(zip(self.outputs["Out"], grads))
        tape = Tape(self.body.ops, maker.stops, changed=self.changed)
        found = inner.gradients(tape, starts.items(), asked)
        self.grad_bodies.append(inner.block)
        behind = {one: starts[one] for one in self.changed}
        results = {one: maker.new_like(one) for one in asked}
        rows = [Row(one, found.get(one), results[one], behind.get(one)) for one in asked]
        arrived = [grad for grad in grads if grad is not None]
        maker.append(ConditionalBlockGrad(self, maker.block, arrived, inner.block, rows))
        return [results.get(one) for one in reads]


class ConditionalBlockGrad(BlockGradient):
    """The gradient of a conditional_block: runs its own Block if the other ran; else the gradients bypass it.

    The other Block's Variables are then unchanged, and so are their gradients.
    """

    control = "branch"
    full_slots = ("Cond", "Scope")
    settings = ConditionalBlock.settings

    def __init__(
        self, origin: ConditionalBlock, block: Block, grads: Sequence[Any], body: Block, rows: Sequence[Row]
    ) -> None:
        known = {row.given: row.result for row in rows}
        inputs = {**origin.inputs, "Out": origin.outputs["Out"], "Out@GRAD": list(grads)}
        inputs["Scope"] = origin.outputs["Scope"]
        listed = dict.fromkeys([*origin.inputs["Input"], *known])
        outs = {"Input@GRAD": [known.get(one) for one in listed]}
        super().__init__(origin, block, inputs, outs, body, rows)


class SelectInput(Operator):
    """Selects one of two results: ``X[Mask]``."""

    control = "choice"
    full_slots = ("X", "Mask")

    def __init__(self, block: Block, mask: Variable, options: Sequence[Variable], out: Variable) -> None:
        super().__init__(block, "select_input", {"Mask": [mask], "X": list(options)}, {"Out": [out]}, {})

    def hands_on(self, values: Sequence[Any]) -> list[Variable | None]:
        """Return the selected result."""
        return [self.inputs["X"][int(values[0].reshape(()))]]

    def compute(self, mask: Array, first: Any, second: Any) -> Any:
        """Return the selected value."""
        return second if mask.reshape(()) else first

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        options = self.inputs["X"]
        results = [maker.new_like(one) if yes else None for one, yes in zip(options, wanted[1:], strict=True)]
        op = SelectOutput(maker.block, self.inputs["Mask"][0], grads[0], results)
        op.origin, op.where = self, self.where
        maker.append(op)
        return [None, *results]


class SelectOutput(Operator):
    """The gradient of select_input: the selected value gets the gradient; the other one gets no value."""

    control = "choice"
    full_slots = ("X", "Mask")

    def __init__(self, block: Block, mask: Variable, grad: Variable, outs: Sequence[Any]) -> None:
        super().__init__(block, "select_output", {"Mask": [mask], "X": [grad]}, {"Out": list(outs)}, {})

    def hands_on(self, values: Sequence[Any]) -> list[Variable | None]:
        """Return the gradient of the selected value."""
        taken = int(values[0].reshape(()))
        (grad,) = self.inputs["X"]
        return [
            grad if turn == taken else None for turn, out in enumerate(self.outputs["Out"]) if out is not None
        ]

    def kernel(self) -> Callable[..., Any]:
        """Return the function that computes it."""
        turns = [turn for turn, out in enumerate(self.outputs["Out"]) if out is not None]
        if len(turns) == 1:
            return lambda mask, grad: grad if mask.reshape(()) == turns[0] else np.zeros_like(grad)
        return lambda mask, grad: [grad if mask.reshape(()) == turn else None for turn in turns]


# -- outputs of a Block: copies to Variables around it, and values kept for its gradient -------------------------------


def assigned(block: Block, source: Variable, target: Variable) -> None:
    """Append ``target = assign(source)``; it is counted as an assign, though its output is not named after one."""
    unique_name(printed(assign_op).kind)
    block.add_op(TableOperator(block, assign_op, [source], [target], {}))


def assigned_out(variable: Variable, body: Block, around: Block) -> Variable:
    """Append to `body` the copy of a Variable to a new Variable of the Block `around`, and return the new one."""
    out = around.create_like(variable, variable.stop_gradient)
    assigned(body, variable, out)
    return out


def results_around(results: Any, body: Block, around: Block) -> tuple[Any, list[Variable]]:
    """Return a pytree of results of `body` with its Variables copied to the Block `around`, and the copies."""
    outs: list[Variable] = []

    def outside(leaf: Any) -> Any:
        if not isinstance(leaf, Variable):
            return leaf
        outs.append(assigned_out(leaf, body, around))
        return outs[-1]

    return rebuilt(results, outside), outs


def step_scopes(block: Block) -> Variable:
    """Return a new Variable for the values that a Block of `block` saves for its gradient."""
    nothing = Meta((), np.dtype("float32"))
    made: Variable = block.add(
        Variable(block, block.program.generated_name(), nothing, type=VarType.STEP_SCOPES)
    )
    return made


def common_shape(one: Shape, other: Shape) -> Shape:
    """Return a shape for both, of the same rank: sizes that differ are unknown."""
    return tuple([a if a == b else -1 for a, b in zip(one, other, strict=True)])
