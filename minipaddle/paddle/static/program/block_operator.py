"""BlockOperator: an Operator that runs a Block; BlockGradient: its gradient, which runs another Block, backwards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.definition.var_type import VarType
from minipaddle.paddle.static.program.listing import Slots
from minipaddle.paddle.static.program.operator import Operator, captured
from minipaddle.paddle.static.program.variable import Variable

if TYPE_CHECKING:
    from minipaddle.paddle.static.program.block import Block

Runner = Callable[["Block", Sequence[Variable], Sequence[Variable]], Callable[..., list[Any]]]
"""Makes a Block runnable: (block, input Variables, output Variables) -> function of values."""

Known = dict[Variable, Any]
"""The values known in a Block, by Variable."""


class BlockOperator(Operator, in_files=False):
    """An Operator that runs a Block: once (pylayer), perhaps (conditional_block), again and again (while).

    Besides its slots, it reads the outer Variables captured by its Block, and writes the outer Variables written there.

    Attributes:
        body: the Block.
        grad_bodies: the Blocks of its gradients; each run of the Block saves the values that they read.
    """

    has_kernel = False
    settings: ClassVar[Attrs] = {}
    """Attributes that Paddle prints, without effect."""
    body: Block
    grad_bodies: Sequence[Block] = ()

    def blocks(self) -> list[Block]:
        """Return its Blocks."""
        return [self.body]

    def reads(self) -> list[Any]:
        """Return its inputs, including captured Variables."""
        first = next(iter(self.inputs.values()))
        return list(dict.fromkeys([*first, *captured(self.body), *self.without_block().values()]))

    def listed(self) -> Attrs:
        """Return the attributes in Paddle's printed form."""
        return {**self.settings, "sub_block": self.body}

    def hands_in(self, first: bool) -> list[tuple[Variable, Variable | None]]:
        """Return Variables passed into its Block under another name: pairs (in the Block, around it; None: zeros).

        `first` says whether its Block runs for the first time in this call: a loop's may run again.
        """
        return []

    def hands_out(self) -> list[tuple[Variable | None, Variable | None]]:
        """Return the results of a run of its Block, as such pairs; here the outer Variables it writes.

        Without the first it is zeros, without the second it is for the next iteration only.
        """
        return [(one, one) for one in self.writes() if one.type is not VarType.STEP_SCOPES]

    def turns(self, known: Known) -> Iterator[Known]:
        """Yield, for each run of the Block, its saved values; `known` has the results of the runs so far."""
        return iter(({},))

    def iterations(self, values: Sequence[Any]) -> Iterator[int] | None:
        """Return the indices, from 0, of its iterations, given the values of :meth:`reads`.

        None if it is no loop.
        """
        return None

    def adds_up(self) -> Collection[Variable]:
        """Return the Variables of :meth:`writes` that are summed over all runs; others keep the last run's value."""
        return ()

    def without_block(self) -> dict[Variable, Variable]:
        """Return, for outputs that are not zeros when the Block does not run, the Variables whose values they keep."""
        return {}

    def likes(self) -> dict[Variable, Variable]:
        """Return the Variables that give zeros their shape: of its outputs, and of its Block's inputs."""
        return {}

    def checked(self, value: Any, like: Variable | None, known: Known) -> Any:
        """Return a result of its Block, checked for the shape of `like`."""
        return value

    def bind(self, runner: Runner) -> Callable[..., Any]:
        """Return the function that runs it, given how to run a Block.

        It takes values of :meth:`reads` and returns values of :meth:`writes`, as a kernel does.
        """
        reads, writes, pairs, likes = self.reads(), self.writes(), self.hands_out(), self.likes()
        sums = set(self.adds_up()) if self.control == "loop" else set()
        as_before = self.without_block()
        needed = list(dict.fromkeys(one for block in self.grad_bodies for one in captured(block)))
        begun = [one for one in needed if self.control == "loop" and one in as_before]
        first, again = self.hands_in(True), self.hands_in(False)
        inside = list(dict.fromkeys([*captured(self.body), *[one for one, _ in first], *as_before.values()]))
        made = list(dict.fromkeys([one for one, _ in pairs if one is not None]))
        kept = [one for one in needed if one.block is self.body]
        summed = [(one, out) for one, out in pairs if one is not None and out is not None and out in sums]
        run = runner(self.body, inside, [*made, *kept])

        def zeros(variable: Variable, known: Known) -> Any:
            return np.zeros_like(known[likes[variable]]) if variable in likes else None

        def call(*values: Any) -> Any:
            known: Known = dict(zip(reads, values, strict=True))
            outs: Known = {}
            saved: list[Known] = []
            turn = -1
            for turn, more in enumerate(self.turns(known)):
                handed = again if turn else first
                given = {**known, **more} if more or handed else known
                for into, around in handed:
                    given[into] = zeros(into, known) if around is None else known[around]
                found = run(*[given[one] for one in inside])
                if self.grad_bodies:
                    before = {one: known[one] for one in begun}
                    saved.append({**before, **dict(zip(kept, found[len(made) :], strict=True))})
                known.update(zip(made, found))
                for one, out in summed:
                    outs[out] = outs[out] + known[one] if out in outs else known[one]
            for inner, target in pairs if turn >= 0 else ():
                if target is None or target in outs:
                    continue
                if inner is None:
                    outs[target] = zeros(target, known)
                else:
                    outs[target] = self.checked(known[inner], likes.get(target), known)
            for out in writes:
                if out.type is VarType.STEP_SCOPES:
                    outs[out] = saved
                elif out not in outs:
                    outs[out] = known[as_before[out]] if out in as_before else zeros(out, known)
            results = [outs[out] for out in writes]
            return results[0] if len(results) == 1 else results

        return call


