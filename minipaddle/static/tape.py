"""Tape: a Block read as the reverse walk reads the eager tape; Partial: what flows along it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from minipaddle.core.record import Edge, Leaf, Node, Port, Record
from minipaddle.static.operator import Operator
from minipaddle.static.snapshots import Snapshots
from minipaddle.static.variable import Variable

__all__ = ["Partial", "Tape"]


class Partial:
    """A gradient on its way: the sum of these Variables, in the order in which they were made."""

    __slots__ = ("variables", "whole")

    def __init__(self, variable: Variable) -> None:
        self.variables = [variable]
        self.whole: Variable | None = None
        """The one Variable that holds it, once it was needed."""

    def __add__(self, other: Partial) -> Partial:
        # The walk has no use for the parts once it has the sum; a new list for each would make long sums quadratic.
        self.variables += other.variables
        return self


class Tape:
    """The Operators of a Block as Records: which edge every Variable has, and had when it was read.

    Args:
        operators: in the order in which they run.
        stops: whether gradients stop at a Variable.
        paged: see :class:`minipaddle.static.snapshots.Snapshots`.
    """

    def __init__(
        self,
        operators: Sequence[Operator],
        stops: Callable[[Variable], bool],
        paged: Collection[Variable] = (),
    ) -> None:
        self.snapshots = Snapshots(operators, paged)
        self._stops = stops
        self._edges: dict[Variable, Edge | None] = {}
        self._first: dict[Variable, Edge | None] = {}
        self.outputs: dict[Node, list[Variable]] = {}
        """The Variables that belong to a node."""
        for op in operators:
            self._record(op)

    def edge(self, variable: Variable | None) -> Edge | None:
        """Return where a gradient of `variable` goes; None if it stops."""
        if variable is None:
            return None
        if variable not in self._edges:
            self._write(variable, None if self._stops(variable) else self._leaf(variable))
        return self._edges[variable]

    def _write(self, variable: Variable, edge: Edge | None) -> None:
        self._edges[variable] = edge
        self._first.setdefault(variable, edge)

    def first_edge(self, variable: Variable) -> Edge | None:
        """Return where a gradient of `variable` goes as it was before anything wrote over it, as a loop does."""
        return self._first.get(variable, self.edge(variable))

    def _leaf(self, variable: Variable) -> Leaf:
        leaf = Leaf(variable)
        self.outputs[leaf] = [variable]
        return leaf

    def _record(self, op: Operator) -> None:
        edges = tuple([self.edge(variable) for variable in op.reads()]) if op.flows() else ()
        outs = op.writes()
        if edges.count(None) == len(edges):  # nothing goes on, but what arrives here is written all the same
            for out in outs:
                self._write(out, None if self._stops(out) else self._leaf(out))
            return
        unfit: Any = op  # a Record's `op` is what runs it; here that is the Operator itself
        record = Record(unfit, {}, edges, unfit, ())
        self.outputs[record] = outs
        if len(outs) > 1:
            record.metas = [out.meta for out in outs]
        for index, out in enumerate(outs):
            edge = record if len(outs) == 1 else Port(record, index)
            self._write(out, None if self._stops(out) else edge)
