"""Smaller graphs: a part of a graph, or the whole with groups of nodes drawn as one."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from minipaddle.tools.picture.model.graph import Cluster, Edge, Graph, Node, names_of
from minipaddle.tools.record.term_shares import contribution
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase
from minipaddle.tools.words.numbers import in_short


def only(graph: Graph, ids: Collection[str]) -> Graph:
    """Return the part of `graph` with the nodes `ids`, in the order they had."""
    nodes = [node for node in graph.nodes.values() if node.id in ids]
    edges = [edge for edge in graph.edges if edge.tail in ids and edge.head in ids]
    return _made(graph, nodes, edges, graph.clusters, {})


def matching(graph: Graph, pattern: re.Pattern[str] | None) -> set[str]:
    """Return the nodes of which a text matches; none without a pattern."""
    nodes = graph.nodes.values() if pattern is not None else ()
    return {node.id for node in nodes if pattern and any(map(pattern.search, texts_of(node)))}


def texts_of(node: Node) -> list[str]:
    """Return all that a node can be found by: its names, those of its results, its line and its state."""
    names = [value.name for value in node.results]
    return [node.id, node.title, node.op, node.where, node.state, *names]


def near(graph: Graph, ids: Collection[str], steps: int) -> dict[str, int]:
    """Return the distance of each node within `steps` from the nearest of `ids`, which have 0.

    A step follows an arrow in either direction, or goes to the twin.
    """
    arrows = ((edge.tail, edge.head) for edge in graph.edges if edge.kind != "order")
    twins = ((node.twin, id_) for id_, node in graph.nodes.items() if node.twin in graph.nodes)
    joined = grouped(pair for one, other in (*arrows, *twins) for pair in ((one, other), (other, one)))
    distance = dict.fromkeys(ids, 0)
    border = set(ids)
    for step in range(1, steps + 1):
        border = {other for id_ in border for other in joined.get(id_, ())} - distance.keys()
        distance |= dict.fromkeys(border, step)
    return distance


def quotient(
    graph: Graph,
    group: Mapping[str, str],
    stand_ins: Mapping[str, Node],
    clusters: Mapping[str, Cluster] | None = None,
) -> Graph:
    """Return `graph` with every node of a group drawn as one.

    Args:
        graph: the graph to make smaller.
        group: id of a node -> id of the node drawn in its place. Other nodes stay.
        stand_ins: the nodes drawn in place of groups. A new one comes at the position of its group's last node, not
            counting stored gradients, which come at the end.
        clusters: frames instead of those of `graph`.
    """
    ran = [id_ for id_, node in graph.nodes.items() if id_ in group and node.kind != "store"]
    last = {group[id_]: id_ for id_ in [*(id_ for id_ in graph.nodes if id_ in group), *ran]}
    nodes: list[Node] = []
    for id_, node in graph.nodes.items():
        target = group.get(id_)
        if target is None or target == id_:
            nodes.append(stand_ins.get(id_, node))
        elif target not in graph.nodes and last[target] == id_:
            nodes.append(stand_ins[target])
    return _made(graph, nodes, _merged(graph.edges, group), clusters or graph.clusters, group)


def sums_last(graph: Graph) -> Graph:
    """Return `graph` with each sum behind the last node that gives a term of it."""
    place = {id_: (number, False) for number, id_ in enumerate(graph.nodes)}
    for edge in graph.edges:
        if graph.nodes[edge.head].kind == "accumulate":
            place[edge.head] = max(place[edge.tail], place[edge.head])[0], True
    return replace(graph, nodes={id_: graph.nodes[id_] for id_ in sorted(place, key=place.__getitem__)})


def standing_for(node: Node, members: Sequence[Node]) -> Node:
    """Return `node` as the stand-in for all `members`, itself included."""
    rounds = tuple(node for one in members for node in one.rounds or (one,))
    count = sum(one.count for one in members)
    states = [node.state for node in rounds]
    state = next(filter(None, states), "")
    if set(states) != {state}:  # only some rounds have it
        state = phrase("{state} ({count} of {all})", state=state, count=states.count(state), all=len(rounds))
    return replace(node, count=count, state=state, rounds=rounds)


def _merged(edges: Iterable[Edge], group: Mapping[str, str]) -> list[Edge]:
    """Return the merged edges, one for each pair of nodes and kind."""
    merged: dict[tuple[str, str, str, int], list[Edge]] = {}
    for edge in edges:
        tail, head = group.get(edge.tail, edge.tail), group.get(edge.head, edge.head)
        slot = 0 if edge.tail in group or edge.head in group else edge.slot
        if tail != head:
            merged.setdefault((tail, head, edge.kind, slot), []).append(edge)
    return [_as_one(several, tail, head, slot) for (tail, head, _, slot), several in merged.items()]


def _as_one(edges: list[Edge], tail: str, head: str, slot: int) -> Edge:
    """Return the edge in the place of `edges`: a single one that did not move is itself."""
    first = edges[0]
    stays = len(edges) == 1 and (first.tail, first.head, first.slot) == (tail, head, slot)
    label = first.label if len(edges) == 1 and first.kind != "saved" else _label_of(edges)
    if stays and label == first.label:
        return first
    values = tuple(value for edge in edges for value in edge.values)
    return first._replace(tail=tail, head=head, slot=slot, label=label, values=values, share=_share_of(edges))


def _share_of(edges: list[Edge]) -> float | None:
    """Return the total share of edges into one sum; None if they lead to several, or it is unknown."""
    known = [edge.share for edge in edges if edge.share is not None]
    one_sum = len({edge.head for edge in edges}) == 1
    return sum(known) if one_sum and len(known) == len(edges) else None


def _label_of(edges: list[Edge]) -> str:
    """Return the label of a merged edge: its saved values, share, or labels with counts."""
    values = [value for edge in edges for value in edge.values]
    if edges[0].kind == "saved":
        return names_of(values)
    if _share_of(edges) is not None and len(edges) > 1:
        return contribution(values, _share_of(edges))
    labels = [edge.label for edge in edges if edge.label]
    if labels and edges[0].kind == "gradient" and len({value.id for value in values}) > 1:
        return names_of(values)  # whose numbers are whose?
    return in_short(labels)


def _made(
    graph: Graph,
    nodes: Iterable[Node],
    edges: Iterable[Edge],
    clusters: Mapping[str, Cluster],
    group: Mapping[str, str],
) -> Graph:
    """Return a graph of these parts, without twins that are gone and without empty frames."""
    smaller = replace(graph, nodes={}, clusters=dict(clusters), edges=dict.fromkeys(edges), closed="")
    kept = {node.id: node for node in nodes}
    for node in kept.values():
        twin = group.get(node.twin or "", node.twin)
        twin = twin if twin in kept else None
        smaller.add(node if twin == node.twin else replace(node, twin=twin))
    used: set[str] = set()
    for node in kept.values():
        used.update(takewhile(lambda id_: id_ not in used, smaller.frames_of(node.cluster)))
    smaller.clusters = {id_: cluster for id_, cluster in clusters.items() if id_ in used}
    return smaller
