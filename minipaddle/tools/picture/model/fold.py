"""Folding: operators that repeat several times in succession are drawn once, with the number of rounds.

A *run* is a stretch of operators with three or more equal rounds. Everything else follows from the
operators: a gradient rule follows its operator, a parameter its only user, a sum the rule before it. A round that is
no layer (``x = x + f(x)``, a step of a recurrent net) gets a frame, and its rules get one.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from minipaddle.tools.picture.model.focus import quotient, standing_for
from minipaddle.tools.picture.model.graph import Cluster, Graph, Node, Side
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase

T = TypeVar("T")

FEWEST = 3  # rounds: two are as short as one and a count
_LONGEST = 512
"""Most operators in one round: a longer round would not repeat on a screen."""
_TRIES = 6
"""Lengths of a round that are tried at one place: the first candidate is mostly right."""
_LEVELS = 3
"""Levels of loops within loops: blocks, layers in a block, parts of a layer."""
_MANY_LEAVES = 8
"""From so many leaves with the same users on, they are drawn as one."""


class Run(NamedTuple):
    """A stretch that repeats: where it starts, how long one round is, how many rounds there are."""

    start: int
    length: int
    rounds: int

    @property
    def end(self) -> int:
        """The place after its last round."""
        return self.start + self.length * self.rounds

    def split(self, line: Sequence[T]) -> list[Sequence[T]]:
        """Return its rounds, as parts of the sequence that it is a stretch of."""
        starts = range(self.start, self.end, self.length)
        return [line[start : start + self.length] for start in starts]


class Folded(NamedTuple):
    """A graph in which repeats are drawn once."""

    graph: Graph
    group: dict[str, str]
    """Node of the previous graph -> the node drawn in its place, from the first round."""
    run: dict[str, int]
    """Node in that place -> the number of its run."""


def fold(graph: Graph, apart: Collection[str] = ()) -> Graph:
    """Return `graph` with all repeats drawn once, except inside the frames `apart`."""
    for level in levels(graph, apart):
        graph = level.graph
    return _with_leaves_together(graph)


def levels(graph: Graph, apart: Collection[str] = ()) -> Iterator[Folded]:
    """Yield `graph` with repeats drawn once, first inner loops, then the loops around them."""
    for _ in range(_LEVELS):
        ran = [node for node in graph.nodes.values() if node.side == "forward" and not node.is_leaf]
        runs = list(runs_of([_key(graph, node, apart) for node in ran], _keeping_frames(graph, ran)))
        if not runs:
            return
        yield (folded := _with_runs_once(graph, [run.split([node.id for node in ran]) for run in runs]))
        graph = folded.graph


def _with_leaves_together(graph: Graph) -> Graph:
    """Return `graph` with many leaves of one shape and the same users drawn as one; their gradients, too."""
    heads = grouped((edge.tail, edge.head) for edge in graph.edges if graph.nodes[edge.tail].is_leaf)
    alike: dict[Hashable, list[str]] = {}
    for id_, users in heads.items():
        leaf = graph.nodes[id_]
        key = leaf.kind, leaf.state, leaf.cluster, leaf.made_by, _shapes(leaf), tuple(dict.fromkeys(users))
        alike.setdefault(key, []).append(id_)
    first = {id_: ids[0] for ids in alike.values() if len(ids) >= _MANY_LEAVES for id_ in ids}
    for node in graph.nodes.values() if first else ():
        if node.twin in first:
            ids = alike.setdefault((node.kind, node.side, node.state, first[node.twin]), [])
            ids.append(node.id)
            first[node.id] = ids[0]
    together = grouped((of_all, graph.nodes[id_]) for id_, of_all in first.items())
    stand_ins = {id_: standing_for(graph.nodes[id_], nodes) for id_, nodes in together.items()}
    return quotient(graph, first, stand_ins) if first else graph


def runs_of(keys: Sequence[Hashable], fits: Callable[[Run], bool] = lambda run: True) -> Iterator[Run]:
    """Yield the runs of a sequence that `fits` accepts, from left to right, the longest at each place.

    >>> list(runs_of("abxyxyxyc")), list(runs_of("aabb"))
    ([Run(start=2, length=2, rounds=3)], [])
    """
    numbers: dict[Hashable, int] = {}
    line = [numbers.setdefault(key, len(numbers)) for key in keys]
    places = grouped((number, place) for place, number in enumerate(line))
    place = 0
    while place < len(line):
        runs = _runs_at(line, places[line[place]], place)
        best = max(filter(fits, runs), key=lambda run: run.end, default=None)
        if best is not None:
            yield best
        place = place + 1 if best is None else best.end


def _runs_at(line: Sequence[int], again: Sequence[int], start: int) -> Iterator[Run]:
    """Yield the runs that begin at a place: a round ends where its first number comes again."""
    behind = bisect(again, start)
    for after in again[behind : behind + _TRIES]:
        length, one_round, rounds = after - start, line[start:after], 1
        if length > _LONGEST:
            return
        while line[start + rounds * length : start + (rounds + 1) * length] == one_round:
            rounds += 1
        if rounds >= FEWEST:
            yield Run(start, length, rounds)


def _with_runs_once(graph: Graph, rounds: list[list[Sequence[str]]]) -> Folded:
    """Return the graph with each run, given as its rounds, drawn once."""
    group = {id_: first for ids in rounds for one in ids for id_, first in zip(one, ids[0])}
    number = {id_: which for which, (first, *_) in enumerate(rounds) for id_ in first}
    _add_leaves(graph, group, number)
    _add_backward(graph, group, number)
    members = grouped((stands_for, graph.nodes[id_]) for id_, stands_for in group.items())
    frames = list(_frames_of_rounds(graph, rounds))
    home = {one.id: of_all[0].id for of_all in frames for one in of_all}
    stand_ins = {}
    for id_ in number:
        stand_in = standing_for(graph.nodes[id_], members[id_])
        stand_ins[id_] = replace(stand_in, cluster=home.get(stand_in.cluster or "", stand_in.cluster))
    clusters = graph.clusters | {of_all[0].id: of_all[0].folded(of_all) for of_all in frames}
    folded = quotient(graph, group, stand_ins, clusters)
    count = {id_: node.count for id_, node in folded.nodes.items()}
    edges = (  # a gradient edge between folded nodes loses its label, which is the first round's
        edge._replace(label="", share=None) if edge.kind == "gradient" and min(ends) > 1 else edge
        for edge in folded.edges
        for ends in [(count[edge.tail], count[edge.head])]
    )
    folded = replace(folded, edges=dict.fromkeys(edges))
    return Folded(with_frames(folded, rounds, set(home.values())), group, number)


def _keeping_frames(graph: Graph, ran: Sequence[Node]) -> Callable[[Run], bool]:
    """Return a test that a run splits no frame: each frame contains all rounds, or lies within one."""
    around = [list(graph.frames_of(node.cluster)) for node in ran]
    ends: dict[str, tuple[int, int]] = {}
    for place, frames in enumerate(around):
        for id_ in frames:
            ends[id_] = ends.get(id_, (place, place))[0], place

    def fits(run: Run) -> bool:
        for place in range(run.start, run.end):
            first = run.start + (place - run.start) // run.length * run.length
            for begins, last in map(ends.__getitem__, around[place]):
                inside = first <= begins and last < first + run.length
                if not inside and not (begins <= run.start and run.end <= last + 1):
                    return False
        return True

    return fits


def _key(graph: Graph, node: Node, apart: Collection[str]) -> Hashable:
    """Return the properties that are equal in every round: operator, line, shapes, kinds of layers."""
    kinds = tuple(id_ if id_ in apart else graph.clusters[id_].layer for id_ in graph.frames_of(node.cluster))
    title = node.layer if node.kind == "layer" else node.title  # the path differs by round
    return node.kind, title, node.where, node.count, node.state, kinds, _shapes(node)


def _shapes(node: Node) -> Hashable:
    return tuple((value.shape, value.dtype) for value in node.results)


def _add_leaves(graph: Graph, group: dict[str, str], number: dict[str, int]) -> None:
    """Group the parameters and data whose users all went into the same node, at the same place."""
    position: dict[str, int] = {}
    users: dict[str, list[tuple[str, int]]] = {}
    for edge in graph.edges:
        position[edge.head] = position.get(edge.head, -1) + 1
        if graph.nodes[edge.tail].is_leaf and edge.kind in ("value", "cut"):
            users.setdefault(edge.tail, []).append((edge.head, position[edge.head]))
    alike: dict[Hashable, list[str]] = {}
    for leaf, used in users.items():
        if all(head in group for head, _ in used):
            shapes = tuple(value.shape for value in graph.nodes[leaf].results)
            key = graph.nodes[leaf].kind, shapes, tuple((group[head], slot) for head, slot in used)
            alike.setdefault(key, []).append(leaf)
    for leaves in alike.values():
        if len(leaves) > 1:
            group.update(dict.fromkeys(leaves, leaves[0]))
            number[leaves[0]] = number[group[users[leaves[0]][0][0]]]


def _add_backward(graph: Graph, group: dict[str, str], number: dict[str, int]) -> None:
    """Group other nodes like their twins, or like the node before; nodes inside a PyLayer's rule like the rule."""
    alike: dict[tuple[str, int, str, str], list[tuple[str, bool]]] = {}
    """Nodes by their key, and whether they belong to the round that is drawn."""
    owners = {node.body: node for node in graph.nodes.values() if node.kind == "pylayer_grad"}
    inside: Counter[str] = Counter()
    anchor, distance = "", 0
    for node in graph.nodes.values():
        if node.side == "forward":
            continue
        owner = next((owners[id_] for id_ in graph.frames_of(node.cluster) if id_ in owners), node)
        if owner is not node and owner.twin is not None:
            inside[owner.id] += 1
            follows, place = owner.twin, -inside[owner.id]
        else:
            distance = 0 if node.twin is not None else distance + 1
            anchor = follows = node.twin or anchor
            place = distance
        if follows in group:
            key = group[follows], place, node.side, node.kind
            alike.setdefault(key, []).append((node.id, group[follows] == follows))
    for (beside, *_), nodes in alike.items():
        drawn = next((id_ for id_, is_drawn in nodes if is_drawn), nodes[0][0])
        group.update((id_, drawn) for id_, _ in nodes)
        number[drawn] = number[beside]


