"""Frames around the rounds of a repeat that is no layer: ``x = x + f(x)``, a step of a recurrent net."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from minipaddle.tools.picture.model.graph import Cluster, Graph, Side
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase

_MANY = 400
"""From so many nodes on, frames do not help."""


def with_frames(graph: Graph, runs: Iterable[Sequence[Sequence[str]]], taken: Collection[str]) -> Graph:
    """Return a folded graph with a frame around each round of several operators, and one around their rules.

    Args:
        graph: a folded graph: each round is drawn once.
        runs: the operators of each round of each repeat.
        taken: the frames that already stand for rounds: layers, one per round.
    """
    for ids, *more in runs if len(graph.nodes) <= _MANY else ():
        if len(ids) > 1:
            times, forward = 1 + len(more), _with_leaves(graph, ids)
            backward = _rules_of(graph, forward)
            names = f"r{ids[0]}", f"t{ids[0]}"
            graph = _framed(graph, forward, names, "forward", f"×{times}", taken)
            graph = _framed(
                graph, backward, names[::-1], "backward", phrase("backward ×{count}", count=times), taken
            )
    return graph


def _with_leaves(graph: Graph, ids: Sequence[str]) -> set[str]:
    """Return operators with the leaves that only they use, a leaf for each round."""
    leaves = {node.id for node in graph.nodes.values() if node.is_leaf and node.rounds}
    users = grouped((edge.tail, edge.head) for edge in graph.edges if edge.tail in leaves)
    return {*ids, *(leaf for leaf, heads in users.items() if {*heads} <= {*ids})}


def _rules_of(graph: Graph, forward: set[str]) -> set[str]:
    """Return the nodes of the other side that belong to a round, with each round's sums."""
    beside = {node.id for node in graph.nodes.values() if node.side == "backward" and node.twin in forward}
    passes = {bool(graph.nodes[id_].earlier) for id_ in beside}
    sums = [node for node in graph.nodes.values() if node.kind == "accumulate" and node.rounds]
    in_passes = {node.id for node in sums if bool(node.earlier) in passes}
    terms = grouped((edge.head, edge.tail) for edge in graph.edges if edge.head in in_passes)
    return beside | {id_ for id_, tails in terms.items() if {*tails} <= beside}


def _framed(
    graph: Graph, members: set[str], names: tuple[str, ...], side: Side, title: str, taken: Collection[str]
) -> Graph:
    """Return `graph` with a frame around `members`, unless there is one already, or another frame crosses it."""
    around = [list(graph.frames_of(graph.nodes[id_].cluster))[::-1] for id_ in members]
    common = [levels[0] for levels in zip(*around) if len(set(levels)) == 1]
    home = common[-1] if common else None
    inside: dict[str | None, set[str]] = {}
    for node in graph.nodes.values():
        for frame in (*graph.frames_of(node.cluster), None):
            inside.setdefault(frame, set()).add(node.id)
    inner = [id_ for id_, frame in graph.clusters.items() if frame.parent == home and inside[id_] & members]
    if len(members) < 2 or home in taken or any(inside[id_] - members for id_ in inner):
        return graph
    name, twin = names
    earlier = min(graph.nodes[id_].earlier for id_ in members)
    round_ = Cluster(name, title, side, home, "repeat", twin=twin, earlier=earlier)
    clusters: dict[str, Cluster] = {}
    for id_, one in graph.clusters.items():  # an outer frame stands before those in it
        if id_ in inner:
            clusters.setdefault(name, round_)
        clusters[id_] = replace(one, parent=name) if id_ in inner else one
    clusters.setdefault(name, round_)
    nodes = {
        id_: replace(node, cluster=name) if id_ in members and node.cluster == home else node
        for id_, node in graph.nodes.items()
    }
    return replace(graph, nodes=nodes, clusters=clusters)
