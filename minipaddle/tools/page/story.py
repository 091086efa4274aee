"""The run as a story: one plain sentence for each node.

The names after "takes", "from" and "with" are the event's own inputs, not the tails of arrows.
"""

from minipaddle.tools.picture.model.graph import Graph, Node, names_of
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.language import say, spoken
from minipaddle.tools.words.numbers import clean, few_numbers, shape_text

_MANY = 12  # names that a sentence lists: an LSTM of two layers has ten inputs


def sentences(graph: Graph) -> dict[str, str]:
    """Return a sentence for each node, in the order of the run."""
    return {id_: sentence(node) for id_, node in graph.nodes.items()}


def sentence(node: Node) -> str:
    """Return the sentence of a node."""
    takes, saved = _names(node, "takes"), _names(node, "saved")
    parts = {
        "it": node.heading if node.kind in ("data", "parameter", "layer", "layer_grad") else node.title,
        "made": _made(node),
        "takes": takes or say("nothing at all"),
        "often": say(", {count} times", count=node.count) if node.count > 1 else "",
        "kept": say(" with {saved}, kept for it,", saved=saved) if saved else "",
        "state": say(" ({state})", state=node.state) if node.state else "",
    }
    match node.kind:
        case "data":
            parts["state"] = say(", ") + spoken(node.state) if node.state else ""
            return say("{it} is given{state}.", **parts)
        case "parameter":
            maker = say(", made by {maker}", maker=node.made_by) if node.made_by else ""
            return say("{it} is a leaf that requires gradient{maker}{state}.", maker=maker, **parts)
        case "seed":
            return say("Backward starts with {made}.", **parts)
        case "layer_grad":
            if not any(one.results for one in node.rounds or (node,)):
                return say("{it} takes {takes} and is where the gradient ends up{often}{state}.", **parts)
            return say("{it} takes {takes} and gives back {made}{often}{state}.", **parts)
        case "grad" | "pylayer_grad":
            return say("{it} takes {takes}{kept} and gives back {made}{often}{state}.", **parts)
        case "accumulate" if (met := _counts(node)) != "2":
            return say("{met} gradients meet and are added{often}: {made}{state}.", met=met, **parts)
        case "accumulate":
            return say("Two gradients meet and are added{often}: {made}{state}.", **parts)
        case "hook" if node.state:
            return say("{it} ({where}) is given {made}{often}{state}.", where=node.where, **parts)
        case "hook":
            return say("{it} ({where}) gives back {made}{often}{state}.", where=node.where, **parts)
        case "store" if node.into in ("returned", "passed"):
            return say(
                "paddle.grad returns the gradient, and stores it nowhere: {made}{often}{state}.", **parts
            )
        case "store":
            return say("The gradient has arrived: {made}{often}{state}.", **parts)
        case "error":
            of = say(" takes {takes} and", takes=takes) if takes else ""
            return say("{it}{of} could not be carried out: {reason}", of=of, reason=node.state, **parts)
        case "update":
            changed = {value.holder for value in node.made}
            if len(changed) < 2:
                return say("The optimizer changes a parameter{often}: {made}.", **parts)
            parts["often"] = parts["often"] if node.count > len(changed) else ""
            return say(
                "The optimizer changes {several} parameters{often}: {made}.", several=len(changed), **parts
            )
    origin = say(" from {takes}", takes=takes) if takes else ""
    return say("{it} computes {made}{origin}{kept}{often}{state}.", origin=origin, **parts)


def _counts(node: Node) -> str:
    """Return how many gradients a sum adds; for merged sums, the least and the largest count."""
    counts = {max(len(one.takes), 2) for one in node.rounds or (node,)}
    return "–".join(str(count) for count in sorted({min(counts), max(counts)}))


def _names(node: Node, what: str) -> str:
    """Return the names of a node's inputs or saved values; for merged nodes, or where they are many, in short."""
    values: list[Value] = [value for one in node.rounds or (node,) for value in getattr(one, what)]
    names = [*dict.fromkeys(clean(value.name) for value in values)]
    if node.count > 1 or len(names) > _MANY:
        return spoken(names_of(values))
    return say(" and ").join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _made(node: Node) -> str:
    """Return the result of a node; without numbers for merged nodes, which differ in them."""
    if node.count > 1:
        return say(" and ").join(f"{spoken(names)} {shape}" for shape, names, _ in node.made_in_rounds)
    return say(" and ").join(map(_result, node.results)) or say("nothing at all")


def _result(value: Value) -> str:
    words = f"{clean(value.name)} {shape_text(value)}".strip()
    numbers = spoken(few_numbers(value))
    return f"{words} = {numbers}" if numbers else words
