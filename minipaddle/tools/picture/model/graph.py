"""The graph that every writer draws: nodes, edges, clusters, with the same ids in every run.

tools/picture/model/mirror.py makes a graph from a recording, tools/picture/draw/ draws it. An id is a
letter and a number: f7 is event 7 in forward, g9 the gradient rule of event 9, b8 an operator inside a backward
body, h6 a hook, v3 value 3, c5 the frame around event 5, s2 the frame of scope 2; in earlier passes k1 is the frame of
pass 1, q9 the frame of rule 9, p12 the part of a rule that event 12 differentiates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Any, Literal, NamedTuple

from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Into
from minipaddle.tools.words.events import place
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase
from minipaddle.tools.words.numbers import bytes_of, clean, in_short, series, shape_text

ForwardKind = Literal["data", "parameter", "op", "pylayer", "layer", "rule", "error"]
BackwardKind = Literal["grad", "pylayer_grad", "layer_grad", "accumulate", "store", "seed", "hook"]
NodeKind = Literal[ForwardKind, BackwardKind, "update", "chip"]
EdgeKind = Literal["value", "gradient", "saved", "update", "cut", "write", "order"]
Side = Literal["forward", "backward", "update"]
ClusterKind = Literal["body", "layer", "block", "repeat", "rule", "pass"]


@dataclass(frozen=True)
class Node:
    """A box of the picture."""

    id: str
    kind: NodeKind
    title: str
    """An operator's public name, or a variable's name."""
    results: tuple[Value, ...] = ()
    """The values that it made."""
    side: Side = "forward"
    twin: str | None = None
    """Id of its counterpart on the other side, usually on the same row. For a node of an earlier pass: the
    operator whose rule it is, or is a part of."""
    earlier: int = 0
    """The number of the earlier pass that ran it, if the drawn pass differentiates it. Backward: its twin's number."""
    cluster: str | None = None
    event: int | None = None
    where: str = ""
    """``file:line`` of the user's code."""
    state: str = ""
    """The state of its gradient, in words, if the numbers do not show it."""
    op: str = ""
    """Operator type, as Paddle prints it in a Program."""
    takes: tuple[Value, ...] = ()
    """Its inputs: for a gradient rule, the incoming gradients."""
    saved: tuple[Value, ...] = ()
    """The other inputs of a gradient rule: the saved values."""
    into: Into | None = None
    """store: the destination of the gradient."""
    before: Value | None = None
    """store: the value of ``.grad`` before, to which the gradient was added."""
    count: int = 1
    """The number of nodes that it is drawn for."""
    lines: tuple[str, ...] = ()
    """What stands in its box in place of the usual lines, in mathematical names."""
    rounds: tuple[Node, ...] = ()
    """These nodes, if they are rounds of a repeat."""
    layer: str = ""
    """For a closed frame: the frame's layer."""
    made_by: str = ""
    """For a leaf: the operator that made it."""
    chip: int = 0
    """The number that it shares with its chips; 0: it has none (:mod:`minipaddle.tools.picture.draw.chips`)."""
    stands_for: Node | None = None
    """chip: the node of which it is a small copy."""

    @property
    def is_leaf(self) -> bool:
        """Whether it is data or a parameter: no operator in the picture made it."""
        return self.kind in ("data", "parameter")

    @property
    def value(self) -> int | None:
        """Id of its (first) result."""
        return self.results[0].id if self.results else None

    @cached_property
    def made(self) -> list[Value]:
        """Its results; those of all rounds, if it is drawn for these."""
        return [value for one in self.rounds or (self,) for value in one.results]

    @cached_property
    def alarming(self) -> bool:
        """Whether its results have a NaN or an Inf, or it raised."""
        return self.kind == "error" or any(value.stats.bad for value in self.made)

    @property
    def body(self) -> str:
        """Id of the frame around its inside, such as a PyLayer's body."""
        return f"c{self.event}"

    @cached_property
    def made_in_rounds(self) -> list[tuple[str, str, list[Value]]]:
        """The results of all rounds, by shape and series (names that differ in numbers): shape, names, values."""
        letters = ["".join(filter(str.isalpha, one.name)) if self.rounds else "" for one in self.made]
        series = grouped(((shape_text(one), name), one) for one, name in zip(self.made, letters))
        return [(shape, names_of(alike), alike) for (shape, _), alike in series.items()]

    @cached_property
    def heading(self) -> str:
        """The title, with a count of merged nodes; all titles, if these have several."""
        titles = dict.fromkeys(one.title for one in self.rounds)
        title = series(titles) if len(titles) > 1 else self.title
        if len(titles) > 1 and not title:
            return in_short(titles)
        return phrase("{title} ×{count}", title=title, count=self.count) if self.count > 1 else title


