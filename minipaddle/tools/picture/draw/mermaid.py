"""Mermaid: the graph as text that GitHub, GitLab and JupyterLab draw by themselves.

It knows no ranks, so there is no mirror: forward runs down in one frame, backward up in another, and dashes join them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minipaddle.engine.names.phrase import phrase
from minipaddle.tools.picture.draw.theme import Style, role_of
from minipaddle.tools.picture.model.graph import Graph, Node, NodeKind
from minipaddle.tools.picture.model.labels import label
from minipaddle.tools.picture.model.strips import NO_STRIPS, Cell, strips_of
from minipaddle.tools.words.language import say, spoken
from minipaddle.tools.words.numbers import bars_of, bytes_text, clean, cut_cells
from minipaddle.tools.words.symbols import UNICODE

_LONGEST = 60
_ARROWS = {"value": "-->", "gradient": "==>", "saved": "-.-", "update": "-.->", "cut": "-.-x"}
_BRACKETS: dict[NodeKind, tuple[str, str]] = {
    "data": ("([", "])"),
    "parameter": ("([", "])"),
    "pylayer": ("[[", "]]"),
    "pylayer_grad": ("[[", "]]"),
    "layer": ("[[", "]]"),
    "layer_grad": ("[[", "]]"),
    "accumulate": ("((", "))"),
    "store": (">", "]"),
    "hook": ("{{", "}}"),
    "error": ("{{", "}}"),
}
_SIDES = {"forward": phrase("forward"), "backward": phrase("backward"), "update": phrase("optimizer")}


def to_mermaid(graph: Graph, style: Style | None = None) -> str:
    """Return the graph as the text of a Mermaid flowchart."""
    return "\n".join(_lines(graph, style or Style())) + "\n"


def _lines(graph: Graph, style: Style) -> Iterator[str]:
    yield f"flowchart {style.direction}"
    yield f"  %% {cut_cells(f'{graph.title} - {spoken(graph.subtitle)}', _LONGEST)}"
    if graph.closed:
        yield f"  %% {clean(spoken(graph.closed))}"
    strips = strips_of(graph) if style.values != "none" else NO_STRIPS
    for side, column, words in _sides(graph):
        nodes = [node for node in graph.nodes.values() if node.side == side and column in (None, node.column)]
        if nodes:
            yield f"  subgraph side_{side}{column or ''}[{spoken(words)}]"
            yield from (f"    {_node(node, style, strips.of.get(node.id, ()))}" for node in nodes)
            yield "  end"
    for _, edge in graph.drawn_edges():
        kept = f"({bytes_text(edge.nbytes)})" if style.saved and edge.nbytes else ""
        said = _quoted(" ".join(filter(None, (spoken(edge.label), kept))))
        words = f'|"{said}"|' if said else ""
        yield f"  {edge.tail} {_ARROWS[edge.kind]}{words} {edge.head}"
    alarm = style.values != "none"
    for role in dict.fromkeys(role_of(node, alarm) for node in graph.nodes.values()):
        fill, line = style.theme.roles[role]
        yield f"  classDef {role} fill:{fill},stroke:{line},color:{style.theme.ink}"


def _sides(graph: Graph) -> Iterator[tuple[str, int | None, str]]:
    """Yield the frames: a side, and for the forward side each column of its own, where earlier passes have one."""
    yield "forward", 0 if graph.headings else None, _SIDES["forward"]
    yield from (("forward", column, words) for column, words in enumerate(graph.headings[1:-1], 1))
    yield "backward", None, graph.headings[-1] if graph.headings else _SIDES["backward"]
    yield "update", None, _SIDES["update"]


def _node(node: Node, style: Style, cells: Sequence[Cell]) -> str:
    """Return a node; Mermaid draws no cells, so a strip is a line of bars, one for each round or a few."""
    left, right = _BRACKETS.get(node.kind, ("[", "]"))
    bars = bars_of([cell.norm for cell in cells], UNICODE.bars) if cells else ""
    lines = [
        *map(_quoted, label(node, style.values)),
        *([say("norms {bars}", bars=bars.split()[0])] if bars else []),
    ]
    text = "<br/>".join(lines)
    return f'{node.id}{left}"{text}"{right}:::{role_of(node, style.values != "none")}'


def _quoted(text: str) -> str:
    """Write every sign that Mermaid or HTML could take for its own as a number."""
    return "".join(
        character if character.isalnum() or character in " .,_[]()+-=@/:|×…·►" else f"#{ord(character)};"
        for character in cut_cells(text, _LONGEST)
    )
