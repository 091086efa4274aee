"""Our own drawing, for machines without Graphviz: one row a step, forward on the left, its twin on the right.

Layout is left to Graphviz wherever it is installed. This one knows the mirror, from above to below, and the tape; but
it needs nothing.
:mod:`minipaddle.tools.picture.draw.layout` says what stands on which row and where; here it gets ink.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from rich.cells import cell_len

from minipaddle.tools.picture.draw.cells import svg_cells
from minipaddle.tools.picture.draw.chips import with_chips
from minipaddle.tools.picture.draw.layout import (
    CELLS,
    GAP,
    LINE,
    MARGIN,
    TOP,
    Box,
    boxes_of_headings,
    head_of,
    placed,
    rects_of_frames,
    route,
)
from minipaddle.tools.picture.draw.theme import EDGES, FONT, NODES, Style, Theme, edge_legend, node_legend
from minipaddle.tools.picture.draw.widths import width_words, widths
from minipaddle.tools.picture.model.graph import Edge, EdgeKind, Graph
from minipaddle.tools.picture.model.labels import tooltip
from minipaddle.tools.picture.model.strips import NO_STRIPS, strips_of
from minipaddle.tools.words.language import say, spoken
from minipaddle.tools.words.numbers import bytes_text, cut_cells

_LONGEST_WORD = 20  # at an arrow: a bow has MARGIN
_LETTER = 0.5
"""Width of a letter, as a part of the size of its font."""
_DASHES = {"dashed": ' stroke-dasharray="4 3"', "dotted": ' stroke-dasharray="1 3"'}
_ROUND = {"ellipse": 0.5, "circle": 0.5, "note": 0.0, "plaintext": 0.0}
"""Corners, as a part of the height; others have 6 points."""


def to_svg(graph: Graph, style: Style | None = None) -> str:
    """Return the graph as SVG text: a mirror, or a tape for every other layout."""
    return _Drawing(graph, style or Style()).text()


class _Drawing:
    """One picture."""

    def __init__(self, graph: Graph, style: Style) -> None:
        self.graph = with_chips(graph, style.layout)
        self.style = style
        self.theme: Theme = style.theme
        self.widths = widths(self.graph, self.theme)
        self.strips = strips_of(self.graph) if style.values != "none" else NO_STRIPS
        self.boxes = placed(self.graph, style, self.strips.of)
        self.ways: Counter[tuple[str, str]] = Counter()
        self.columns = max((box.column for box in self.boxes.values()), default=0) + 1

    def text(self) -> str:
        """Return the SVG text."""
        graph, theme, boxes = self.graph, self.theme, self.boxes
        height = max((box.y + box.height for box in boxes.values()), default=TOP) + GAP
        columns = graph.columns > 1 and self.style.layout == "mirror"
        rights = [max(box.rims[1] if columns else box.right, box.x + box.width) for box in boxes.values()]
        width: float = max(rights, default=0) + (GAP if columns else MARGIN)
        legend, end = self._legend()
        width = max(width, self._title_width(), end) if self.style.legend else width
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family={quoteattr(FONT)} font-size="11">',
            f'<rect width="100%" height="100%" fill="{theme.paper}"/>',
            *(self._head(width / 2) if self.style.legend else ()),
            *self._headings(),
            *(legend if self.style.legend else ()),
            "<defs>"
            + "".join(self._marker(kind) for kind in ("value", "gradient", "update", "cut"))
            + "</defs>",
            *self._frames(),
            *(self._arrow(edge, number) for number, edge in graph.drawn_edges()),
            *(self._drawn(box) for box in boxes.values()),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    @property
    def _title(self) -> str:
        return f"{cut_cells(self.graph.title, 60)} · {spoken(self.graph.subtitle)}"

    def _title_width(self) -> float:
        return MARGIN + _LETTER * 12 * max(cell_len(self._title), cell_len(spoken(self.graph.closed)))

    def _head(self, middle: float) -> Iterator[str]:
        """Say what this is."""
        yield (
            f'<text x="{middle:g}" y="20" fill="{self.theme.ink}" font-size="12" text-anchor="middle">'
            f"{escape(self._title)}</text>"
        )
        if self.graph.closed:
            yield (
                f'<text x="{middle:g}" y="{TOP - 8 + LINE:g}" fill="{self.theme.ink}" font-size="10" '
                f'text-anchor="middle">{escape(spoken(self.graph.closed))}</text>'
            )

    def _headings(self) -> Iterator[str]:
        """Say which pass a column is of."""
        for words, middle in (
            boxes_of_headings(self.graph, self.boxes) if self.style.layout == "mirror" else ()
        ):
            yield (
                f'<text class="heading" x="{middle:g}" y="{head_of(self.graph, self.style) - 8}" '
                f'fill="{self.theme.ink}" font-size="13" text-anchor="middle">{escape(words)}</text>'
            )

    def _drawn(self, box: Box) -> str:
        node, theme = box.node, self.theme
        fill, stroke = theme.colours(node, self.style.values != "none")
        shape, fill = NODES[node.kind].shape, self.style.fills.get((node.stands_for or node).id) or fill
        bare = fill == "none"
        marked = node.id in self.style.marked
        chip = node.kind == "chip"
        size = ' font-size="8"' if chip else ""
        above = box.y + (0 if chip else 5)
        lines = "".join(
            f'<text x="{box.center[0]:g}" y="{above + LINE * (number + 0.75):g}" text-anchor="middle"{size} '
            f'fill="{theme.ink}">{"► " if marked and not number else ""}{escape(line)}</text>'
            for number, line in enumerate(box.lines)
        )
        cells = self.strips.of.get(node.id, ())
        below = above + LINE * len(box.lines) + 1
        lines += "".join(svg_cells(node.id, cells, self.strips.scale, theme, box.center[0], below))
        return (
            f'<g id={quoteattr(node.id)} class="node"><title>{escape(tooltip(node))}</title>'
            f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" '
            f'rx="{box.height * _ROUND[shape] if shape in _ROUND else 6:g}" '
            f'fill="{theme.paper if bare else fill}" stroke="{"none" if bare else stroke}" '
            f'stroke-width="{3 if marked else 2.5 if shape == "box3d" else 1}"/>{lines}</g>'
        )

    def _arrow(self, edge: Edge, number: int) -> str:
        """Draw an edge with its label."""
        look = EDGES[edge.kind]
        path, x, y, anchor = route(
            self.boxes[edge.tail], self.boxes[edge.head], self.columns, self.ways[edge.tail, edge.head]
        )
        self.ways[edge.tail, edge.head] += 1
        width = f' stroke-width="{self.widths[number]:g}"' if number in self.widths else ""
        dash = _DASHES.get(look.style, "") + width
        arrow = "" if edge.kind == "saved" else f' marker-end="url(#{edge.kind})"'
        kept = f" ({bytes_text(edge.nbytes)})" if self.style.saved and edge.nbytes else ""
        meaning, said = say(look.meaning), spoken(edge.label)
        words = f"{meaning}: {said}{kept}" if said else meaning
        label = (
            f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" '
            f'font-size="8" fill="{self.theme.pale}" {self._halo()}>'
            f"{escape(cut_cells(said, _LONGEST_WORD))}{kept}</text>"
            if said
            else ""
        )
        return (
            f'<g id="e{number}" class="edge"><title>{escape(words)}</title>'
            f'<path d="{path}" fill="none" stroke="{self.theme.edges[edge.kind]}"{dash}{arrow}/>{label}</g>'
        )

    def _weight(self, kind: EdgeKind) -> str:
        return ' stroke-width="2"' if kind in self.theme.heavy else ""

    def _halo(self) -> str:
        """Return what keeps a word readable that stands on a line: a margin in the colour of the paper."""
        return f'paint-order="stroke" stroke="{self.theme.paper}" stroke-width="3"'

    def _frames(self) -> Iterator[str]:
        """Draw the frames, outer ones wider than those in them; each has a line of its own for its title."""
        for id_, (x, y, right, bottom) in rects_of_frames(self.graph, self.boxes).items():
            cluster = self.graph.clusters[id_]
            dash = _DASHES["dashed"] if cluster.kind == "body" else ""
            yield (
                f'<g id={quoteattr(id_)} class="cluster"><rect x="{x:g}" y="{y:g}" width="{right - x:g}" '
                f'height="{bottom - y:g}" rx="8" fill="none" stroke="{self.theme.around(cluster)}"{dash}/>'
                f'<text x="{x + 6:g}" y="{y + 9:g}" font-size="9" fill="{self.theme.pale}" {self._halo()}>'
                f"{escape(cut_cells(spoken(cluster.title), CELLS))}</text></g>"
            )

    def _legend(self) -> tuple[list[str], float]:
        """Say what colours, lines and widths mean, in two rows below the title; return that, and where it ends."""
        theme, parts = self.theme, []
        x = float(MARGIN)
        for kind, meaning in node_legend(self.graph).items():
            meaning = say(meaning)
            width = 5 * cell_len(meaning) + 10
            parts.append(
                f'<rect x="{x:g}" y="30" width="{width}" height="14" rx="3" fill="{theme.fill(kind)}" '
                f'stroke="{theme.line(kind)}"/><text x="{x + width / 2:g}" y="40" text-anchor="middle" font-size="9" '
                f'fill="{theme.pale}">{meaning}</text>'
            )
            x += width + 6
        end, x = x, float(MARGIN)
        for edge in edge_legend(self.graph):
            look, meaning = EDGES[edge], say(EDGES[edge].meaning)
            parts.append(
                f'<path d="M{x:g},56 h22" stroke="{theme.edges[edge]}"'
                f"{_DASHES.get(look.style, '')}{self._weight(edge)}/>"
                f'<text x="{x + 27:g}" y="59" font-size="9" fill="{theme.pale}">{meaning}</text>'
            )
            x += 5 * cell_len(meaning) + 50
        said = say("; ").join(filter(None, (width_words(self.graph, theme), self.style.scale)))
        if said:
            parts.append(f'<text x="{x:g}" y="59" font-size="9" fill="{theme.pale}">{escape(said)}</text>')
        if self.strips.words:
            words = escape(self.strips.words)
            parts.append(f'<text x="{MARGIN}" y="72" font-size="9" fill="{theme.pale}">{words}</text>')
        ends = x + _LETTER * 9 * cell_len(said), MARGIN + _LETTER * 9 * cell_len(self.strips.words)
        return parts, max(end, *ends) + 6

    def _marker(self, kind: EdgeKind) -> str:
        head = "M6,0 L9,0 L9,10 L6,10 z" if kind == "cut" else "M0,0 L10,5 L0,10 z"
        return (
            f'<marker id="{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            f'orient="auto-start-reverse"><path d="{head}" fill="{self.theme.edges[kind]}"/></marker>'
        )
