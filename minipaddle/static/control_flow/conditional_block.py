"""conditional_block: a Block that runs only if a number is true; select_input: which of two results is taken.

``cond`` is made of two conditional_blocks and a select_input for each result. What a Block computed that its gradient
needs goes through the `Scope` output, as Paddle's does.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from minipaddle.core.errors import failure, locate
from minipaddle.core.meta import Array
from minipaddle.static.gradient.grad_maker import GradMaker
from minipaddle.static.gradient.tape import Tape
from minipaddle.static.program import Block, Operator, Variable
from minipaddle.static.program.block_operator import BlockOperator, Runner, zeros_of
from minipaddle.static.program.uses import captured, escaping, listed


def kept_for(gradients: Sequence[Block], block: Block) -> list[Variable]:
    """Return the Variables of `block` that the Blocks of its gradients read."""
    return list(dict.fromkeys(one for grad in gradients for one in captured(grad) if one.block is block))


def _places(variables: Sequence[Variable], among: Sequence[Variable]) -> list[tuple[Variable, int | None]]:
    """Return each Variable with its position `among` others (`==` of Variables would append an operator)."""
    places = {one: place for place, one in enumerate(among)}
    return [(one, places.get(one)) for one in variables]


def is_true(value: Any, variable: Variable, op: Operator) -> bool:
    """Return a condition as a bool.

    Raises:
        ValueError: if it has more than one element.
    """
    if value.size != 1:
        raise locate(
            failure(
                ValueError,
                f"The condition {variable.name!r} must have one element, but its shape is {list(value.shape)}.",
                "reduce it with paddle.all or paddle.any",
            ),
            op.type,
            op.where,
        )
    return bool(value.reshape(()))


class ConditionalBlock(BlockOperator):
    """Run a Block if the condition is true; if not, its results have no value and nothing outside changes.

    Attributes:
        body: the Block.
        results: Variables that exist for this Operator only.
        grad_bodies: the Blocks of its gradients.
        changed: outer Variables that the Block writes.
    """

    control = "branch"
    parts = ("body", "results", "changed", "grad_bodies")
    full_slots = ("Cond",)

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

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"is_scalar_condition": True, "sub_block": self.body}

    def reads(self) -> list[Any]:
        """Return what it takes, captured Variables included."""
        return list(dict.fromkeys([*self.inputs["Cond"], *captured(self.body), *self.changed]))

    def hands_out(self) -> list[tuple[Variable | None, Variable | None]]:
        """Return what its Block writes around it."""
        return [(one, one) for one in self.outputs["Out"]]

    def without_block(self) -> dict[Variable, Variable]:
        """Return what the Block would have changed."""
        return {one: one for one in self.changed}

    def bind(self, runner: Runner) -> Callable[..., Generator[Any, None, Any]]:
        """Return the generator function that runs it."""
        (condition,), reads, outs = self.inputs["Cond"], self.reads(), self.outputs["Out"]
        kept = kept_for(self.grad_bodies, self.body)
        run, count = runner(self.body, reads, [*outs, *kept]), len(outs)
        changed = set(self.changed)
        untouched = [place if one in changed else None for one, place in _places(outs, reads)]

        def steps(*values: Any) -> Generator[Any, None, Any]:
            if is_true(values[0], condition, self):
                found = yield from run(*values)
                return (*found[:count], dict(zip(kept, found[count:], strict=True)))
            return (*[None if place is None else values[place] for place in untouched], {})

        return steps

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        reads = self.reads()
        inner = maker.inside(self.body)
        known = {*self.inputs["Input"], *self.changed}
        asked = [one for one, yes in zip(reads, wanted, strict=True) if yes and one in known]
        starts = list(zip(self.outputs["Out"], grads))
        found = inner.gradients(Tape(self.body.ops, maker.stops, changed=self.changed), starts, asked)
        self.grad_bodies.append(inner.block)
        behind = {one: grad for one, grad in starts if one in set(self.changed)}
        pairs = [(one, found.get(one), maker.new_like(one), behind.get(one)) for one in asked]
        maker.append(ConditionalBlockGrad(maker.block, self, grads, inner.block, pairs))
        results = {one: result for one, _, result, _ in pairs}
        return [results.get(one) for one in reads]


class ConditionalBlockGrad(BlockOperator):
    """The gradient of a conditional_block: runs its own Block if the other ran; else the gradients pass it by.

    `pairs` has for each wanted input: the input, the Variable of the Block that holds its gradient (None: zeros), the
    Variable outside that gets it, and the one that it gets if the Block does not run (None: zeros): of what the other
    Block would have changed, the gradient of what it is then still.
    """

    control = "branch"
    parts = ("body", "forward", "pairs")
    full_slots = ("Cond", "Scope")

    def __init__(
        self,
        block: Block,
        origin: ConditionalBlock,
        grads: Sequence[Any],
        body: Block,
        pairs: Sequence[tuple[Variable, Variable | None, Variable, Variable | None]],
    ) -> None:
        known = {given: result for given, _, result, _ in pairs}
        inputs = {
            "Cond": origin.inputs["Cond"],
            "Input": origin.inputs["Input"],
            "Out": origin.outputs["Out"],
            "Out@GRAD": [grad for grad in grads if grad is not None],
            "Scope": origin.outputs["Scope"],
        }
        listed = dict.fromkeys([*origin.inputs["Input"], *known])
        outs = {"Input@GRAD": [known.get(one) for one in listed]}
        super().__init__(block, "conditional_block_grad", inputs, outs, {})
        self.origin, self.where, self.body, self.forward = origin, origin.where, body, origin.body
        self.pairs = list(pairs)

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"is_scalar_condition": True, "sub_block": self.body}

    def renew(self) -> None:
        """Complete what a file of an earlier version holds."""
        pairs: list[Any] = self.pairs
        self.pairs = [(*pair, None) if len(pair) == 3 else pair for pair in pairs]

    def _kept(self) -> list[Variable]:
        return kept_for([self.body], self.forward)

    def _captured(self) -> list[Variable]:
        kept = set(self._kept())
        return [one for one in captured(self.body) if one not in kept]

    def reads(self) -> list[Any]:
        """Return what it takes, captured Variables included."""
        return [
            *self.inputs["Cond"],
            *self.inputs["Scope"],
            *[given for given, _, _, _ in self.pairs],
            *[behind for _, _, _, behind in self.pairs],
            *self._captured(),
        ]

    def works_with(self) -> list[Any]:
        """Return what it reads for its numbers, and not only for a shape."""
        return [*self.inputs["Cond"], *self._captured()]

    def writes(self) -> list[Variable]:
        """Return what it writes."""
        return [result for _, _, result, _ in self.pairs]

    def hands_out(self) -> list[tuple[Variable | None, Variable | None]]:
        """Return which gradient of its Block becomes which around it."""
        return [(answer, result) for _, answer, result, _ in self.pairs]

    def without_block(self) -> dict[Variable, Variable]:
        """Return the gradients of what is as it was."""
        return {result: behind for _, _, result, behind in self.pairs if behind is not None}

    def bind(self, runner: Runner) -> Callable[..., Generator[Any, None, Any]]:
        """Return the generator function that runs it."""
        (condition,), kept, count = self.inputs["Cond"], self._kept(), len(self.pairs)
        answers = [answer for _, answer, _, _ in self.pairs if answer is not None]
        run = runner(self.body, [*kept, *self._captured()], answers)

        def steps(*values: Any) -> Generator[Any, None, Any]:
            given, behind = values[2 : 2 + count], values[2 + count : 2 + 2 * count]
            rest = values[2 + 2 * count :]
            if is_true(values[0], condition, self):
                found = iter((yield from run(*[values[1][one] for one in kept], *rest)))
                results = [
                    zeros_of(value) if answer is None else next(found)
                    for value, (_, answer, _, _) in zip(given, self.pairs, strict=True)
                ]
            else:
                pairs = zip(given, behind, strict=True)
                results = [zeros_of(value) if grad is None else grad for value, grad in pairs]
            return results[0] if count == 1 else results

        return steps


class SelectInput(Operator):
    """Which of two results is taken: ``X[Mask]``."""

    control = "choice"
    full_slots = ("X", "Mask")

    def __init__(self, block: Block, mask: Variable, options: Sequence[Variable], out: Variable) -> None:
        super().__init__(block, "select_input", {"Mask": [mask], "X": list(options)}, {"Out": [out]}, {})

    def hands_on(self, values: Sequence[Any]) -> list[Variable | None]:
        """Return which result is taken."""
        return [self.inputs["X"][int(values[0].reshape(()))]]

    def compute(self, mask: Array, first: Any, second: Any) -> Any:
        """Return what is taken."""
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
    """The gradient of select_input: the gradient goes to what was taken; what was not taken gets no value."""

    control = "choice"
    full_slots = ("X", "Mask")

    def __init__(self, block: Block, mask: Variable, grad: Variable, outs: Sequence[Any]) -> None:
        super().__init__(block, "select_output", {"Mask": [mask], "X": [grad]}, {"Out": list(outs)}, {})

    def hands_on(self, values: Sequence[Any]) -> list[Variable | None]:
        """Return the gradient for what was taken."""
        taken = int(values[0].reshape(()))
        (grad,) = self.inputs["X"]
        return [
            grad if turn == taken else None for turn, out in enumerate(self.outputs["Out"]) if out is not None
        ]

    def kernel(self) -> Callable[..., Any]:
        """Return what computes it."""
        turns = [turn for turn, out in enumerate(self.outputs["Out"]) if out is not None]
        if len(turns) == 1:
            return lambda mask, grad: grad if mask.reshape(()) == turns[0] else zeros_of(grad)
        return lambda mask, grad: [grad if mask.reshape(()) == turn else None for turn in turns]
