"""while: a Block that runs as long as a number is true; its gradient runs another Block as often, backwards.

The Block writes the loop variables, which belong to the Block around it. For the gradient, every iteration saves
values in `StepScopes`: its Operators' results, and the loop variables at its start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, ClassVar

from minipaddle.paddle.static.control_flow.conditional_block import is_true
from minipaddle.paddle.static.gradient.grad_maker import GradMaker
from minipaddle.paddle.static.gradient.tape import Tape
from minipaddle.paddle.static.program import Block, Variable
from minipaddle.paddle.static.program.block_operator import BlockGradient, BlockOperator, Handed, Known, Row
from minipaddle.paddle.static.program.operator import escaping, listed


class While(BlockOperator):
    """Runs a Block while the condition, which it writes itself, is true.

    Attributes:
        body: the Block.
        grad_bodies: the Blocks of its gradients.
    """

    control = "loop"
    parts = ("body", "grad_bodies")
    full_slots = ("Condition",)
    settings: ClassVar = {"is_test": False}

    def __init__(self, block: Block, condition: Variable, body: Block, scope: Variable) -> None:
        self.body = body
        self.grad_bodies: list[Block] = []
        inputs = {"Condition": [condition], "X": [one for one in listed(body) if one is not condition]}
        super().__init__(block, "while", inputs, {"Out": escaping(body), "StepScopes": [scope]}, {})

    def iterations(self, values: Sequence[Any]) -> Iterator[int]:
        """Return the indices of the iterations."""
        return count()

    def without_block(self) -> dict[Variable, Variable]:
        """Return the loop variables."""
        return {one: one for one in self.outputs["Out"]}

    def turns(self, known: Known) -> Iterator[Known]:
        """Yield while the condition is true."""
        while is_true(self, "Condition", known):
            yield {}

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        reads, written = self.reads(), self.outputs["Out"]
        incoming = dict(zip(written, grads))
        known = {*self.inputs["X"], *written}
        asked = {one for one, yes in zip(reads, wanted, strict=True) if yes and one in known}
        inner = maker.inside(self.body)
        carried = [
            one
            for one in written
            if one.meta.dtype.kind in "fc" and (one in asked or incoming[one] is not None)
        ]
        arriving = [one.gradient_in(maker.block, one.grad_name) for one in carried]
        changing = set(carried)
        tape = Tape(self.body.ops, lambda one: maker.stops(one) and one not in changing, carried=written)
        found = inner.gradients(tape, zip(carried, arriving), (*asked, *carried))
        self.grad_bodies.append(inner.block)
        results = {one: maker.new_like(one) for one in reads if one in asked}
        handed = [Handed(at, incoming[one], found.get(one), one) for at, one in zip(arriving, carried)]
        every = dict.fromkeys([*results, *carried])
        rows = [Row(one, found.get(one), results.get(one), incoming.get(one)) for one in every]
        maker.append(WhileGrad(self, maker.block, inner.block, rows, handed))
        return [results.get(one) for one in reads]


class WhileGrad(BlockGradient):
    """The gradient of a while: its Block turns the gradients after an iteration into the gradients before it."""

    control = "loop"
    full_slots = ("StepScopes",)
    scope_slot = "StepScopes"

    def __init__(
        self, origin: While, block: Block, body: Block, rows: Sequence[Row], handed: Sequence[Handed]
    ) -> None:
        inputs = {
            "X": origin.inputs["X"],
            "Out": origin.outputs["Out"],
            "Out@GRAD": [one.first for one in handed if one.first is not None],
            "StepScopes": origin.outputs["StepScopes"],
        }
        results = {row.given: row.result for row in rows}
        outs = {"X@GRAD": [results.get(one) for one in origin.inputs["X"]]}
        super().__init__(origin, block, inputs, outs, body, rows, handed)

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        names = [grad.name for grad in self.inputs["Out@GRAD"]]
        return {"is_test": False, "original_output_grad": names, "sub_block": self.body}

    def iterations(self, values: Sequence[Any]) -> Iterator[int]:
        """Return the indices of the iterations that the loop has run, from the last."""
        return iter(reversed(range(len(values[0]))))

    def loop_variables(self) -> Sequence[Variable]:
        """Return the loop variables, whose values each iteration saved."""
        return self.inputs["Out"]
