"""The frames and repeats that a page's reader can close, singly or together, and the nodes that replace them.

A frame is closed by the function behind ``--depth``, a repeat by the one behind ``--fold``, each alone: the text of a
closed frame depends on no other one, except on the repeat around it. So the page needs one node for each
frame, and one more for each repeat around it, whatever its reader opens and closes.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from minipaddle.tools.picture.model.collapse import ENDS, close
from minipaddle.tools.picture.model.focus import standing_for
from minipaddle.tools.picture.model.fold import Folded, levels
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase
from minipaddle.tools.words.numbers import series, tally


@dataclass(frozen=True)
class Run:
    """A repeat: its rounds can be folded into one."""

    id: str
    title: str
    groups: dict[str, list[str]] = field(default_factory=dict)
    """Drawn node -> the nodes of all rounds that it stands for, or their drawn nodes in an inner repeat."""
    inner: set[str] = field(default_factory=set)
    """The repeats inside, which are folded together with this one."""
    titles: dict[str, str] = field(default_factory=dict)
    """The frames of a round -> the title of each for all rounds together."""


@dataclass(frozen=True)
class Closable:
    """The closable frames and repeats of one graph."""

    nodes: dict[str, Node] = field(default_factory=dict)
    """The nodes for closed frames: for frame s3 ``s3``, or ``s3~r0`` where repeat r0 is drawn once, and ``s3~u0``
    for the updates of its parameters; for the operators f7, f9, ... of repeat r0 ``f7~r0``."""
    runs: dict[str, Run] = field(default_factory=dict)


def closable_of(graph: Graph) -> Closable:
    """Return the closable frames and repeats of `graph`."""
    found = Closable()
    for frame in _closed(graph, graph.clusters):
        found.nodes.update(frame)
    before, keys = graph, {id_: id_ for id_ in (*graph.nodes, *graph.clusters)}
    for folded in levels(graph):
        after = _in_known_frames(folded.graph, graph)
        keys = _add_level(found, before, folded._replace(graph=after), keys)
        before = after
    return found


def _in_known_frames(folded: Graph, graph: Graph) -> Graph:
    """Return a folded graph without the frames around rounds, which `graph` lacks."""
    known = graph.clusters
    homes = {
        id_: next((one for one in folded.frames_of(id_) if one in known), None) for id_ in folded.clusters
    }
    clusters = {
        id_: replace(one, parent=known[id_].parent) for id_, one in folded.clusters.items() if id_ in known
    }
    nodes = {id_: replace(node, cluster=homes.get(node.cluster or "")) for id_, node in folded.nodes.items()}
    return replace(folded, nodes=nodes, clusters=clusters)


def _add_level(found: Closable, before: Graph, folded: Folded, keys: dict[str, str]) -> dict[str, str]:
    """Add the repeats of one level; return the key of each node and frame of the graph in which they are drawn once."""
    after, runs = folded.graph, dict[int, Run]()
    members = grouped((drawn, id_) for id_, drawn in folded.group.items())
    inner = [one for one in before.nodes.values() if not (one.is_leaf or one.kind in ENDS)]
    ran = {node.id for node in inner if node.side == "forward"}
    for number in sorted(set(folded.run.values())):
        steps = [id_ for id_, run in folded.run.items() if run == number and id_ in ran]
        rounds = max(len(members[id_]) for id_ in steps)
        title = phrase(
            "{count} × {names}", count=rounds, names=tally(before.nodes[id_].title for id_ in steps)
        )
        runs[number] = Run(f"r{len(found.runs)}", title)
        found.runs[runs[number].id] = runs[number]
    new = dict(keys)
    for drawn, number in folded.run.items():
        run = runs[number]
        new[drawn] = f"{drawn}~{run.id}"
        run.groups[new[drawn]] = [keys[id_] for id_ in members[drawn]]
        run.inner.update(key.partition("~")[2] for key in run.groups[new[drawn]] if "~" in key)
        found.nodes[new[drawn]] = replace(after.nodes[drawn], id=new[drawn])
    around = {node.id: list(before.frames_of(node.cluster)) for node in inner}
    inside = grouped((frame, id_) for id_, frames in around.items() for frame in frames)
    homes = {frame: {folded.run.get(id_) for id_ in ids} for frame, ids in inside.items()}
    for number, run in runs.items():
        drawn_once = (id_ for id_, home in homes.items() if home == {number} and id_ in after.clusters)
        own = [id_ for id_ in drawn_once if all(folded.group[one] == one for one in inside[id_])]
        run.titles.update({id_: after.clusters[id_].title for id_ in own})
        for frame in _closed(after, own):
            for key, node in frame.items():
                id_, _, rest = key.partition("~")
                known = "~".join(filter(None, (id_, run.id, rest)))
                if not rest:  # the node for the frame in all rounds, with the inputs and results of each
                    first = inside[id_][0]
                    depth, others = around[first].index(id_), (around[one] for one in members[first])
                    frames = dict.fromkeys(one[depth] for one in others if depth < len(one))
                    alike = [found.nodes[keys[one]] for one in frames]
                    said = standing_for(alike[0], alike)
                    names = series(dict.fromkeys(one.title for one in alike))
                    node = replace(said, title=names or said.title, cluster=node.cluster, twin=node.twin)
                found.nodes[known] = replace(node, id=known)
        new.update((id_, f"{id_}~{run.id}") for id_ in own if f"{id_}~{run.id}" in found.nodes)
    return new


def _closed(graph: Graph, frames: Collection[str]) -> Iterator[dict[str, Node]]:
    """Yield the nodes that replace closed `frames`, for one depth at a time: such frames do not nest.

    The inside of an operator is closed to the operator's own node, which exists already.
    """
    depths = graph.depths()
    for depth in sorted({depths[id_] for id_ in frames}):
        here = [id_ for id_ in frames if depths[id_] == depth]
        wanted = {graph.clusters[id_] for id_ in here}
        closed = close(graph, wanted.__contains__)
        found = {id_: closed.nodes[id_] for id_ in here if id_ in closed.nodes}
        counts: dict[str, int] = {}
        for node in closed.nodes.values():
            if node.side == "update" and node.twin in found:
                number = counts[node.twin] = counts.get(node.twin, -1) + 1
                key = f"{node.twin}~u{number}"
                found[key] = replace(node, id=key)
        yield found


def state_of(graph: Graph, found: Closable, seen: Graph) -> list[str]:
    """Return the frames and repeats of `graph` that are closed in `seen`, a smaller graph made from it."""
    drawn = {frame for node in seen.nodes.values() for frame in seen.frames_of(node.cluster)}
    owners = {node.body: node.id for node in graph.nodes.values()}
    closed = [id_ for id_ in graph.clusters if id_ in seen.nodes or owners.get(id_) in seen.nodes]
    closed = [id_ for id_ in closed if id_ not in drawn]

    def is_seen(id_: str) -> bool:
        frames = graph.frames_of(graph.nodes[id_].cluster)
        return id_ in seen.nodes or any(frame in seen.nodes for frame in frames)

    for run in found.runs.values():
        drawn_once = {_base(key) for key in run.groups}
        rest = {_base(key) for members in run.groups.values() for key in members} - drawn_once
        if any(map(is_seen, drawn_once)) and not any(map(is_seen, rest)):
            closed.append(run.id)
    return closed


def _base(key: str) -> str:
    """Return the id of the node in the whole graph that a key belongs to."""
    return key.partition("~")[0]
