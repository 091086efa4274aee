"""The row of each node: from top to bottom in the order of the run."""

from minipaddle.tools.picture.model.graph import Graph, Node

_Height = tuple[float, int]
"""A row without a number yet: the forward row next to it, and its position among such rows."""


def rows_of(graph: Graph, layout: str) -> dict[str, int]:
    """Return the row of each node, from 0 at the top: in a mirror beside its counterpart, else one per node."""
    if layout != "mirror":
        return {id_: row for row, id_ in enumerate(graph.nodes)}
    forward = [node for node in graph.nodes.values() if node.side == "forward"]
    backward = [node for node in graph.nodes.values() if node.side == "backward"]
    twin = {other: id_ for id_, other in graph.rows()}
    heights: dict[str, _Height] = {node.id: (float(row), 0) for row, node in enumerate(forward)}
    beside = float(len(forward)), 0
    tops: dict[str, _Height] = {}  # frame of an earlier pass -> the highest of its rows so far
    left: set[str] = set()  # the frames around the last node: a node outside of them is above them
    for run in _runs(graph, backward):
        anchor = run[-1]
        row_of = twin.get(anchor.id, "")
        if row_of in heights:
            beside = heights[row_of]
            heights[anchor.id] = beside
            left = {id_ for id_ in graph.frames_of(anchor.cluster) if graph.clusters[id_].earlier}
            tops |= {id_: min(beside, tops.get(id_, beside)) for id_ in left}
            for distance, node in enumerate(reversed(run[:-1]), 1):
                heights[node.id] = (beside[0] + 0.5, -len(backward) * 2 + distance)
            continue
        for node in run:
            outside = left - {*graph.frames_of(node.cluster)}
            row, place = min([beside, *(tops[frame] for frame in outside)])
            beside = (row, place - 1) if row % 1 else (row - 0.5, len(backward))
            heights[node.id] = beside
    for node in graph.nodes.values():
        if node.side == "update":  # on the row of its parameter, or of the rule before it
            heights[node.id] = heights.get(node.twin or "", beside)
    number = {height: row for row, height in enumerate(sorted(set(heights.values())))}
    return {id_: number[height] for id_, height in heights.items()}


def _runs(graph: Graph, nodes: list[Node]) -> list[list[Node]]:
    """Return the nodes in groups: consecutive nodes of one PyLayer body together, others alone."""
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
