"""A graph as textbooks draw it: formulas and ∂L/∂x in the boxes, the local derivative on each red arrow.

A box of the backward side has the derivative that came to it, and an arrow out of it what that is multiplied by. Read
next: :mod:`minipaddle.tools.explain.local`.
"""

from dataclasses import replace
from itertools import chain

from rich.cells import cell_len

from minipaddle.tools.explain.local import Names, is_one, local, mathematical
from minipaddle.tools.explain.symbols.mode import FUNCTIONS
from minipaddle.tools.explain.why import why
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.model.graph import Edge, Graph, Node
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.kinds import Grad
from minipaddle.tools.words.numbers import clean, few_numbers, shape_text

_LONGEST = 26
"""Cells of a formula in a box; a longer one gives way to a call of the operator, or to its name."""

_MANY = 16
"""Inputs of an operator: no formula of more would fit, and each takes time to read."""


def textbook(graph: Graph, options: Options) -> Graph:
    """Return `graph` with mathematical names and local derivatives."""
    found = _Textbook(graph.trace, options.values != "none")
    nodes = {id_: replace(node, lines=found.lines(node)) for id_, node in graph.nodes.items()}
    edges = (edge._replace(label=found.label(edge, graph.nodes[edge.tail])) for edge in graph.edges)
    return replace(graph, nodes=nodes, edges=dict.fromkeys(edges))


class _Textbook:
    """Says what stands in boxes and at arrows; with `numbers`, also numbers."""

    def __init__(self, trace: Trace, numbers: bool) -> None:
        self.trace, self.numbers = trace, numbers
        self.names = Names(trace)

    def lines(self, node: Node) -> tuple[str, ...]:
        """Return the lines in the box of a node; () for the usual ones."""
        first = node.before is None and node.into != "passed"
        match node.kind:
            case "data" | "parameter" | "store" if node.results and (node.kind != "store" or first):
                return self._valued(self.names.of(node.results[0]), node.results[0])
            case "op" | "rule" | "pylayer" if len(node.results) == 1:
                return self._valued(self._formula(node), node.results[0])
            case "grad" | "pylayer_grad":
                lines = (self._valued(self.names.of(value), value) for value in node.takes)
                return tuple(chain.from_iterable(lines))
            case "seed":
                (seed,) = node.results
                return ("1",) if is_one(seed) else self._valued(self.names.weights, seed)
        return ()

    def _valued(self, name: str, value: Value) -> tuple[str, ...]:
        """Return a name with its number on the same line if it is one; with the shape below it if it is an array."""
        if value.shape not in ((), (1,)):
            return (name, "×".join(map(str, value.shape)) if len(value.shape) > 1 else shape_text(value))
        few = mathematical(few_numbers(value)) if self.numbers else ""
        return (f"{name} = {few}" if few and not name.endswith(f" = {few}") else name,)

    def _formula(self, node: Node) -> str:
        """Return ``a = x⋅y`` for the operator of a node, or its result and its name where that is long."""
        (made,) = node.results
        event, name = self.trace.events[node.event or 0], self.names.of(made)
        said = called = f"{node.title}({', '.join(value.name for value in node.takes)})"
        if event.op not in FUNCTIONS and len(event.inputs) <= _MANY:
            found = why(self.trace, event).formulas.get(made.id, said)
            said = found.removeprefix(f"{made.name} = ")
        texts = (f"{name} = {self.names.put(mathematical(clean(one)), node.takes)}" for one in (said, called))
        short = (text for text in texts if cell_len(text) <= _LONGEST)
        return next(short, f"{name} = {node.title}")

    def label(self, edge: Edge, tail: Node) -> str:
        """Return the label of an arrow: on a gradient's, the local derivative by which it was multiplied."""
        event = None if tail.event is None else self.trace.events[tail.event]
        if edge.kind != "gradient":
            return self.names.put(edge.label, edge.values)
        if not isinstance(event, Grad) or len(edge.values) != 1 or edge.values[0].id not in event.outputs:
            return ""
        (made,) = edge.values
        found = local(self.trace, event, made) if len(event.outputs) <= _MANY else ""
        return self.names.put(
            clean(found), self.trace.known(self.trace.of_forward(event))
        ) or self.names.step(event, made)