class Edge(NamedTuple):
    """An arrow of the picture.

    A ``saved`` edge joins an operator and its gradient rule: its values are kept. A ``cut`` edge is a value whose
    gradient does not come back, a ``write`` edge one that was written over before its rule ran. An ``order`` edge is
    not drawn: its head ran later than its tail, without a value between them.
    """

    tail: str
    head: str
    kind: EdgeKind
    label: str = ""
    values: tuple[Value, ...] = ()
    """The values that pass along it, or are kept; a merged edge has the values of all its edges."""
    slot: int = 0
    """The index of the input that it leads to: a value used twice has two arrows."""
    shape_said: bool = False
    """Whether its label is the shape of its value, because numbers are unknown."""
    share: float | None = None
    """Into a sum: the signed part of the sum that comes along it (:mod:`minipaddle.tools.record.term_shares`)."""


def bytes_kept(edges: Iterable[Edge]) -> int:
    """Return the memory that edges keep; a value on several of them counts once."""
    kept = {value.id: value for edge in edges if edge.kind == "saved" for value in edge.values}
    return sum(map(bytes_of, kept.values()))


def names_of(values: Iterable[Value]) -> str:
    """Return the names of values, with counts: ``h ×20, Wh ×19``."""
    names = [clean(value.name) for value in values]
    return names[0] if len(names) == 1 else in_short(names)


@dataclass(frozen=True)
class Cluster:
    """A frame around nodes: a call of a layer, the inside of a PyLayer, a Block, a repeat, an earlier rule."""

    id: str
    title: str
    side: Side
    parent: str | None = None
    kind: ClusterKind = "body"
    path: str = ""
    """Call of a layer: the layer's name, ``blocks.0``."""
    layer: str = ""
    """Call of a layer: its class, and the side; frames of one kind may be rounds of a repeat."""
    twin: str = ""
    """Call of a layer, or Block: the id of its frame on the other side, if there is one."""
    earlier: int = 0
    """The number of the earlier pass that ran its nodes, or ran what they differentiate."""
    home: str = ""
    """Call of a layer, around rules of an earlier pass: its frame of the forward run."""
    iteration: int = 0
    """Iteration of a loop: its number, from 1."""

    def folded(self, rounds: Sequence[Cluster]) -> Cluster:
        """Return it as the frame for all `rounds`, which have different names."""
        several = len({one.title for one in rounds}) > 1
        names = in_short(one.path or one.title for one in rounds) if several else ""
        title = names or self.title
        if names and self.layer:
            title = phrase("{path}: {layer}", path=names, layer=self.layer)
        return replace(self, title=phrase("{title} ×{count}", title=title, count=len(rounds)))


