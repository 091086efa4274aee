"""The looks of single nodes, as the user's own function says: ``graph(loss, node=function)``."""

from collections.abc import Callable, Set
from dataclasses import dataclass, replace

from minipaddle.tools.picture.choices import BadOption
from minipaddle.tools.picture.model.collapse import close
from minipaddle.tools.picture.model.focus import only
from minipaddle.tools.picture.model.graph import Edge, Graph, Node


@dataclass(frozen=True)
class Look:
    """What to do with one node of a picture; what is left out stays as it is."""

    label: str = ""
    """What stands in it, in the place of its name."""
    color: str = ""
    """Its colour, as ``#ffcc00``."""
    hide: bool = False
    """Leave it out; what leads to it leads to what it leads to."""
    close: bool = False
    """Close the frame that it stands in, and its twin: a layer, the inside of a PyLayer."""


Says = Callable[[Node], Look | str | None]
"""The user's function: a label alone may be a str, and None leaves a node as it is."""


def restyled(graph: Graph, says: Says) -> Graph:
    """Return `graph` as the user's function says: it is called once for each node, in the order of the run.

    Raises BadOption if the function raises, or returns something else.
    """
    looks = {id_: _look(says, node) for id_, node in graph.nodes.items()}
    nodes = {
        id_: replace(node, title=looks[id_].label or node.title, color=looks[id_].color)
        for id_, node in graph.nodes.items()
    }
    changed = _without(replace(graph, nodes=nodes), {id_ for id_, look in looks.items() if look.hide})
    frames = {graph.nodes[id_].cluster for id_, look in looks.items() if look.close}
    closed = frames | {graph.clusters[frame].twin for frame in frames if frame}
    return close(changed, lambda cluster: cluster.id in closed) if frames else changed


def _look(says: Says, node: Node) -> Look:
    try:
        said = says(node)
    except Exception as error:
        raise BadOption(
            f"node: the function raises {type(error).__name__} at {node.title}: {error}"
        ) from error
    look = Look() if said is None else Look(label=said) if isinstance(said, str) else said
    if not isinstance(look, Look):
        what = f"returns {said!r} at {node.title}; it is to be a Look, a str or None"
        raise BadOption(f"node: the function {what}")
    return look


def _without(graph: Graph, hidden: Set[str]) -> Graph:
    """Return `graph` without the `hidden` nodes: what an arrow into one came from is joined to what one leads to."""
    if not hidden:
        return graph
    into: dict[str, list[Edge]] = {}
    kept: list[Edge] = []
    for edge in graph.edges:
        come = _through(into.get(edge.tail, []), edge) if edge.tail in hidden else [edge]
        (into.setdefault(edge.head, []) if edge.head in hidden else kept).extend(come)
    joined = replace(graph, edges=dict.fromkeys(edge for edge in kept if edge.tail != edge.head))
    return only(joined, graph.nodes.keys() - hidden)


def _through(come: list[Edge], edge: Edge) -> list[Edge]:
    """Return the arrows that an arrow from a hidden node becomes; what was kept is kept for a node that is seen."""
    return [
        replace(one, head=edge.head, values=edge.values, slot=edge.slot)
        for one in come
        if one.kind == edge.kind != "saved"
    ]
