"""Labels in Graphviz's HTML-like language: the cells of a strip, the title and the legend of a picture."""

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from minipaddle.tools.picture.draw.theme import EDGES, Style, Theme, edge_legend, node_legend, width_words
from minipaddle.tools.picture.model.graph import EdgeKind, Graph, NodeKind
from minipaddle.tools.picture.model.measures import mixed
from minipaddle.tools.picture.model.strips import LEVELS, Cell, Scale
from minipaddle.tools.words.language import say, spoken
from minipaddle.tools.words.numbers import cut_cells

HEIGHT = 7
_WIDEST, _NARROWEST, _STRIP = 12, 3, 180
"""Width of a cell, at most and at least; width of a strip that has many."""


class Html(str):
    """A label in Graphviz's HTML-like language, where another one is plain text."""


def width_of_cell(count: int) -> int:
    """Return how wide each of so many cells is."""
    return max(_NARROWEST, min(_WIDEST, _STRIP // max(count, 1)))


def width_of_strip(count: int) -> int:
    """Return how wide a strip of so many cells is, in points."""
    return width_of_cell(count) * count


def level_of(cell: Cell, scale: Scale) -> str:
    """Return how a cell looks in a word: ``0`` to ``10`` by its norm, ``zero``, ``bad`` (NaN or Inf), ``unknown``."""
    if math.isnan(cell.norm):
        return "unknown"
    if math.isinf(cell.norm):
        return "bad"
    return str(scale.level(cell.norm)) if cell.norm else "zero"


def colour_of(level: str, theme: Theme) -> str:
    """Return the colour of what :func:`level_of` says."""
    named = {"unknown": theme.frame, "bad": theme.roles["alarm"][0], "zero": theme.paper}
    return named.get(level) or mixed(theme.scale, int(level) / LEVELS)


def id_of(node: str, place: int) -> str:
    """Return the id of a cell: ``f7.r0`` is the first of node f7."""
    return f"{node}.r{place}"


def html_label(lines: Sequence[str], node: str, cells: Sequence[Cell], scale: Scale, theme: Theme) -> Html:
    """Return lines with a strip below them. A link carries the tooltip of a cell: Graphviz drops one without."""
    row = "".join(
        f'<td id="{id_of(node, place)}" href="#{cell.of}" tooltip="{cell.words}" width="{width_of_cell(len(cells))}" '
        f'height="{HEIGHT}" fixedsize="true" bgcolor="{colour_of(level_of(cell, scale), theme)}"></td>'
        for place, cell in enumerate(cells)
    )
    table = '<table border="0" cellborder="0" cellspacing="0" cellpadding="0">'
    words = "<br/>".join(map(escape, lines))
    size = f'fixedsize="true" width="{width_of_strip(len(cells)) + 2}" height="{HEIGHT + 2}"'
    outline = table.replace('border="0"', 'border="1"', 1).replace(">", f' color="{theme.frame}">')
    strip = f"<td {size}>{outline}<tr>{row}</tr></table></td>"
    centred = f"{table}<tr><td></td>{strip}<td></td></tr></table>"
    return Html(f"<{table}<tr><td>{words}</td></tr><tr><td>{centred}</td></tr></table>>")


_LONGEST = 60
_SIGNS = {"solid": "⟶", "dashed": "– – –", "dotted": "• • • •"}


def head(graph: Graph, style: Style, strips: str = "") -> str:
    """Return the label: what the picture is of, and below it what the signs mean."""
    theme = style.theme
    nodes = "".join(_cell(theme, kind, say(one)) for kind, one in node_legend(graph).items())
    arrows = "".join(
        f'<td><font color="{theme.edges[kind]}">{_sign(theme, kind)}</font> {say(EDGES[kind].meaning)}</td>'
        for kind in edge_legend(graph)
    )
    said = filter(None, (width_words(graph, theme), style.scale, strips))
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
    """Return what a kind of node looks like; one that is a plain text has neither colour nor border."""
    fill = theme.fill(kind)
    if fill == "none":
        return f"<td>{meaning}</td>"
    return f'<td border="1" color="{theme.line(kind)}" bgcolor="{fill}">{meaning}</td>'


def _sign(theme: Theme, kind: EdgeKind) -> str:
    """Return a piece of an arrow, bold unless it is the thinner one of two that differ in nothing else."""
    sign = f'<font point-size="10">{_SIGNS[EDGES[kind].style]}</font>'
    thin = bool(theme.heavy) and kind not in theme.heavy and EDGES[kind].style == "solid"
    return sign if thin else f"<b>{sign}</b>"