def _frames_of_rounds(graph: Graph, runs: Iterable[list[Sequence[str]]]) -> Iterator[tuple[Cluster, ...]]:
    """Yield the frames merged in a run: those that contain one round and nothing else, and the frames inside them."""
    ran = (node for node in graph.nodes.values() if node.side == "forward" and not node.is_leaf)
    inside = grouped((frame, node.id) for node in ran for frame in graph.frames_of(node.cluster))
    holders = {frozenset(members): frame for frame, members in inside.items()}  # the last is the outermost
    # a frame, and the frames inside it
    within = grouped((id_, one) for one in graph.clusters.values() for id_ in graph.frames_of(one.id))
    for rounds in runs:
        found = [holders.get(frozenset(ids), "") for ids in rounds]
        for frames in (found, [graph.clusters[id_].twin if id_ else "" for id_ in found]):
            if all(id_ in graph.clusters for id_ in frames):
                yield from zip(*(within[id_] for id_ in frames))


# -- frames around rounds ----------------------------------------------------------------------------------------------

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
            forward, back = _with_leaves(graph, ids), phrase("backward ×{count}", count=1 + len(more))
            backward, names = _rules_of(graph, forward), (f"r{ids[0]}", f"t{ids[0]}")
            graph = _framed(graph, forward, names, "forward", f"×{1 + len(more)}", taken)
            graph = _framed(graph, backward, names[::-1], "backward", back, taken)
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
    home = graph.frame_around(members or graph.nodes)
    inside = grouped((id_, one.id) for one in graph.nodes.values() for id_ in graph.frames_of(one.cluster))
    inner = [id_ for id_, one in graph.clusters.items() if one.parent == home and members & {*inside[id_]}]
    if len(members) < 2 or home in taken or any({*inside[id_]} - members for id_ in inner):
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
