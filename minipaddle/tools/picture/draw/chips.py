"""Chips: a value used far away, or often, is drawn at each use as a small box with its name, without a long arrow.

A weight of a recurrent net is used at every step, with arrows as long as the run. A chip is on
the row of the node that uses the value; all chips of one node, and the node itself, show the same number.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from minipaddle.tools.picture.model.collapse import ENDS
from minipaddle.tools.picture.model.graph import Edge, Graph, Node, names_of, rows_of
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.numbers import cut_list

FAR = 20
"""Most rows that an arrow may cross: about a screen of them."""
OFTEN, NEAR = 3, 4
"""Up to `OFTEN` arrows from a node are all drawn; of more, only those across at most `NEAR` rows."""
FLOWING = ("value", "gradient", "cut")
"""Kinds of arrows along which a run goes on."""
LONGEST = 20
"""Cells of the name on a chip: small, but enough for ``blocks.0.fc.weight``."""


def with_chips(graph: Graph, layout: str) -> Graph:
    """Return `graph` with chips, each before the node that uses its value; edges keep their numbers."""
    cut = {*_too_long(graph, rows_of(graph, layout))}
    if not cut:
        return graph
    flows = grouped(((edge.head, edge.tail), edge) for edge in graph.edges if edge in cut)
    numbers = {id_: number for number, id_ in enumerate(dict.fromkeys(tail for _, tail in flows), 1)}
    chips = grouped(
        (user, _chip(graph.nodes[source], graph.nodes[user], edges, numbers[source]))
        for (user, source), edges in flows.items()
    )
    nodes: dict[str, Node] = {}
    for id_, node in graph.nodes.items():
        nodes |= {chip.id: chip for chip in chips.get(id_, ())}
        nodes[id_] = replace(node, chip=numbers[id_]) if id_ in numbers else node
    joined = (  # an edge that starts at its chip has no label: the chip names the value
        edge._replace(tail=_id(edge.tail, edge.head), label=edge.label if edge.kind == "cut" else "")
        if edge in cut
        else edge
        for edge in graph.edges
    )
    return replace(graph, nodes=nodes, edges=dict.fromkeys(joined))


def users_of_chips(graph: Graph) -> dict[str, str]:
    """Return the id of the node that uses each chip, by the chip's id."""
    return {edge.tail: edge.head for edge in graph.edges if graph.nodes[edge.tail].kind == "chip"}


def _too_long(graph: Graph, rows: Mapping[str, int]) -> Iterator[Edge]:
    """Yield the edges that chips replace: long ones, those of often used values unless short, and a loop's.

    A saved edge that stays on the forward side, to a rule of an earlier pass, would cross all rows between.
    """
    kind = {id_: node.kind for id_, node in graph.nodes.items()}
    drawn = (edge for edge in graph.edges if edge.kind in FLOWING)
    flowing = [edge for edge in drawn if {kind[edge.tail], kind[edge.head]}.isdisjoint(ENDS)]
    uses = Counter(edge.tail for edge in flowing)
    place = {id_: number for number, id_ in enumerate(graph.nodes)}
    for edge in flowing:
        from_round_to_round = place[edge.tail] > place[edge.head]  # in a folded graph
        far = abs(rows[edge.head] - rows[edge.tail]) > (NEAR if uses[edge.tail] > OFTEN else FAR)
        if far or from_round_to_round:
            yield edge
    for edge in graph.edges:
        if edge.kind == "saved" and graph.nodes[edge.head].side == "forward":
            yield edge


def _chip(source: Node, user: Node, edges: list[Edge], number: int) -> Node:
    """Return the chip for `source` beside `user`."""
    values = tuple(dict.fromkeys(value for edge in edges for value in edge.values))
    name = cut_list(names_of(values) or source.title, LONGEST)
    id_ = _id(source.id, user.id)
    return Node(id_, "chip", name, values, user.side, cluster=user.cluster, chip=number, stands_for=source)


def _id(source: str, user: str) -> str:
    return f"{source}_{user}"
