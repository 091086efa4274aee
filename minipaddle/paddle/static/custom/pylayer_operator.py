"""The ``pylayer`` operator: a forward and a backward Block, and its gradient, which runs the second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.custom.answers import check_shape
from minipaddle.paddle.static.custom.custom_call import CustomCall
from minipaddle.paddle.static.program import Block, Operator, Variable
from minipaddle.paddle.static.program.block_operator import BlockGradient, BlockOperator, Handed, Known, Row
from minipaddle.paddle.static.program.copy import inlined
from minipaddle.paddle.static.program.uses import escaping


class PyLayerOperator(CustomCall, BlockOperator):
    """A call of static_pylayer, or of a PyLayer.

    Attributes:
        body: the Block that computes the outputs.
        backward: the Block that computes the gradients, or None.
        incoming: the Variables of `backward` that stand for the gradients of the outputs.
        answers: for each input the Variable of `backward` that holds its gradient; None stands for zeros.
    """

    parts = ("body", "backward", "incoming", "answers")
    backward: Block | None = None
    incoming: Sequence[Variable] = ()
    answers: Sequence[Variable | None] = ()

    def __init__(
        self,
        block: Block,
        inputs: Sequence[Variable],
        outs: Sequence[Variable],
        scope: Variable,
        forward: Block,
    ) -> None:
        super().__init__(block, "pylayer", {"Input": list(inputs)}, {"Out": list(outs), "Scope": [scope]}, {})
        self.body = forward

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"blocks": self.blocks()}

    def blocks(self) -> list[Block]:
        """Return the Blocks that it runs."""
        return [self.body] if self.backward is None else [self.body, self.backward]

    def writes(self) -> list[Variable]:
        """Return what it writes: outer Variables that the forward Block writes beside the outputs, too."""
        listed = [*self.outputs["Out"], *self.outputs["Scope"]]
        return list(dict.fromkeys([*listed, *escaping(self.body)]))

    @property
    def flows(self) -> bool:
        """Whether gradients pass it."""
        return self.backward is not None

    def gradient_call(self, block: Block, grads: Sequence[Any], results: Sequence[Any]) -> Operator:
        """Return what runs the backward Block."""
        return PyLayerGradOperator(self, block, grads, results)

    def of_reads(self, maker: Any, results: Sequence[Any]) -> Sequence[Any]:
        """Return the gradients of the inputs; what else the Block reads has none."""
        found: list[Any] = maker.summed(self.inputs["Input"], results, self.reads())
        return found


class PyLayerGradOperator(BlockGradient):
    """The gradient of a ``pylayer``: it runs the backward Block."""

    full_slots = ("Input", "Out@GRAD")
    scope_slot = ""

    def __init__(
        self, origin: PyLayerOperator, block: Block, grads: Sequence[Variable], results: Sequence[Any]
    ) -> None:
        inputs = {**origin.inputs, "Out@GRAD": list(grads), "Scope": origin.outputs["Scope"]}
        assert origin.backward is not None
        triples = zip(origin.inputs["Input"], origin.answers, results, strict=True)
        rows = [Row(*three, None) for three in triples]
        handed = [Handed(one, grad, None, None) for one, grad in zip(origin.incoming, grads, strict=True)]
        super().__init__(origin, block, inputs, {"Input@GRAD": list(results)}, origin.backward, rows, handed)

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"backward_block": self.body}

    def checked(self, value: Any, like: Variable | None, known: Known) -> Any:
        """Return a gradient that fits its input.

        Raises:
            ValueError: if it has another shape.
        """
        assert like is not None
        check_shape(like, known[like].shape, value)
        return value

    def gradients(self, maker: Any, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append the backward Block's Operators once more, and walk back through them."""
        start = len(maker.block.ops)
        given: dict[Any, Any] = dict(self.hands_in(True))
        copy_of = inlined(self.body, given, maker.block)
        results = [copy_of(row.answer) for row in self.rows if row.result is not None]
        pairs = [(result, grad) for result, grad in zip(results, grads, strict=True) if result is not None]
        found: Sequence[Any] = maker.back_through(start, pairs, self.reads(), wanted)
        return found
