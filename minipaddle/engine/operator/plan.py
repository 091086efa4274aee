"""Plan: what one call must save, and which of its gradient rules run, for one choice of wanted inputs.

Values that no rule of a wanted input names are not saved. :class:`minipaddle.engine.fast.compiled.CompiledPlan` has
one function for each plan instead.

Next: :mod:`minipaddle.engine.walk.backward`, the end of gradients at leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from minipaddle.engine.operator.rule import Call, Rule, Source, read
from minipaddle.engine.tape.node import Edge, MakeTensor, Node
from minipaddle.engine.value.meta import Array, Attrs, Meta

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator


def plan_of(op: Operator, edges: Sequence[object]) -> Plan | None:
    """Return the plan for a call whose inputs have these `edges` (None: no gradient wanted); None: no rule."""
    wanted = tuple(map(bool, edges))  # an edge is true
    if wanted not in op.plans:
        plan = op.make_plan(op, wanted)
        op.plans[wanted] = plan if plan.parts else None
    return op.plans[wanted]


class Plan:
    """Makes and runs the nodes of one operator for one choice of inputs that need gradients."""

    __slots__ = ("count", "op", "parts", "sources")

    takes_nothing = False
    """Whether backward accepts a missing gradient, or one of another dtype: a PyLayer's does, rules do not."""

    def __init__(self, op: Operator, wanted: Sequence[bool]) -> None:
        self.op = op
        self.count = len(wanted)
        """The number of inputs of the call."""
        self.parts: list[tuple[Rule, slice]] = []
        """The rules that run, each with the positions of its values among the saved ones."""
        self.sources: list[Source] = []
        """The source of each saved value."""
        for rule in op.rules:
            if any(rule.of(wanted)):
                start = len(self.sources)
                self.sources += rule.kept
                self.parts.append((rule, slice(start, len(self.sources))))

    def save(self, inputs: Sequence[Any], output: Any, attrs: Attrs) -> tuple[Any, ...]:
        """Return the values that the rules need; `inputs` and `output` (a list if several) are arrays."""
        call = Call(inputs, output if self.op.multiple else [output], attrs)
        return tuple([read(source, call) for source in self.sources])

    def run(
        self, grads: Sequence[Any], saved: tuple[Any, ...], useful: Sequence[bool] | None = None
    ) -> Sequence[Any]:
        """Return the gradient of each input by the rules; only of the `useful` inputs, if given."""
        answers: list[Any] = [None] * self.count
        for rule, part in self.parts:
            if useful is None or any(rule.of(useful)):
                rule.answer(answers, grads, saved[part])
        return answers

    run_some = run  # also where `run` is a quicker version

    def gather(
        self, grads: Sequence[Any], metas: Sequence[Meta], zeros: Callable[[Meta], Any]
    ) -> Sequence[Any]:
        """Fill in zeros for outputs without gradient; drop the by-products."""
        full = [zeros(meta) if grad is None else grad for grad, meta in zip(grads, metas, strict=True)]
        return [full] if self.op.list_output else [full[i] for i in self.op.differentiable]

    def arrays(self, saved: tuple[Any, ...]) -> Iterator[Array]:
        """Yield the arrays among the saved values."""
        for source, value in zip(self.sources, saved, strict=True):
            if source.is_array and value is not None:
                yield from value if source.many else [value]

    def connect(self, node: Node, saved: tuple[Any, ...], tensor: MakeTensor) -> tuple[Any, ...]:
        """Return the saved values with each array as a tensor, connected to the graph as before."""

        def one(source: Source, value: Any) -> Any:
            if value is None or not source.is_array:
                return value
            if source.kind == "output":
                own: Edge = (node, source.place) if node.metas else node
                edge = own if source.place in self.op.differentiable else None
                return tensor(value, edge, "output", source.place)
            inputs = enumerate(value if source.many else [value], source.place)
            made = [tensor(item, node.edges[place], "input", place) for place, item in inputs]
            return made if source.many else made[0]

        return tuple([one(source, value) for source, value in zip(self.sources, saved, strict=True)])
