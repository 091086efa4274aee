"""Rows of a picture with columns: an operator, its rules of earlier passes and their rules stand beside each other.

The rows that one operator of the forward run takes are its region. It stands on the first of them, its rule in each
column begins there, too, and reads upwards, as gradients do; what differentiates either is on the row of that.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from minipaddle.tools.picture.model.graph import Graph, Node

_Height = tuple[float, float, float]
"""A row that is not yet numbered: region, row in it, and place among those that stand between two such rows."""


@dataclass
class _Region:
    """Rows of some nodes, from 0, and which of them are taken in each column."""

    rows: dict[str, int] = field(default_factory=dict)
    taken: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def height(self) -> int:
        return 1 + max(self.rows.values(), default=-1)

    def add(self, other: _Region, first: int = 0) -> int:
        """Add another one at the first place from `first` on where none of its columns is taken; return that."""
        while any(
            low < till + first + 1 and since + first < high + 1
            for column, spans in other.taken.items()
            for since, till in spans
            for low, high in self.taken[column]
        ):
            first += 1
        self.rows |= {id_: row + first for id_, row in other.rows.items()}
        for column, spans in other.taken.items():
            low, high = min(since for since, _ in spans), max(till for _, till in spans)
            self.taken[column].append((low + first, high + first))
        return first


def rows_in_regions(graph: Graph) -> dict[str, int]:
    """Return the row of each node, from 0 at the top."""
    heights = _forward(graph)
    _add_others(graph, heights)
    heights = _side_by_side(graph, heights)
    number = {height: row for row, height in enumerate(sorted(set(heights.values())))}
    return {id_: number[height] for id_, height in heights.items()}


def _side_by_side(graph: Graph, heights: dict[str, _Height]) -> dict[str, _Height]:
    """Let what stands between the same two rows begin on one row in each column."""
    there: dict[tuple[float, float, int], set[float]] = defaultdict(set)
    for id_, (region, row, place) in heights.items():
        there[region, row, column_of(graph, graph.nodes[id_])].add(place)
    places = {where: sorted(several) for where, several in there.items()}
    return {
        id_: (region, row, float(places[region, row, column_of(graph, graph.nodes[id_])].index(place)))
        for id_, (region, row, place) in heights.items()
    }


def column_of(graph: Graph, node: Node) -> int:
    """Return the column that a node stands in, from the left: those of backward are the mirror of those of forward."""
    if node.side == "update":
        return 2 * graph.columns
    return node.column if node.side == "forward" else 2 * graph.columns - 1 - node.column


def _forward(graph: Graph) -> dict[str, _Height]:
    """Return the heights of the forward side: regions one below the other, in the order of the run."""
    rules: dict[str, list[Node]] = defaultdict(list)
    alone: list[Node] = []
    first: list[Node] = []
    for node in graph.nodes.values():
        if node.side == "forward":
            (rules[node.twin] if node.twin else alone if node.column else first).append(node)
    heights: dict[str, _Height] = {}
    for number, node in enumerate(first):
        region = _region(node, rules)
        heights |= {id_: (float(number), float(row), 0.0) for id_, row in region.rows.items()}
    _add_alone(graph, alone, heights)
    return heights


def _region(node: Node, rules: dict[str, list[Node]]) -> _Region:
    """Return the rows of a node and of its rules, a column after the other."""
    region = _Region({node.id: 0}, defaultdict(list, {node.column: [(0, 0)]}))
    columns: dict[int, _Region] = {}
    for rule in reversed(rules[node.id]):  # from below upwards
        block = columns.setdefault(rule.column, _Region())
        block.add(_region(rule, rules), block.height)
    for _, block in sorted(columns.items()):
        region.add(block)
    return region


def _add_alone(graph: Graph, alone: list[Node], heights: dict[str, _Height]) -> None:
    """Add what belongs to no operator: a sum above the region of what ran before it there, a leaf below its user's."""
    anchored = set(heights)
    users = {edge.tail: edge.head for edge in reversed(graph.edges) if edge.head in anchored}
    for column in {node.column for node in alone}:
        ran = [node.id for node in graph.nodes.values() if node.side == "forward" and node.column == column]
        region = next((heights[id_][0] + 1 for id_ in ran if id_ in anchored), 0.0)
        for place, id_ in enumerate(ran):
            if id_ in anchored:
                region = heights[id_][0]
            elif id_ in users and graph.nodes[id_].is_leaf:
                heights[id_] = heights[users[id_]][0] + 0.5, 0.0, float(place)
            else:
                heights[id_] = region - 0.5, 0.0, -float(place)


def _add_others(graph: Graph, heights: dict[str, _Height]) -> None:
    """Add the drawn pass: what has a twin beside it, the rest next to what it leads to, where it comes from."""
    beside = {other: forward for forward, other in graph.rows()}
    heads = graph.heads("gradient", "value", "order")
    others = [node for node in graph.nodes.values() if node.side != "forward"]
    anchors: dict[str, str] = {}
    last = 0.0
    for place, node in enumerate(reversed(others), 1):
        twin = beside.get(node.id) or (node.twin if node.side == "update" else None) or ""
        anchor = anchors.get(heads.get(node.id, ""), "")
        if twin in heights:
            anchors[node.id] = node.id
            heights[node.id] = heights[twin]
        elif anchor:
            region, row, _ = heights[anchor]
            anchors[node.id] = anchor
            # in a column gradients come from above, else from below
            heights[node.id] = (
                (region, row - 0.5, -float(place)) if node.column else (region + 0.5, 0.0, float(place))
            )
        else:
            heights[node.id] = (last - 0.5, 0.0, -float(place))
        last = heights[node.id][0]
