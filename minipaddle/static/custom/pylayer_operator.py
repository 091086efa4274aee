"""The ``pylayer`` operator: a forward and a backward Block, and its gradient, which runs the second."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.static.program import Block, Variable
from minipaddle.static.program.block_operator import BlockOperator, Runner
from minipaddle.static.program.copy import inlined
from minipaddle.static.program.uses import captured, escaping


class PyLayerOperator(BlockOperator):
    """A call of static_pylayer, or of a PyLayer.

    Attributes:
        forward: the Block that computes the outputs.
        backward: the Block that computes the gradients, or None.
        incoming: the Variables of `backward` that stand for the gradients of the outputs.
        answers: for each input the Variable of `backward` that holds its gradient; None stands for zeros.
    """

    parts = ("forward", "backward", "incoming", "answers")
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
        self.forward = forward

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"blocks": self.blocks()}

    def blocks(self) -> list[Block]:
        """Return the Blocks that it runs."""
        return [self.forward] if self.backward is None else [self.forward, self.backward]

    def reads(self) -> list[Any]:
        """Return what it takes, captured Variables included."""
        return list(dict.fromkeys([*self.inputs["Input"], *captured(self.forward)]))

    def writes(self) -> list[Variable]:
        """Return what it writes."""
        return [*self.outputs["Out"], *self.outputs["Scope"], *self._others()]

    def _others(self) -> list[Variable]:
        """Return the outer Variables that the forward Block writes beside the outputs."""
        outs = set(self.outputs["Out"])
        return [variable for variable in escaping(self.forward) if variable not in outs]

    def hands_out(self) -> list[tuple[Variable | None, Variable | None]]:
        """Return what its forward Block writes around it."""
        return [(one, one) for one in (*self.outputs["Out"], *self._others())]

    def bind(self, runner: Runner) -> Callable[..., Generator[Any, None, Any]]:
        """Return the generator function that runs it."""
        outs = self.outputs["Out"]
        run, count = runner(self.forward, self.reads(), [*outs, *self._others()]), len(outs)

        def steps(*values: Any) -> Generator[Any, None, Any]:
            found = yield from run(*values)
            return (*found[:count], None, *found[count:])  # nothing needs to be kept for the gradient

        return steps

    @property
    def flows(self) -> bool:
        """Whether gradients pass it."""
        return self.backward is not None

    def gradients(self, maker: Any, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        outs = self.outputs["Out"]
        whole = [maker.zeros(out) if grad is None else grad for out, grad in zip(outs, grads)]
        asked = dict(zip(self.reads(), wanted, strict=True))
        results = [maker.new_like(one) if asked[one] else None for one in self.inputs["Input"]]
        maker.append(PyLayerGradOperator(maker.block, self, whole, results))
        found: list[Any] = maker.summed(self.inputs["Input"], results, self.reads())
        return found


class PyLayerGradOperator(BlockOperator):
    """The gradient of a ``pylayer``: it runs the backward Block."""

    parts = ("backward", "incoming", "answers")
    full_slots = ("Input", "Out@GRAD")

    def __init__(
        self, block: Block, origin: PyLayerOperator, grads: Sequence[Variable], results: Sequence[Any]
    ) -> None:
        inputs = {"Input": origin.inputs["Input"], "Out@GRAD": list(grads), "Scope": origin.outputs["Scope"]}
        super().__init__(block, "pylayer_grad", inputs, {"Input@GRAD": list(results)}, {})
        assert origin.backward is not None
        self.origin, self.where = origin, origin.where
        self.backward = origin.backward
        self.incoming, self.answers = origin.incoming, origin.answers

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"backward_block": self.backward}

    def blocks(self) -> list[Block]:
        """Return the Blocks that it runs."""
        return [self.backward]

    def _captured(self) -> list[Variable]:
        """Return what the backward Block reads beside the gradients."""
        known = set(self.incoming)
        return [variable for variable in captured(self.backward) if variable not in known]

    def _answer_for(self) -> list[tuple[Variable, Variable | None]]:
        """Return the wanted gradients: the input, and the Variable of the Block that holds its gradient."""
        triples = zip(self.inputs["Input"], self.answers, self.outputs["Input@GRAD"], strict=True)
        return [(given, answer) for given, answer, result in triples if result is not None]

    def reads(self) -> list[Any]:
        """Return what it takes, captured Variables included."""
        return [*self.inputs["Out@GRAD"], *self.inputs["Input"], *self._captured()]

    def works_with(self) -> list[Any]:
        """Return what it reads for its numbers, and not only for a shape."""
        return self._captured()

    def hands_in(self, first: bool) -> list[tuple[Variable, Variable | None]]:
        """Return what the Block calls the gradients that come in."""
        return list(zip(self.incoming, self.inputs["Out@GRAD"], strict=True))

    def hands_out(self) -> list[tuple[Variable | None, Variable | None]]:
        """Return which gradient of its Block becomes which around it."""
        return list(zip(self.answers, self.outputs["Input@GRAD"], strict=True))

    def bind(self, runner: Runner) -> Callable[..., Generator[Any, None, Any]]:
        """Return the generator function that runs it."""
        answers = self._answer_for()
        asked = [answer for _, answer in answers if answer is not None]
        run = runner(self.backward, [*self.incoming, *self._captured()], asked)
        first, count, inputs = len(self.incoming), len(self.inputs["Input"]), self.inputs["Input"]

        def steps(*values: Any) -> Generator[Any, None, Any]:
            grads, given, others = values[:first], values[first : first + count], values[first + count :]
            found = iter((yield from run(*grads, *others)))
            likes = dict(zip(inputs, given, strict=True))
            results = [
                np.zeros_like(likes[one]) if answer is None else _checked(next(found), likes[one], one)
                for one, answer in answers
            ]
            return results[0] if len(results) == 1 else results

        return steps

    def gradients(self, maker: Any, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append the backward Block's Operators once more, and walk back through them."""
        start = len(maker.block.ops)
        copy_of = inlined(
            self.backward, dict(zip(self.incoming, self.inputs["Out@GRAD"], strict=True)), maker.block
        )
        results = [copy_of(answer) for _, answer in self._answer_for()]
        pairs = [(result, grad) for result, grad in zip(results, grads, strict=True) if result is not None]
        found: Sequence[Any] = maker.back_through(start, pairs, self.reads(), wanted)
        return found


def _checked(grad: Any, given: Any, variable: Variable) -> Any:
    """Return a gradient that fits its input.

    Raises:
        ValueError: if it has another shape.
    """
    if grad.shape != given.shape:
        raise failure(
            ValueError,
            f"The gradient of {variable.name!r} that backward_fn computed has shape {list(grad.shape)}, but "
            f"{variable.name!r} has shape {list(given.shape)}.",
            "sum over the axes that forward_fn broadcast",
        )
    return grad
