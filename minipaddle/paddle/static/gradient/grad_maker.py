"""GradMaker: the consumer of the reverse walk that appends gradient Operators.

It uses the walk of eager backward (:mod:`minipaddle.engine.walk.walk`); the gradients on it are :class:`Partial`
sums of Variables. Whether a gradient is the whole (``x@GRAD``) or one of several (``x@GRAD@RENAME@block0@0``) is known
when the walk reaches the Operator that made ``x``, as all uses of ``x`` have been visited then: until then it has
no name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import count
from typing import Any

from minipaddle.engine.tape.node import AccumulateGrad, AnyNode, Edge, Node
from minipaddle.engine.walk.walk import useful_only, walk
from minipaddle.ops.creation.full import fill_any_like
from minipaddle.ops.linalg.product import sum_op
from minipaddle.paddle.static.gradient import rules_over_variables as rules
from minipaddle.paddle.static.gradient.grad_operator import GradOperator
from minipaddle.paddle.static.gradient.tape import Partial, Tape, joined
from minipaddle.paddle.static.program import Block, Operator, Role, TableOperator, Variable
from minipaddle.paddle.static.program.ends import written_in
from minipaddle.paddle.static.program.listing import here


class GradMaker:
    """Appends gradient Operators to the current Block of a Program.

    Args:
        forward: the Block to differentiate; its number is part of the names of partial sums.
        stops: whether gradients stop at a Variable.
        callbacks: the user's functions, called as ``callback(block, {type: op})`` after every Operator.
    """

    def __init__(
        self,
        block: Block,
        forward: Block,
        stops: Callable[[Variable], bool],
        callbacks: Sequence[Callable[..., Any]] = (),
    ) -> None:
        self.block = block
        self._made: dict[Variable, None] = {}
        """Every gradient so far; a dict keeps them in order."""
        self._nameless: set[Variable] = set()
        self._numbers = count()
        self.forward = forward
        self.stops = stops
        self.callbacks = callbacks
        self.pass_number: int = block.program.backward_calls

    # -- walking --------------------------------------------------------------------------------------------------

    def gradients(
        self, tape: Tape, starts: Iterable[tuple[Variable, Any]], sources: Collection[Variable] | None = None
    ) -> dict[Variable, Variable]:
        """Append a whole reverse walk; return the gradient of every Variable that it reaches.

        For a Variable that a Block overwrites: the gradient of the value before the Block.

        Args:
            tape: the Operators to differentiate.
            starts: Variables, each with its gradient; None for none.
            sources: the Variables to walk to; None: every leaf.
        """
        program = self.block.program
        seeds = tape.seeds(starts)
        only = None if sources is None else tape.between(seeds, sources)
        with program.as_default(), program.in_block(self.block), program.as_role(Role.BACKWARD):
            walked = list(self._walk(tape, seeds, only))
        self.enter()
        found: dict[Variable, Variable] = {}
        for maker, variable, grad in walked:
            if maker is None or variable not in tape.from_around:
                found[variable] = grad
        return found

    def _walk(
        self, tape: Tape, seeds: Sequence[tuple[Edge, Partial]], only: Collection[AnyNode] | None = None
    ) -> Iterator[tuple[Operator | None, Variable, Variable]]:
        """Append the Operators of a reverse walk; yield every Variable reached: its maker, the Variable, its gradient.

        The sums of leaves come last, as in Paddle, in the order of their first terms.
        """
        leaves = []
        read = self.reader(tape) if only is None else useful_only(self.reader(tape), only)
        for node, grads, _ in walk(seeds, read, add=joined):
            maker = tape.makers.get(node)
            found = [(maker, *pair) for pair in zip(tape.outputs[node], grads) if pair[1] is not None]
            if isinstance(node, AccumulateGrad):
                leaves += found
            else:
                yield from self._settled(found)
        made = written_in(self.block.ops)
        yield from self._settled(sorted(leaves, key=lambda found: made.get(found[2].variables[0], -1)))

    def _settled(
        self, found: Iterable[tuple[Operator | None, Variable, Any]]
    ) -> Iterator[tuple[Operator | None, Variable, Variable]]:
        for maker, variable, grad in found:
            yield maker, variable, self.settle(grad, variable, maker)

    def reader(self, tape: Tape, useful_only: bool = False) -> Callable[..., Sequence[Any]]:
        """Return a function that runs a node's rules: it appends Operators, and returns Partials.

        An Operator of the script gets gradients for all inputs that let them pass, used or not, as in Paddle; one of a
        rule (`useful_only`), and a gradient Operator, only for useful inputs.
        """

        def read(node: Node, grads: Sequence[Any], useful: Sequence[bool] | None = None) -> Sequence[Any]:
            op: Any = node.op
            outs = tape.outputs[node]
            whole = [None if grad is None else self.settle(grad, out, op) for grad, out in zip(grads, outs)]
            wanted = [edge is not None for edge in node.edges]
            if useful is not None and (useful_only or isinstance(op, GradOperator)):
                wanted = [one and other for one, other in zip(wanted, useful, strict=True)]
            start, reads = len(self.block.ops), op.reads()
            before, here.path = here.path, op.namescope
            try:
                answers = op.gradients(self, whole, wanted)
            finally:
                here.path = before
            self._tell_of(op, self.block.ops[start:], whole, reads, answers)
            tape.snapshots.provide(op, [*reads, *outs], self.block.ops[start:])
            return [Partial(one) if isinstance(one, Variable) else one for one in answers]

        return read

    def _tell_of(
        self,
        origin: Operator,
        new: Sequence[Operator],
        incoming: Sequence[Any],
        reads: Sequence[Any],
        answers: Sequence[Any],
    ) -> None:
        """Store with the `new` Operators their part in the gradient of `origin`."""
        pairs: dict[Variable, list[tuple[int, Variable, Variable]]] = {}
        for one in new:
            one.where = origin.where  # the user's forward line, not minimize()'s
            one.pass_number = self.pass_number
            if one.origin is origin:
                one.gradients_in = self._gradients_into(one, incoming)
                found: list[tuple[int, Variable, Variable]] = []
                one.gradient_pairs = found
                pairs.update((out, found) for out in one.writes())
        for place, (given, answer) in enumerate(zip(reads, answers)):
            for variable in answer.variables if isinstance(answer, Partial) else [answer]:
                if variable in pairs:
                    pairs[variable].append((place, given, variable))

    def _gradients_into(self, op: Operator, incoming: Sequence[Any]) -> list[Any]:
        """Return the inputs of an Operator that are gradients, such as zeros for an output without a gradient."""
        if isinstance(op, GradOperator):
            return op.by_output()
        known = set(incoming)
        listed = [one for slot in op.inputs.values() for one in slot if one is not None]
        return [one for one in listed if one in known or one in self._made]

    def append(self, op: Operator) -> None:
        """Append `op`, and call the user's callbacks."""
        op.pass_number = self.pass_number
        self.block.add_op(op)
        self._tell(op)

    def _tell(self, op: Operator) -> None:
        for callback in self.callbacks:
            callback(self.block, {op.type: op})

    def inside(self, forward: Block) -> GradMaker:
        """Return a maker for the gradient of a Block, with a new Block to append to."""
        block = self.block.program.new_block(self.block, forward)
        return GradMaker(block, forward, self.stops, self.callbacks)

    # -- the gradient of a call -----------------------------------------------------------------------------------

    def of_table_operator(
        self, op: TableOperator, grads: Sequence[Any], wanted: Sequence[bool]
    ) -> Sequence[Any]:
        """Append ``TYPE_grad``, or the rules' replacement for it in a Program."""
        definition = op.definition
        places = range(len(grads)) if definition.list_output else definition.differentiable
        outs = op.writes()
        full = [
            self.zeros(outs[place])
            if grads[place] is None and (definition.list_output or place in op.shown.grad_takes)
            else grads[place]
            for place in places
        ]
        given = op.variables()
        wanted = [one and self._ruled(definition, place) for place, one in enumerate(wanted[: len(given)])]
        results = [
            self.new_like(variable) if asked else None for variable, asked in zip(given, wanted, strict=True)
        ]
        call = GradOperator(self.block, op, full, results)
        if any(rule.program for rule in definition.rules):
            return rules.read_rules(self, call, full, wanted, program=True)
        self.append(call)
        return results

    of_grad_operator = rules.of_grad_operator
    back_through = rules.back_through

    @staticmethod
    def summed(inputs: Sequence[Variable], results: Sequence[Any], reads: Sequence[Any]) -> list[Any]:
        """Return the gradient of each of `reads`, given the gradients of `inputs`, which may repeat."""
        found: dict[Variable, Partial] = {}
        for variable, result in zip(inputs, results, strict=True):
            if result is not None and variable in found:
                joined(None, found[variable], Partial(result))
            elif result is not None:
                found[variable] = Partial(result)
        return [found.get(variable) for variable in reads]

    @staticmethod
    def _ruled(definition: Any, place: int) -> bool:
        return any(rule.input == place or (rule.is_list and place >= rule.input) for rule in definition.rules)

    # -- Variables ------------------------------------------------------------------------------------------------

    def new_like(self, variable: Variable) -> Variable:
        """Return a Variable for a gradient of `variable`; it is named later, in :meth:`settle`."""
        made = variable.gradient_in(self.block, self._placeholder())
        self._note(made)
        return made

    def _note(self, gradient: Variable) -> None:
        self._made[gradient] = None
        self._nameless.add(gradient)

    def _placeholder(self) -> str:
        return f"@GRAD@{next(self._numbers)}"

    def named_like(self, variable: Variable) -> Variable:
        """Return a named Variable for the gradient of `variable`."""
        made = self.new_like(variable)
        self._name(made, self.grad_name(variable))
        return made

    def grad_name(self, variable: Variable) -> str:
        """Return ``x@GRAD``, after one ``grad/`` per earlier call of backward if that exists already."""
        name = f"{variable.name}@GRAD"
        return name if name not in self.block.vars else "grad/" * self.block.program.backward_calls + name

    def _name(self, variable: Variable, name: str) -> None:
        if variable in self._nameless:
            self._nameless.remove(variable)
            variable.name = name

    def enter(self) -> None:
        """Add the Variables that an Operator writes to the Block, in alphabetical order as in Paddle."""
        kept = written_in(self.block.ops)
        for variable in sorted(self._made, key=lambda one: one.name):
            if variable in kept:
                self.block.add(variable)
        self.block.program.prepared.clear()

    def zeros(self, variable: Variable) -> Variable:
        """Append zeros for an output without a gradient."""
        zero = self.named_like(variable)
        self._call(fill_any_like, [variable], zero, {"value": 0.0, "dtype": None})
        return zero

    def settle(self, grad: Partial, variable: Variable, maker: Operator | None = None) -> Variable:
        """Return the one Variable for `grad`, the whole gradient of `variable`; append a ``sum`` if needed.

        `maker` is the Operator that the gradient arrives at; None: `variable` was there before.
        """
        if grad.whole is None:
            grad.whole = self._added_up(grad, variable, maker)
        return grad.whole

    def _added_up(self, grad: Partial, variable: Variable, maker: Operator | None) -> Variable:
        name = self.grad_name(variable)
        if len(grad.variables) == 1:
            self._name(grad.variables[0], name)
            return grad.variables[0]
        for number, part in enumerate(grad.variables):
            self._name(part, f"{name}@RENAME@block{self.forward.idx}@{number}")
        whole = self.named_like(variable)
        self._call(sum_op, grad.variables, whole, {})
        by = variable.op or grad.variables[0].op  # for a leaf, the Operator that used it
        total = self.block.ops[-1]
        total.where, total.sums = None if by is None else by.where, (maker, variable)
        return whole

    def _call(self, definition: Any, inputs: Sequence[Any], out: Variable, attrs: dict[str, Any]) -> None:
        call = TableOperator(self.block, definition, inputs, [out], attrs)
        call.role = Role.BACKWARD
        self.append(call)
