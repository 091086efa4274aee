"""The label of a picture in Graphviz's HTML-like language: its title and its legend."""

from xml.sax.saxutils import escape

from minipaddle.tools.picture.draw.theme import (
    EDGES,
    Theme,
    edge_legend,
    node_legend,
    share_words,
    width_words,
)
from minipaddle.tools.picture.model.graph import EdgeKind, Graph, NodeKind
from minipaddle.tools.words.language import say, spoken
from minipaddle.tools.words.numbers import cut_cells

_LONGEST = 60  # cells of the title, as of a line in a box
_SIGNS = {"solid": "⟶", "dashed": "– – –", "dotted": "• • • •"}


def head(graph: Graph, theme: Theme) -> str:
    """Return the label: the title of the picture, and below it the legend."""
    nodes = "".join(_cell(theme, kind, say(one)) for kind, one in node_legend(graph).items())
    arrows = "".join(
        f'<td><font color="{theme.edges[kind]}">{_sign(theme, kind)}</font> {say(EDGES[kind].meaning)}</td>'
        for kind in edge_legend(graph)
    )
    said = filter(None, (width_words(graph, theme), share_words(graph)))
    scale = "".join(f"<td>{escape(words)}</td>" for words in said)
    rows = "".join(
        f'<tr><td><table border="0" cellspacing="4" cellpadding="2"><tr>{cells}</tr></table></td></tr>'
        for cells in (nodes, arrows + scale)
        if cells
    )
    title = escape(cut_cells(graph.title, _LONGEST))
    subtitle, shut = escape(spoken(graph.subtitle)), escape(spoken(graph.closed))
    legend = f'<table border="0" cellspacing="0" cellpadding="0">{rows}</table>' if rows else ""
    small = f'<tr><td><font point-size="8" color="{theme.pale}">{legend}</font></td></tr>' if legend else ""
    closed = f'<tr><td><font point-size="9">{shut}</font></td></tr>' if shut else ""
    return (
        f'<<table border="0" cellspacing="0" cellpadding="1"><tr><td>{title} · {subtitle}'
        f"</td></tr>{closed}{small}</table>>"
    )


def _cell(theme: Theme, kind: NodeKind, meaning: str) -> str:
    """Return a legend cell styled like a kind of node; a plain-text kind has neither colour nor border."""
    fill = theme.fill(kind)
    if fill == "none":
        return f"<td>{meaning}</td>"
    return f'<td border="1" color="{theme.line(kind)}" bgcolor="{fill}">{meaning}</td>'


def _sign(theme: Theme, kind: EdgeKind) -> str:
    """Return the text that shows an arrow's style: bold for the wider of two kinds that differ in width only."""
    sign = f'<font point-size="10">{_SIGNS[EDGES[kind].style]}</font>'
    thin = bool(theme.heavy) and kind not in theme.heavy and EDGES[kind].style == "solid"
    return sign if thin else f"<b>{sign}</b>"