@dataclass
class Graph:
    """Nodes in the order of the run, edges, clusters."""

    title: str
    subtitle: str = ""
    pass_number: int = 0
    nodes: dict[str, Node] = field(default_factory=dict)
    clusters: dict[str, Cluster] = field(default_factory=dict)
    edges: dict[Edge, None] = field(default_factory=dict)
    """The arrows, in the order in which they were added (a dict as an ordered set)."""
    trace: Trace = field(default_factory=Trace, repr=False, compare=False)
    """The recording, with the picture's names (:mod:`minipaddle.tools.picture.model.names`)."""
    closed: str = ""
    """The frames closed or folded without a request, and how to open them, in words."""
    views: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Smaller graphs that were made of this one, by the way in which they are smaller."""

    def drawn_edges(self) -> Iterator[tuple[int, Edge]]:
        """Yield the visible arrows, each with its number."""
        return ((number, edge) for number, edge in enumerate(self.edges) if edge.kind != "order")

    def add(self, node: Node) -> Node:
        """Add a node; a node with the same id stays."""
        return self.nodes.setdefault(node.id, node)

    def add_event(self, event: Event, letter: str, kind: NodeKind, title: str, **said: Any) -> Node:
        """Add the node of an event: its results, inputs, line; `said` adds to these, or replaces them.

        The letter of its id tells its side.
        """
        made, took = (tuple(self.trace.known(ids)) for ids in (event.outputs, event.inputs))
        side = {"f": "forward", "u": "update"}.get(letter, "backward")
        known = {"results": made, "takes": took, "side": side, "op": event.op, "where": place(event)}
        said = {**known, "event": event.index, **said}
        id_ = said.pop("id", "") or f"{letter}{event.index}"
        return self.add(Node(id_, kind, clean(title), **said))

    def join(
        self, tail: str, head: str, kind: EdgeKind, label: str = "", values: Iterable[Value] = (), **more: Any
    ) -> None:
        """Add an edge, once, with `more` of its fields."""
        if tail != head:
            self.edges.setdefault(Edge(tail, head, kind, label, tuple(values), **more))

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the pairs (forward, other side) that stand on one row.

        An operator with an open inside is no such pair: its inside has rows, and the operator is at the end of them,
        forward at the bottom, backward at the top. The inside of a PyLayer's backward, in which no rule has an operator
        of its own, stands beside that of its forward, from the bottom up.
        """
        inside = grouped((id_, one.id) for one in self.nodes.values() for id_ in self.frames_of(one.cluster))
        twins = [node for node in self.nodes.values() if node.side != "forward" and node.twin is not None]
        aligned = {
            id_
            for node in twins
            for id_ in self.frames_of(node.cluster)
            if id_ != node.body and self.clusters[id_].side == "backward"
        }
        for node in twins:
            if node.twin is not None and node.body not in aligned:
                run = inside.get(node.body, [node.id])
                body = self.nodes[node.twin].body if node.twin in self.nodes else ""
                yield from zip(reversed(inside.get(body, [node.twin])), run)

    def frames_of(self, cluster: str | None) -> Iterator[str]:
        """Yield a cluster and the clusters around it, from the inside out."""
        while cluster is not None:
            yield cluster
            cluster = self.clusters[cluster].parent

    def frame_around(self, ids: Iterable[str]) -> str | None:
        """Return the innermost frame around all of these nodes; None if there is none."""
        first, *others = ([*self.frames_of(self.nodes[id_].cluster)] for id_ in ids)
        return next((id_ for id_ in first if all(id_ in frames for frames in others)), None)

    def in_a_body(self, node: Node, frame: str | None = None) -> bool:
        """Whether a node ran in the body of an operator in `frame`, which shows it: it is not that operator."""
        around = takewhile(lambda id_: id_ != frame, self.frames_of(node.cluster))
        return any(self.clusters[id_].kind == "body" and id_ != node.body for id_ in around)

    def depths(self) -> dict[str, int]:
        """Return for each cluster its depth, from 1 for the outermost."""
        return {id_: len(list(self.frames_of(id_))) for id_ in self.clusters}

    def together(self) -> dict[str, list[str]]:
        """Return, by frame, those that open with it: the same call's on the other side and in earlier passes."""

        def first(cluster: Cluster) -> str:
            other = cluster.twin if cluster.side == "backward" else ""
            return cluster.home or (other if other in self.clusters else cluster.id)

        calls = grouped((first(one), id_) for id_, one in self.clusters.items())
        return {id_: frames for frames in calls.values() for id_ in frames}


_Height = tuple[float, int]
"""A row without a number yet: the forward row next to it, and its position among such rows."""


def rows_of(graph: Graph, layout: str) -> dict[str, int]:
    """Return the row of each node, from 0 at the top: in a mirror beside its counterpart, else one per node."""
    if layout != "mirror":
        return {id_: row for row, id_ in enumerate(graph.nodes)}
    forward = [node.id for node in graph.nodes.values() if node.side == "forward"]
    backward = [node for node in graph.nodes.values() if node.side == "backward"]
    twin = {other: id_ for id_, other in graph.rows()}
    heights: dict[str, _Height] = {id_: (float(row), 0) for row, id_ in enumerate(forward)}
    beside = float(len(forward)), 0
    tops: dict[str, _Height] = {}  # frame of an earlier pass -> the highest of its rows so far
    left: set[str] = set()  # the frames around the last node: a node outside of them is above them

    for node in backward:
        if (row_of := twin.get(node.id)) in heights:
            beside = heights[node.id] = heights[row_of]
            left = {id_ for id_ in graph.frames_of(node.cluster) if graph.clusters[id_].earlier}
            tops |= {id_: min(beside, tops.get(id_, beside)) for id_ in left}
            continue
        own = {*graph.frames_of(node.cluster)}
        row, place = min([beside, *(tops[frame] for frame in left - own)])
        if node.cluster in tops.keys() - left:  # a sum of what is in a frame that others have passed
            row, place = tops[node.cluster]
        heights[node.id] = (row, place - 1) if row % 1 else (row - 0.5, len(backward))
        beside = min(beside, heights[node.id])
        tops |= {id_: min(heights[node.id], tops[id_]) for id_ in own & tops.keys()}
    for node in graph.nodes.values():
        if node.side == "update":  # on the row of its parameter, or of the rule before it
            heights[node.id] = heights.get(node.twin or "", beside)
    number = {height: row for row, height in enumerate(sorted(set(heights.values())))}
    return {id_: number[height] for id_, height in heights.items()}
