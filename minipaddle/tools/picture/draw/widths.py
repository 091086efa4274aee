"""How wide arrows are: where a gradient is larger, more flows."""

from math import isfinite, log10

from minipaddle.tools.picture.draw.theme import Theme
from minipaddle.tools.picture.model.graph import Edge, Graph
from minipaddle.tools.words.language import say

WIDEST = 2.5
"""Of the gradient with the largest norm, in points."""
A_DECADE = 0.5
"""How much thinner the arrow of a gradient is that is ten times smaller."""
THINNEST = 0.5
ALIKE = 2
"""Norms up to this many times apart need no telling apart."""
WORDS = "the wider, the larger the gradient's norm"
_HEAVY = 2.0


def widths(graph: Graph, theme: Theme) -> dict[int, float]:
    """Return how wide the arrows are, in points, by their numbers: those that are not as wide as all others.

    A theme that tells kinds of arrows apart by their width has those widths; in others that of a gradient's arrow
    follows the logarithm of its norm.
    """
    if theme.heavy:
        return {number: _HEAVY for number, edge in graph.drawn_edges() if edge.kind in theme.heavy}
    norms = norms_of(graph)
    largest = max(norms.values(), default=0.0)
    if not _differ(norms):
        return {}
    return {number: _width(norm, largest) for number, norm in norms.items()}


def width_words(graph: Graph, theme: Theme) -> str:
    """Return what the widths of arrows mean; "" where they say nothing."""
    return "" if theme.heavy or not _differ(norms_of(graph)) else say(WORDS)


def norms_of(graph: Graph) -> dict[int, float]:
    """Return the norms of gradients by the numbers of their arrows, where they are known and finite."""
    gradients = ((number, edge) for number, edge in graph.drawn_edges() if edge.kind == "gradient")
    norms = {number: _norm(edge) for number, edge in gradients}
    return {number: norm for number, norm in norms.items() if isfinite(norm)}


def _norm(edge: Edge) -> float:
    """Return the largest norm of what goes along an arrow."""
    return max((value.stats.norm for value in edge.values), default=float("nan"))


def _differ(norms: dict[int, float]) -> bool:
    return bool(norms) and max(norms.values()) > ALIKE * min(norms.values())


def _width(norm: float, largest: float) -> float:
    decades = log10(largest / norm) if norm > 0 else float("inf")
    return max(THINNEST, round(WIDEST - A_DECADE * decades, 1))
