"""Closing frames: the nodes inside a call of a layer, or a PyLayer, are drawn as one node."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from minipaddle.tools.picture.model.focus import quotient, standing_for
from minipaddle.tools.picture.model.graph import Cluster, Edge, Graph, Node, NodeKind
from minipaddle.tools.record.events import Value
from minipaddle.tools.record.term_shares import contribution, shares
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase, phrases

ENDS = ("store", "accumulate")  # kinds of nodes that follow their incoming arrow, without a row of their own
_NO_CALLS = ("parameter", "data", *ENDS, "hook", "seed")


def close_matching(graph: Graph, pattern: re.Pattern[str]) -> Graph:
    """Return `graph` with each frame closed whose title matches `pattern`, and with the frames linked to it."""
    titles = {id_: [graph.clusters[one].title for one in ids] for id_, ids in graph.together().items()}
    return close(graph, lambda cluster: any(map(pattern.search, titles[cluster.id])))


def close(graph: Graph, wanted: Callable[[Cluster], bool]) -> Graph:
    """Return `graph` with the `wanted` frames closed, and all frames inside them."""
    closed = {cluster.id for cluster in graph.clusters.values() if wanted(cluster)}
    if not closed:
        return graph
    around = (
        ([id_ for id_ in graph.frames_of(one.cluster) if id_ in closed], one) for one in graph.nodes.values()
    )
    inside = grouped((frames[-1], node) for frames, node in around if frames)  # by the outermost one
    _take_sums_in(graph, inside)
    going = grouped((edge.tail, edge) for edge in graph.edges)
    stand_ins = {
        frame: _stand_in(graph, graph.clusters[frame], nodes, going) for frame, nodes in inside.items()
    }
    group = {node.id: stand_ins[frame].id for frame, nodes in inside.items() for node in nodes}
    by_id = {node.id: node for node in stand_ins.values()}
    # and the updates of parameters that went into one node
    updates = [node for node in graph.nodes.values() if node.side == "update" and node.twin in group]
    for nodes in grouped(((group[node.twin or ""], node.title), node) for node in updates).values():
        by_id[nodes[0].id] = standing_for(nodes[0], nodes) if len(nodes) > 1 else nodes[0]
        group |= dict.fromkeys((node.id for node in nodes), nodes[0].id)
    return quotient(graph, group, by_id)


def skips(whole: Graph, seen: Graph) -> Iterator[Edge]:
    """Yield an arrow around each closed layer that adds what came in to its result: a residual connection."""
    frames = {id_: [*whole.frames_of(node.cluster)] for id_, node in whole.nodes.items()}
    ran = grouped((frame, id_) for id_, around in frames.items() for frame in around)
    values = [edge for edge in whole.edges if edge.kind == "value"]
    for layer in (one.id for one in seen.nodes.values() if one.kind == "layer" and one.count == 1):
        into = [edge for edge in values if layer in frames[edge.head] and layer not in frames[edge.tail]]
        last = ran.get(layer, [])[-3:]  # after the sum an activation and a norm at most
        added = [one for one in into if one.head in last and whole.nodes[one.head].op == "elementwise_add"]
        for edge in added:
            again = any(one.tail == edge.tail and one.head != edge.head for one in into)
            tail = next((id_ for id_ in (*frames[edge.tail][::-1], edge.tail) if id_ in seen.nodes), "")
            if again and tail:
                yield edge._replace(tail=tail, head=layer, label="+", slot=1)


def sums_together(graph: Graph) -> Graph:
    """Return `graph` with nested sums merged: a sum that is a term of another one becomes a part of it, in its frame.

    So each round of a repeat is complete: the sums of a residual block are inside the block.
    """
    heads = grouped((edge.tail, edge.head) for edge in graph.edges)
    last: dict[str, str] = {}
    for node in reversed(graph.nodes.values()):
        if node.kind == "accumulate" and len(heads.get(node.id, ())) == 1:
            (head,) = heads[node.id]
            if graph.nodes[head].kind == "accumulate" and graph.nodes[head].cluster == node.cluster:
                last[node.id] = last.get(head, head)
    parts = grouped(
        (last.get(id_, id_), node) for id_, node in graph.nodes.items() if node.kind == "accumulate"
    )
    from_rules = (edge for edge in graph.edges if graph.nodes[edge.tail].kind != "accumulate")
    terms = grouped((last.get(edge.head, edge.head), edge.tail) for edge in from_rules)
    sums = {id_: _sum(graph, id_, several, terms.get(id_, [])) for id_, several in parts.items()}
    group = last | {id_: id_ for id_ in sums}
    if not sums:
        return graph
    joined = quotient(graph, group, sums)
    return replace(joined, edges=dict.fromkeys(_with_shares(joined, set(last.values()))))


def _with_shares(graph: Graph, sums: set[str]) -> Iterator[Edge]:
    """Yield the edges; those into merged sums with their shares of the whole sum."""
    known: dict[tuple[str, int], float] = {}
    for node in map(graph.nodes.__getitem__, sums):
        found = shares(node.takes, node.results[0]) if node.results else None
        known |= {(node.id, term.id): part for term, part in zip(node.takes, found or ())}
    for edge in graph.edges:
        if edge.share is None or edge.head not in sums:
            yield edge
            continue
        share = known.get((edge.head, edge.values[0].id)) if len(edge.values) == 1 else None
        yield edge._replace(share=share, label=contribution(edge.values, share))


def _sum(graph: Graph, id_: str, parts: list[Node], terms: list[str]) -> Node:
    """Return the merged sum: its inputs are those of its parts, without intermediate sums."""
    node = graph.nodes[id_]
    made = {value.id for part in parts for value in part.results}
    takes = tuple(value for part in parts for value in part.takes if value.id not in made)
    return replace(node, takes=takes, cluster=node.cluster or graph.frame_around(terms or [id_]))


def _take_sums_in(graph: Graph, inside: dict[str, list[Node]]) -> None:
    """Move into a closed frame a sum of its terms alone, or leading back into it, and a hook between its nodes."""
    home = {node.id: frame for frame, nodes in inside.items() for node in nodes}
    tails = grouped((edge.head, edge.tail) for edge in graph.edges)
    heads = grouped((edge.tail, edge.head) for edge in graph.edges)
    for node in graph.nodes.values():  # in the order of the run, as a sum may lead to another
        frames, users = ({home.get(end) for end in ends.get(node.id, ())} for ends in (tails, heads))
        if node.kind == "hook" or (len(users) == 1 and users < frames):
            frames = frames | users if node.kind == "hook" else users
        if node.kind in ("accumulate", "hook") and node.id not in home and len(frames) == 1:
            frame = frames.pop()
            if frame is not None:
                home[node.id] = frame
                inside[frame].append(node)


def _stand_in(graph: Graph, cluster: Cluster, nodes: list[Node], edges: Mapping[str, Sequence[Edge]]) -> Node:
    """Return the node for a closed frame: the PyLayer whose body it is, or a new node."""
    owner = next((node for node in nodes if cluster.id == node.body), None)
    if owner is not None:
        return replace(owner, cluster=cluster.parent)
    ids = {node.id for node in nodes}
    forward = cluster.side == "forward"
    flow = ("value", "cut") if forward else ("gradient",)
    going = grouped((edge.tail, edge) for id_ in ids for edge in edges.get(id_, ()) if edge.kind in flow)
    results: dict[int, Value] = {}
    for node in nodes:
        leaving = [value for edge in going.get(node.id, ()) if edge.head not in ids for value in edge.values]
        if forward and node.kind in ("op", "pylayer", "rule") and node.id not in going:
            leaving = list(node.results[:1])  # an unused value, such as the loss, is a result too
        results |= {value.id: value for value in leaving}
    within = [edge.values for id_ in ids for edge in edges.get(id_, ()) if edge.head in ids]
    made = {value.id for values in (*within, *(node.results for node in nodes)) for value in values}
    calls = [node for node in nodes if not graph.in_a_body(node, cluster.id)]
    # other values read by a user's backward are saved ones, and no rule takes what is only added up and stored
    gradients = (edge for id_ in ids for edge in edges.get(id_, ()) if edge.kind == "gradient")
    onward = {edge.tail for edge in gradients if graph.nodes[edge.head].kind != "store"}
    taking = nodes if forward else [one for one in calls if one.kind not in ENDS or one.id in onward]
    takes = {value.id: value for node in taking for value in node.takes if value.id not in made}
    ran = sum(node.count for node in calls if node.kind not in _NO_CALLS)
    held = [one for one in nodes if one.is_leaf and any(value.kind == "parameter" for value in one.results)]
    leaves = held if forward else [node for node in nodes if node.kind == "store"]
    returned = sum(node.count for node in leaves if node.into == "returned")
    stored = sum(node.count for node in leaves) - returned
    rule = cluster.kind == "rule" and forward
    kind: NodeKind = "grad" if rule else "layer" if forward and not cluster.earlier else "layer_grad"
    raised = next((node.state for node in nodes if node.kind == "error"), "")
    words = [phrase("{count} operators" if forward else "{count} rules", count=ran)]
    if stored:
        words.append(phrase("{count} parameters" if forward else "{count} gradients stored", count=stored))
    words += [phrase("{count} gradients returned", count=returned)] if returned else []
    return Node(
        cluster.id, "error" if raised else kind, cluster.title, tuple(results.values()), cluster.side,
        twin=nodes[-1].twin if rule else cluster.twin if not forward else cluster.home or None,
        earlier=cluster.earlier, cluster=cluster.parent, layer=cluster.layer, takes=tuple(takes.values()),
        event=next((node.event for node in reversed(nodes) if node.kind != "accumulate"), None),
        where=next((node.where for node in calls if node.event is not None), ""),
        state=raised or phrases("{before}, {after}", words),
    )  # fmt: skip
