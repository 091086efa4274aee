"""The run told step by step: one plain sentence for each node.

What stands behind "takes", "from" and "with" is what went into the event itself, never what an arrow begins at.
"""

from __future__ import annotations

from minipaddle.trace.events import Value
from minipaddle.viz.model.graph import Graph, Node, names_of
from minipaddle.viz.model.labels import results_of_many
from minipaddle.words.numbers import clean, few_numbers, shape_text
from minipaddle.words.symbols import stale_mark


def sentences(graph: Graph, numbers: bool = True) -> dict[str, str]:
    """Return a sentence for each node, in the order of the run, with or without its numbers."""
    return {id_: sentence(node, numbers) for id_, node in graph.nodes.items()}


def sentence(node: Node, numbers: bool = True) -> str:
    """Return the sentence of a node, with or without its numbers."""
    takes, saved = _names(node, "takes"), _names(node, "saved")
    made = _made(node, numbers)
    often = f", {node.count} times" if node.count > 1 else ""
    kept = f" with {saved}, kept for it," if saved else ""
    match node.kind:
        case "data":
            return f"{node.heading} is given{f', {node.state}' if node.state else ''}."
        case "parameter":
            maker = f", made by {node.made_by}" if node.made_by else ""
            return f"{node.heading} is a leaf that wants a gradient{maker}{_and_state(node)}."
        case "seed":
            return f"Backward starts: the gradient of {node.title.removesuffix('@GRAD')} by itself is {made}."
        case "layer_grad":
            does = f"gives back {made}" if node.results else "is where the gradient ends up"
            return f"{node.heading} takes {takes or 'nothing'} and {does}{often}{_and_state(node)}."
        case "grad" | "pylayer_grad":
            return f"{node.title} takes {takes or 'nothing'}{kept} and gives back {made}{often}."
        case "accumulate":
            return f"Two gradients meet and are added{often}: {made}{_and_state(node)}."
        case "hook":
            does = "is given" if node.state else "gives back"
            return f"{node.title} ({node.where}) {does} {made}{often}{_and_state(node)}."
        case "store":
            if node.into == "returned":
                return f"paddle.grad returns the gradient, and stores it nowhere: {made}{often}{_and_state(node)}."
            return f"The gradient has arrived: {made}{often}{_and_state(node)}."
        case "error":
            of = f" takes {takes} and" if takes else ""
            return f"{node.title}{of} could not be carried out: {node.state}"
        case "update":
            return f"The optimizer changes a parameter{often}: {made}."
    origin = f" from {takes}" if takes else ""
    title = node.heading if node.kind == "layer" else node.title
    return f"{title} computes {made}{origin}{kept}{often}{_and_state(node)}."


def _names(node: Node, what: str) -> str:
    """Return the names of what a node takes, or has saved; of one that stands for several, those of all of them."""
    values: list[Value] = [value for one in node.rounds or (node,) for value in getattr(one, what)]
    if node.count > 1:
        return names_of(values)
    return " and ".join(dict.fromkeys(clean(value.name) for value in values))


def _made(node: Node, numbers: bool) -> str:
    """Return what a node made; the numbers of one round say nothing of the others."""
    if node.count > 1:
        return " and ".join(f"{names_of(of_all)} {shape}" for shape, of_all in results_of_many(node).items())
    made = " and ".join(_result(value, numbers) for value in node.results) or "nothing"
    return f"{node.variable}, which is {made}" if node.variable else made


def _and_state(node: Node) -> str:
    return f" ({node.state})" if node.state else ""


def _result(value: Value, with_numbers: bool) -> str:
    words = f"{clean(value.name)} {shape_text(value)}".strip()
    numbers = few_numbers(value) if with_numbers else ""
    words = f"{words} = {numbers}" if numbers else words
    return words if value.stale is None else f"{words} ({stale_mark(value)})"
