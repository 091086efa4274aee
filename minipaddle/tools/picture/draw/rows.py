"""Which row a node stands on: a picture reads from above to below as the script ran.

With columns, an operator, its rules of earlier passes and their rules stand beside each other: the rows that one
operator of the forward run takes are its region. It stands on the first of them, its rule in each column begins there,
too, and reads upwards, as gradients do; what differentiates either is on its row.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from minipaddle.tools.picture.model.graph import Graph, Node

_Level = tuple[float, float, float]
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


def _side_by_side(graph: Graph, heights: dict[str, _Level]) -> dict[str, _Level]:
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


def _forward(graph: Graph) -> dict[str, _Level]:
    """Return the heights of the forward side: regions one below the other, in the order of the run."""
    rules: dict[str, list[Node]] = defaultdict(list)
    alone: list[Node] = []
    first: list[Node] = []
    for node in graph.nodes.values():
        if node.side == "forward":
            (rules[node.twin] if node.twin else alone if node.column else first).append(node)
    heights: dict[str, _Level] = {}
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


def _add_alone(graph: Graph, alone: list[Node], heights: dict[str, _Level]) -> None:
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


def _add_others(graph: Graph, heights: dict[str, _Level]) -> None:
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


_Height = tuple[float, int]
"""A row that is not yet numbered: the row of the forward side that it is next to, and its place among such rows."""


def rows_of(graph: Graph, layout: str) -> dict[str, int]:
    """Return the row of each node, from 0 at the top: beside its twin in a mirror, else one a step."""
    if layout != "mirror":
        return {id_: row for row, id_ in enumerate(graph.nodes)}
    return rows_in_regions(graph) if graph.columns > 1 else _mirrored(graph)


def _mirrored(graph: Graph) -> dict[str, int]:
    """Return the rows of a mirror: forward in the order in which it ran, the other side beside it."""
    forward = [node for node in graph.nodes.values() if node.side == "forward"]
    backward = [node for node in graph.nodes.values() if node.side == "backward"]
    twin = {other: id_ for id_, other in graph.rows()}
    heights: dict[str, _Height] = {node.id: (float(row), 0) for row, node in enumerate(forward)}
    beside = float(len(forward)), 0
    for run in _runs(graph, backward):
        anchor = run[-1]
        row_of = twin.get(anchor.id, "")
        if row_of in heights:
            beside = heights[row_of]
            heights[anchor.id] = beside
            for distance, node in enumerate(reversed(run[:-1]), 1):
                heights[node.id] = (beside[0] + 0.5, -len(backward) * 2 + distance)
            continue
        for node in run:
            row, place = beside
            beside = (row, place - 1) if row % 1 else (row - 0.5, len(backward))
            heights[node.id] = beside
    for node in graph.nodes.values():
        if node.side == "update":  # on the row of its parameter, or of the rule before it
            heights[node.id] = heights.get(node.twin or "", beside)
    number = {height: row for row, height in enumerate(sorted(set(heights.values())))}
    return {id_: number[height] for id_, height in heights.items()}


def _runs(graph: Graph, nodes: list[Node]) -> list[list[Node]]:
    """Group the nodes of a frame, which ran one after the other and end with the PyLayer; others are alone."""
    runs: list[list[Node]] = []
    last: str | None = None
    for node in nodes:
        bodies = [id_ for id_ in graph.frames_of(node.cluster) if graph.clusters[id_].kind == "body"]
        frame = bodies[-1] if bodies else None
        if frame is not None and frame == last:
            runs[-1].append(node)
        else:
            runs.append([node])
        last = frame
    return runs
