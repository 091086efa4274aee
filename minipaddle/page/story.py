"""The run told step by step: one plain sentence for each node."""

from __future__ import annotations

from minipaddle.trace.events import Value
from minipaddle.viz.model.graph import Graph, Node
from minipaddle.words.numbers import clean, look, shape_text


def sentences(graph: Graph, numbers: bool = True) -> dict[str, str]:
    """Return a sentence for each node, in the order of the run, with or without its numbers."""
    used: dict[str, list[str]] = {}
    for _, edge in graph.drawn_edges():
        named = edge.kind == "saved" or len(graph.nodes[edge.tail].results) > 1
        said = edge.label if named and edge.label else _said(graph.nodes[edge.tail])
        used.setdefault(edge.head, []).append(said)
    return {id_: _sentence(node, used.get(id_, []), numbers) for id_, node in graph.nodes.items()}


def _said(node: Node) -> str:
    """Return what comes from a node, by its name."""
    return clean(node.results[0].name) if node.results else node.title


def _sentence(node: Node, used: list[str], numbers: bool) -> str:
    numbers = numbers and node.count == 1  # those of the first say nothing of the others
    sources = " and ".join(dict.fromkeys(used))
    made = " and ".join(_result(value, numbers) for value in node.results) or "nothing"
    made = f"{node.variable}, which is {made}" if node.variable and node.count == 1 else made
    often = f", {node.count} times" if node.count > 1 else ""
    match node.kind:
        case "data":
            return f"{node.title} is given{', without a gradient' if node.state else ''}."
        case "parameter":
            return f"{node.title} is a leaf that wants a gradient{_and_state(node)}."
        case "seed":
            return f"Backward starts: the gradient of {node.title.removesuffix('@GRAD')} by itself is {made}."
        case "layer_grad":
            does = f"gives back {made}" if node.results else "is where the gradient ends up"
            return f"{node.title} takes {sources or 'nothing'} and {does}{often}{_and_state(node)}."
        case "grad" | "pylayer_grad":
            return f"{node.title} takes {sources or 'nothing'} and gives back {made}{often}."
        case "accumulate":
            return f"Two gradients meet and are added{often}: {made}."
        case "hook":
            does = "is given" if node.state else "gives back"
            return f"{node.title} ({node.where}) {does} {made}{often}{_and_state(node)}."
        case "store":
            if node.into == "returned":
                return f"paddle.grad returns the gradient, and stores it nowhere: {made}{often}{_and_state(node)}."
            return f"The gradient has arrived: {made}{often}{_and_state(node)}."
        case "update":
            return f"The optimizer changes a parameter{often}: {made}."
    origin = f" from {sources}" if sources else ""
    return f"{node.title} computes {made}{origin}{often}{_and_state(node)}."


def _and_state(node: Node) -> str:
    return f" ({node.state})" if node.state else ""


def _result(value: Value, with_numbers: bool) -> str:
    words = f"{clean(value.name)} {shape_text(value)}".strip()
    numbers = look(value) if with_numbers else ""
    return f"{words} = {numbers}" if numbers and not numbers.startswith(("norm", "all")) else words
