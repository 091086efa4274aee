"""Tape: a Block in the form that the reverse walk reads; Partial: a gradient on it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from minipaddle.engine.tape.node import AccumulateGrad, AnyNode, Edge, Node
from minipaddle.engine.walk.walk import useful_nodes
from minipaddle.ops.creation.assign import assign_op
from minipaddle.paddle.static.program import Operator, Role, TableOperator, Variable
from minipaddle.paddle.static.program.clone import exchange_inside


class Partial:
    """A gradient during the walk: the sum of these Variables, in the order of their creation."""

    __slots__ = ("variables", "whole")

    def __init__(self, variable: Variable) -> None:
        self.variables = [variable]
        self.whole: Variable | None = None
        """The one Variable that holds it, after its first use."""


def joined(edge: Edge | None, so_far: Partial, new: Partial) -> Partial:
    """Return the sum of two gradients that arrive over `edge`: nothing is appended until it is needed."""
    # After the sum the walk does not need its parts; a new list for each would make long sums quadratic.
    so_far.variables += new.variables
    return so_far


class Tape:
    """The Operators of a Block as Nodes: the edge of every Variable, now and when it was read.

    Args:
        operators: in the order in which they run.
        stops: whether gradients stop at a Variable.
        carried: see :class:`minipaddle.paddle.static.gradient.tape.Snapshots`.
        changed: Variables from around the Block that it writes.
    """

    def __init__(
        self,
        operators: Sequence[Operator],
        stops: Callable[[Variable], bool],
        carried: Collection[Variable] = (),
        changed: Collection[Variable] = (),
    ) -> None:
        written = [op.writes() for op in operators]
        self.snapshots = Snapshots(operators, written, carried)
        self.from_around = frozenset((*carried, *changed))
        self._stops = stops
        self._edges: dict[Variable, Edge | None] = {}
        self._first: dict[Variable, Edge | None] = {}
        self.outputs: dict[AnyNode, list[Variable]] = {}
        """The Variables that belong to a node."""
        self.makers: dict[AnyNode, Operator] = {}
        """The Operator of each node; none for a leaf from before the Block."""
        for op, outs in zip(operators, written, strict=True):
            self._add(op, outs)

    def edge(self, variable: Variable | None) -> Edge | None:
        """Return the edge of `variable`; None if gradients stop."""
        if variable is None:
            return None
        if variable not in self._edges:
            self._write(variable, None if self._stops(variable) else self._leaf(variable))
        return self._edges[variable]

    def _write(self, variable: Variable, edge: Edge | None) -> None:
        self._edges[variable] = edge
        self._first.setdefault(variable, edge)

    def first_edge(self, variable: Variable) -> Edge | None:
        """Return the edge of `variable` before any overwriting, such as by a loop."""
        return self._first.get(variable, self.edge(variable))

    def seeds(self, starts: Iterable[tuple[Variable, Any]]) -> list[tuple[Edge, Partial]]:
        """Return the seeds of a walk, from Variables with their gradients; None and stopping Variables are skipped."""
        found = [(self.edge(variable), grad) for variable, grad in starts]
        return [(edge, Partial(grad)) for edge, grad in found if edge is not None and grad is not None]

    def between(self, seeds: Sequence[tuple[Edge, Partial]], sources: Iterable[Variable]) -> set[AnyNode]:
        """Return the nodes through which gradients from `seeds` reach the `sources`, as these were at first."""
        ends = [self.first_edge(variable) for variable in sources]
        return useful_nodes([edge for edge, _ in seeds], [edge for edge in ends if edge is not None])

    def _leaf(self, variable: Variable) -> AccumulateGrad:
        leaf = AccumulateGrad(variable)
        self.outputs[leaf] = [variable]
        return leaf

    def _add(self, op: Operator, outs: list[Variable]) -> None:
        edges = tuple([self.edge(variable) for variable in op.reads()]) if op.flows else ()
        if edges.count(None) == len(edges):  # no input gets a gradient, but output gradients are stored
            for out in outs:
                leaf = None if self._stops(out) else self._leaf(out)
                self._write(out, leaf)
                if leaf is not None:
                    self.makers[leaf] = op
            return
        unfit: Any = op  # a Node's `op` runs it; here `op` is the Operator itself
        node = Node(unfit, {}, edges, unfit, ())
        self.outputs[node], self.makers[node] = outs, op
        if len(outs) > 1:
            node.metas = [out.meta for out in outs]
        for index, out in enumerate(outs):
            edge = node if len(outs) == 1 else (node, index)
            self._write(out, None if self._stops(out) else edge)


class Snapshots:
    """Gives gradient Operators the values that their forward Operators used.

    Persistable Variables are left out: a parameter has the value at the time of reading, as in Paddle.

    Args:
        operators: the Block that is differentiated.
        written: the Variables that each of them writes.
        carried: Variables whose values at the start of the Block its gradient finds: the loop variables.
    """

    def __init__(
        self, operators: Sequence[Operator], written: Iterable[list[Variable]], carried: Collection[Variable]
    ) -> None:
        self.carried = frozenset(carried)
        self._places = {op: place for place, op in enumerate(operators)}
        self._writes: dict[Variable, list[int]] = {}
        for place, variables in enumerate(written):
            for variable in variables:
                self._writes.setdefault(variable, []).append(place)

    def provide(self, forward: Operator, used: Iterable[Any], gradient: Sequence[Operator]) -> None:
        """Make `gradient`, the gradient Operators of `forward`, read the values that `forward` `used`."""
        known = {one for one in used if one in self._writes}  # no gradients
        needed = dict.fromkeys(one for op in gradient for one in op.works_with() if one in known)
        old = {one: self._copied(one, forward) for one in needed if self._is_old(one, forward)}
        if old:
            for op in gradient:
                exchange_inside(op, lambda variable: old.get(variable, variable))

    def _version(self, variable: Variable, forward: Operator) -> int:
        """Return how often `variable` had been written when `forward` used or made it."""
        count = bisect_right if _made_by(forward, variable) else bisect_left
        return count(self._writes[variable], self._places[forward])

    def _is_old(self, variable: Variable, forward: Operator) -> bool:
        last = 0 if variable in self.carried else len(self._writes[variable])
        return not variable.stays and self._version(variable, forward) != last

    def _copied(self, variable: Variable, forward: Operator) -> Variable:
        """Return the copy of `variable` with the value that `forward` used; append it next to `forward` if missing."""
        block, name = forward.block, f"{variable.name}@VERSION@{self._version(variable, forward)}"
        if name not in block.vars:
            made = Variable(block, name, variable.meta, stop_gradient=variable.stop_gradient)
            call = TableOperator(block, assign_op, [variable], [block.add(made)], {})
            call.role, call.where = Role.BACKWARD, forward.where
            block.add_op(call, block.ops.index(forward) + _made_by(forward, variable))
        return block.vars[name]


def _made_by(op: Operator, variable: Variable) -> bool:
    return any(one is variable for one in op.writes())
