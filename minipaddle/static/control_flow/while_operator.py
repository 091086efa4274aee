"""while: a Block that runs as long as a number is true, and its gradient, which runs another as often, backwards.

The Block writes the loop variables, which belong to the Block around it. For the gradient every iteration saves
values in `StepScopes`: what its Operators computed, and what the loop variables were when it began.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import count
from typing import Any

from minipaddle.static.control_flow.conditional_block import is_true
from minipaddle.static.gradient.grad_maker import GradMaker
from minipaddle.static.gradient.tape import Tape
from minipaddle.static.program import Block, Variable
from minipaddle.static.program.block_operator import BlockOperator, Runner, added, zeros_of
from minipaddle.static.program.uses import captured, escaping, listed


class While(BlockOperator):
    """Run a Block while the condition, which it writes itself, is true.

    Attributes:
        body: the Block.
        grad_bodies: the Blocks of its gradients.
    """

    control = "loop"
    parts = ("body", "grad_bodies")
    full_slots = ("Condition",)

    def __init__(self, block: Block, condition: Variable, body: Block, scope: Variable) -> None:
        self.body = body
        self.grad_bodies: list[Block] = []
        inputs = {"Condition": [condition], "X": [one for one in listed(body) if one is not condition]}
        super().__init__(block, "while", inputs, {"Out": escaping(body), "StepScopes": [scope]}, {})

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        return {"is_test": False, "sub_block": self.body}

    def reads(self) -> list[Any]:
        """Return what it takes, captured Variables included."""
        return list(dict.fromkeys([*self.inputs["Condition"], *captured(self.body), *self.outputs["Out"]]))

    def iterations(self, values: Sequence[Any]) -> Iterator[int]:
        """Count."""
        return count()

    def hands_out(self) -> list[tuple[Variable | None, Variable | None]]:
        """Return the loop variables, which its Block writes itself."""
        return [(one, one) for one in self.outputs["Out"]]

    def without_block(self) -> dict[Variable, Variable]:
        """Return the loop variables."""
        return {one: one for one in self.outputs["Out"]}

    def bind(self, runner: Runner) -> Callable[..., Generator[Any, None, Any]]:
        """Return the generator function that runs it."""
        (condition,), reads, outs = self.inputs["Condition"], self.reads(), self.outputs["Out"]
        needed = list(dict.fromkeys(one for body in self.grad_bodies for one in captured(body)))
        made = [one for one in needed if one.block is self.body]
        begun = [one for one in needed if one in set(outs)]
        run = runner(self.body, reads, [*outs, *made])
        place_of = {one: place for place, one in enumerate(reads)}
        places = [place_of[one] for one in outs]

        def steps(*given: Any) -> Generator[Any, None, Any]:
            values, saved = list(given), []
            while is_true(values[0], condition, self):
                before = {one: values[place_of[one]] for one in begun}
                found = yield from run(*values)
                for place, value in zip(places, found):
                    values[place] = value
                if self.grad_bodies:
                    saved.append({**before, **dict(zip(made, found[len(outs) :], strict=True))})
            return (*[values[place] for place in places], saved)

        return steps

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        reads = self.reads()
        incoming = dict(zip(self.outputs["Out"], grads))
        known = {*self.inputs["X"], *self.outputs["Out"]}
        asked = {one for one, yes in zip(reads, wanted, strict=True) if yes and one in known}
        inner = maker.inside(self.body)
        carried = [
            one
            for one in self.outputs["Out"]
            if one.meta.dtype.kind in "fc" and (one in asked or incoming[one] is not None)
        ]
        arriving = [Variable(maker.block, one.grad_name, one.meta, type=one.type) for one in carried]
        changing, written = set(carried), self.outputs["Out"]
        tape = Tape(self.body.ops, lambda one: maker.stops(one) and one not in changing, carried=written)
        found = inner.gradients(tape, zip(carried, arriving), (*asked, *carried))
        self.grad_bodies.append(inner.block)
        results = {one: maker.new_like(one) for one in reads if one in asked}
        behind = [incoming[one] for one in carried]
        op = WhileGrad(maker.block, self, inner.block, carried, arriving, behind, found, results)
        maker.append(op)
        return [results.get(one) for one in reads]


class WhileGrad(BlockOperator):
    """The gradient of a while: its Block turns the gradients after an iteration into those before it.

    Attributes:
        carried: the loop variables that gradients flow through.
        arriving: for each of them the Variable of the Block that holds the gradient after the iteration.
        incoming: for each of them the gradient that comes in from behind the loop, or None.
        answers: the Variable of the Block that holds the gradient of an outer Variable.
        results: outer Variable -> the Variable that gets its gradient.
    """

    control = "loop"
    full_slots = ("StepScopes",)
    parts = ("body", "forward", "rewritten", "carried", "arriving", "incoming", "answers", "results")

    def __init__(
        self,
        block: Block,
        origin: While,
        body: Block,
        carried: Sequence[Variable],
        arriving: Sequence[Variable],
        incoming: Sequence[Any],
        answers: dict[Variable, Variable],
        results: dict[Variable, Variable],
    ) -> None:
        inputs = {
            "X": origin.inputs["X"],
            "Out": origin.outputs["Out"],
            "Out@GRAD": [grad for grad in incoming if grad is not None],
            "StepScopes": origin.outputs["StepScopes"],
        }
        outs = {"X@GRAD": [results.get(one) for one in origin.inputs["X"]]}
        super().__init__(block, "while_grad", inputs, outs, {})
        self.origin, self.where, self.body, self.forward = origin, origin.where, body, origin.body
        self.rewritten = origin.outputs["Out"]
        self.carried, self.arriving, self.incoming = list(carried), list(arriving), list(incoming)
        self.answers, self.results = answers, results

    def listed(self) -> dict[str, Any]:
        """Return the attributes as Paddle prints them."""
        names = [grad.name for grad in self.inputs["Out@GRAD"]]
        return {"is_test": False, "original_output_grad": names, "sub_block": self.body}

    def _in_scopes(self) -> list[Variable]:
        """Return what the Block reads of the values that an iteration saved."""
        changing = set(self.rewritten)
        return [one for one in captured(self.body) if one.block is self.forward or one in changing]

    def _captured(self) -> list[Variable]:
        known = {*self._in_scopes(), *self.arriving}
        return [one for one in captured(self.body) if one not in known]

    def reads(self) -> list[Any]:
        """Return what it takes, captured Variables included."""
        return [*self.inputs["StepScopes"], *self.incoming, *self.carried, *self.results, *self._captured()]

    def works_with(self) -> list[Any]:
        """Return what it reads for its numbers: what the loop wrote, every iteration saved."""
        return self._captured()

    def writes(self) -> list[Variable]:
        """Return what it writes."""
        return list(self.results.values())

    def adds_up(self) -> list[Variable]:
        """Return the gradients of what the loop only reads: every iteration has a share in them."""
        carried = set(self.carried)
        return [result for one, result in self.results.items() if one not in carried]

    def iterations(self, values: Sequence[Any]) -> Iterator[int]:
        """Return the numbers of the iterations that the loop has run, from the last."""
        return iter(reversed(range(len(values[0]))))

    def loop_variables(self) -> Sequence[Variable]:
        """Return the loop variables."""
        return self.rewritten

    def hands_in(self, first: bool) -> list[tuple[Variable, Variable | None]]:
        """Return the gradients behind an iteration: those behind the loop, or those before the next iteration."""
        before = self.incoming if first else [self.answers.get(one) for one in self.carried]
        return list(zip(self.arriving, before, strict=True))

    def hands_out(self) -> list[tuple[Variable | None, Variable | None]]:
        """Return which gradient of its Block becomes which around the loop, or is a summand of it."""
        every = dict.fromkeys([*self.carried, *self.results])
        return [(self.answers.get(one), self.results.get(one)) for one in every]

    def without_block(self) -> dict[Variable, Variable]:
        """Return the gradients that come in from behind the loop."""
        pairs = zip(self.carried, self.incoming, strict=True)
        return {self.results[one]: grad for one, grad in pairs if one in self.results and grad is not None}

    def bind(self, runner: Runner) -> Callable[..., Generator[Any, None, Any]]:
        """Return the generator function that runs it."""
        many, wanted, in_scopes = len(self.carried), list(self.results), self._in_scopes()
        summed = [one for one in wanted if one in self.answers and one not in set(self.carried)]
        flowing = [one for one in self.carried if one in self.answers]
        run = runner(
            self.body,
            [*self.arriving, *in_scopes, *self._captured()],
            [self.answers[one] for one in (*flowing, *summed)],
        )

        def steps(*values: Any) -> Generator[Any, None, Any]:
            saved, grads, after = values[0], values[1 : 1 + many], values[1 + many : 1 + 2 * many]
            given = dict(zip(wanted, values[1 + 2 * many : 1 + 2 * many + len(wanted)]))
            rest = values[1 + 2 * many + len(wanted) :]
            now = {
                one: zeros_of(value) if grad is None else grad
                for one, grad, value in zip(self.carried, grads, after, strict=True)
            }
            total: dict[Variable, Any] = {}
            for iteration in reversed(saved):
                found = yield from run(*now.values(), *[iteration[one] for one in in_scopes], *rest)
                now = {one: zeros_of(value) for one, value in now.items()}
                now.update(zip(flowing, found))
                for one, grad in zip(summed, found[len(flowing) :], strict=True):
                    total[one] = added(total[one], grad) if one in total else grad
            results = [{**total, **now}.get(one) for one in wanted]
            results = [zeros_of(given[one]) if grad is None else grad for one, grad in zip(wanted, results)]
            return results[0] if len(results) == 1 else results

        return steps