class Row(NamedTuple):
    """A result of a :class:`BlockGradient`."""

    given: Variable
    """The Variable whose gradient it is."""
    answer: Variable | None
    """Its Variable in the Block; None: zeros."""
    result: Variable | None
    """Its Variable outside the Block; None: it is only for the next run."""
    behind: Variable | None
    """The result if the Block does not run; None: zeros."""


class Handed(NamedTuple):
    """A gradient passed into a run."""

    inside: Variable
    """Its Variable in the Block."""
    first: Variable | None
    """Its value in the first run; None: zeros."""
    again: Variable | None
    """Its value from the previous run, in later runs; None: zeros."""
    given: Variable | None
    """The Variable of the gradient, if it has a row."""


class BlockGradient(BlockOperator, in_files=False):
    """The gradient of a BlockOperator: its Block runs as often, in reverse, on the values saved by each forward run.

    Attributes:
        body: the Block.
        forward: the Block whose gradient it is.
        rows: its results.
        handed: the gradients passed into each run.
    """

    parts = ("body", "forward", "rows", "handed")
    scope_slot: ClassVar[str] = "Scope"
    """The slot of the saved values; "": none, the Block runs once."""

    def __init__(
        self,
        origin: BlockOperator,
        block: Block,
        inputs: Slots,
        outs: Slots,
        body: Block,
        rows: Sequence[Row],
        handed: Sequence[Handed] = (),
    ) -> None:
        super().__init__(block, f"{origin.type}_grad", inputs, outs, {})
        self.origin, self.where, self.body, self.forward = origin, origin.where, body, origin.body
        self.rows, self.handed = list(rows), list(handed)

    def reads(self) -> list[Any]:
        """Return its inputs, including captured Variables."""
        found = [
            *self.inputs.get("Cond", ()),
            *self.inputs.get(self.scope_slot, ()),
            *[one.first for one in self.handed],
            *[row.given for row in self.rows],
            *self.without_block().values(),
            *self._captured(),
        ]
        return list(dict.fromkeys(one for one in found if one is not None))

    def _captured(self) -> list[Variable]:
        """Return the outer Variables that its Block reads, without saved ones."""
        known = {*self.loop_variables(), *[one.inside for one in self.handed]}
        return [one for one in captured(self.body) if one.block is not self.forward and one not in known]

    def works_with(self) -> list[Any]:
        """Return the inputs whose numbers matter, not only their shapes."""
        return [*self.inputs.get("Cond", ()), *self._captured()]

    def writes(self) -> list[Variable]:
        """Return its outputs."""
        return [row.result for row in self.rows if row.result is not None]

    def turns(self, known: Known) -> Iterator[Known]:
        """Return the values saved by each run of the forward Block, from the last."""
        saved = self.inputs.get(self.scope_slot)
        return iter(reversed(known[saved[0]])) if saved else super().turns(known)

    def hands_in(self, first: bool) -> list[tuple[Variable, Variable | None]]:
        """Return the incoming gradients of a run: the Operator's, or the results of the previous run."""
        return [(one.inside, one.first if first else one.again) for one in self.handed]

    def hands_out(self) -> list[tuple[Variable | None, Variable | None]]:
        """Return pairs of a gradient in its Block and the outer gradient that gets it, or adds it."""
        return [(row.answer, row.result) for row in self.rows]

    def adds_up(self) -> list[Variable]:
        """Return the gradients of Variables that the Block only reads: summed over runs."""
        carried = {one.given for one in self.handed}
        return [row.result for row in self.rows if row.result is not None and row.given not in carried]

    def without_block(self) -> dict[Variable, Variable]:
        """Return the gradients of unchanged Variables."""
        return {
            row.result: row.behind for row in self.rows if row.result is not None and row.behind is not None
        }

    def renew(self) -> None:
        """Rebuild the named tuples after a copy or a file was read."""
        self.rows, self.handed = [Row(*row) for row in self.rows], [Handed(*one) for one in self.handed]

    def likes(self) -> dict[Variable, Variable]:
        """Return each gradient's Variable."""
        carried = {one.inside: one.given for one in self.handed if one.given is not None}
        return carried | {row.result: row.given for row in self.rows if row.result is not None}
