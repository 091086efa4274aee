r"""TikZ: a drawing as LaTeX source for papers and books, a file that compiles alone (class standalone).

Positions, curves and texts are those that ``dot`` gives as JSON: no layout of our own. Every text is escaped, so that
a name such as ``\input{secret}`` is printed, and never obeyed; tex.toml has the characters, tex.template the frame of
the file. Read next: :mod:`minipaddle.tools.picture.draw.render`, which asks dot.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Any
from unicodedata import east_asian_width, normalize

from minipaddle.tools.picture.choices import BadOption, Options
from minipaddle.tools.picture.draw.theme import EDGES, THEMES, edge_legend, node_legend
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.words.language import say, spoken
from minipaddle.tools.words.numbers import cut_cells

_LARGEST = 16_000
"""Points: TeX's largest dimension is 16,383 of its own."""
_TABLES = tomllib.loads(Path(__file__).with_name("tex.toml").read_text(encoding="utf-8"))
_FILE = Template(Path(__file__).with_name("tex.template").read_text(encoding="utf-8"))
_VARIABLE = re.compile(r"(?<![A-Za-z_])([A-Za-z])(?![A-Za-z_0-9])")
"""A single letter, which mathematics sets in italics."""
_LATIN = "ßøØæÆåÅ"
"""Letters of western Europe that every TeX has, as it has those with accents."""
_CHINESE = """% !TEX program = xelatex
% xelatex with its package ctex: there is Chinese here, which pdflatex does not have
"""
_STRANGE = """% !TEX program = lualatex
% lualatex or xelatex: the font, or a character here, is one that pdflatex does not have
"""


def to_tex(layout: bytes, graph: Graph, options: Options) -> str:
    """Return LaTeX source for a layout of ``dot -Tjson0``. Raises BadOption for a picture larger than TeX's pages."""
    return _Writer(json.loads(layout), options).text(graph)


class _Writer:
    """Writes one picture; `strange` and `wide` are set by characters for newer engines, and by Chinese ones."""

    def __init__(self, found: dict[str, Any], options: Options) -> None:
        self.found, self.options, self.theme = found, options, THEMES[options.theme]
        self.colours: dict[str, str] = {}
        self.strange = bool(options.font)
        self.wide = False

    def text(self, graph: Graph) -> str:
        """Return the whole source."""
        *_, width, height = map(float, self.found["bb"].split(","))
        if max(width, height) > _LARGEST:
            raise BadOption(
                "tex: {size} points a side, and TeX has no page of more than {most}; --focus draws a part",
                size=f"{max(width, height):.0f}",
                most=f"{_LARGEST:,}",
            )
        paper, body = self._colour(self.theme.paper), "\n".join(self._body(graph))
        scale = "" if self.options.inches is None else f"\\resizebox{{{self.options.inches:.4g}in}}{{!}}{{%\n"
        font, packages = self.options.font, "ctex" if self.wide else "fontspec" if self.strange else ""
        fonts = [f"\\usepackage{{{packages}}}\n"] if packages else []
        fonts += [f"\\setmainfont{{{font}}}\n"] if font else []
        fonts += [f"\\setCJKmainfont{{{font}}}\n"] if font and self.wide else []
        return _FILE.substitute(
            engine=_CHINESE if self.wide else _STRANGE if self.strange else "",
            fonts="".join(fonts),
            colours="".join(
                f"\\definecolor{{{one}}}{{HTML}}{{{code}}}\n" for code, one in self.colours.items()
            ),
            begin=scale,
            end="}" if scale else "",
            paper=paper,
            width=f"{width:g}",
            height=f"{height:g}",
            body=body,
        )

    def _body(self, graph: Graph) -> Iterator[str]:
        """Yield frames, nodes and arrows, and the legend."""
        objects = self.found.get("objects", ())
        for frame in objects:
            if frame["name"].startswith("cluster_") and "bb" in frame:
                left, low, right, high = frame["bb"].split(",")
                look = f"{self._colour(frame['color'])}, rounded corners=4bp{_dashes(frame)}"
                yield f"\\draw[{look}] ({left},{low}) rectangle ({right},{high});"
                yield from self._words(frame, "label", "lp")
        for node in objects:
            if "pos" in node:
                yield self._placed(node, "label", "pos", self._look(node))
        for edge in self.found.get("edges", ()):
            if edge.get("style") != "invis":
                yield self._curve(edge)
                yield from self._words(edge, "label", "lp")
                yield from self._words(edge, "xlabel", "xlp")
        if not self.options.bare and "lp" in self.found:
            ink = self._colour(self.theme.ink)
            yield f"\\node[text={ink}] at ({self.found['lp']}) {{{self._legend(graph)}}};"

    def _look(self, node: dict[str, Any]) -> str:
        """Return the shape, the size and the colours of a node, as TikZ's options."""
        width, height = (f"{72 * float(node[side]):.4g}bp" for side in ("width", "height"))
        shape = _TABLES["shapes"].get(node["shape"], "rectangle")
        look = f"{shape}, minimum width={width}, minimum height={height}"
        look += f", draw={self._colour(node['color'])}" if node["shape"] != "plaintext" else ""
        look += f", fill={self._colour(node['fillcolor'])}" if node["fillcolor"] != "none" else ""
        look += ", rounded corners=4bp" if "rounded" in node["style"] else ""
        return look + (f", line width={node['penwidth']}bp" if "penwidth" in node else "")

    def _curve(self, edge: dict[str, Any]) -> str:
        """Return an arrow: dot's points are a Bezier curve, and before them the tips, ``s,x,y`` and ``e,x,y``."""
        tips = dict(re.findall(r"([se]),(\S+)", edge["pos"]))
        first, *rest = re.sub(r"[se],\S+", "", edge["pos"]).split()
        path = f"({first})"
        path += "".join(f" .. controls ({a}) and ({b}) .. ({c})" for a, b, c in zip(*[iter(rest)] * 3))
        look = f"{self._colour(edge['color'])}{_dashes(edge)}, line width={edge.get('penwidth', '0.8')}bp"
        if "s" in tips:
            path, look = f"({tips['s']}) -- {path}", f"{look}, {{Stealth}}-"
        if "e" in tips:
            end = "Bar" if edge.get("arrowhead") == "tee" else "Stealth"
            path, look = f"{path} -- ({tips['e']})", f"{look}, -{{{end}}}"
        return f"\\draw[{look}] {path};"

    def _words(self, one: dict[str, Any], text: str, place: str) -> Iterator[str]:
        """Yield the label of an edge or a frame, if it has one and dot found room for it."""
        if one.get(text, "").strip() and place in one:
            yield self._placed(one, text, place, "rectangle")

    def _placed(self, one: dict[str, Any], text: str, place: str, look: str) -> str:
        """Return a TikZ node with a text of `one` at a place that dot gave it."""
        size, ink = float(one["fontsize"]), self._colour(one["fontcolor"])
        plain = re.sub(r"\\(.)", lambda found: "\n" if found[1] in "nlr" else found[1], one.get(text, ""))
        font = f"font=\\fontsize{{{size:g}}}{{{1.15 * size:.3g}}}\\selectfont, text={ink}"
        words = self._escaped(plain.strip(" "))
        return f"\\node[{font}, {look}] at ({one[place]}) {{{words}}};"

    def _legend(self, graph: Graph) -> str:
        """Return title and legend, in place of the table that is dot's."""
        nodes, arrows = [], []
        for kind, meaning in node_legend(graph).items():
            if self.theme.fill(kind) != "none":
                line, fill = self._colour(self.theme.line(kind)), self._colour(self.theme.fill(kind))
                nodes.append(f"\\fcolorbox{{{line}}}{{{fill}}}{{{self._escaped(say(meaning))}}}")
        for arrow in edge_legend(graph):
            look = f"{self._colour(self.theme.edges[arrow])}, {EDGES[arrow].style}"
            said = self._escaped(say(EDGES[arrow].meaning))
            arrows.append(f"\\tikz\\draw[{look}] (0,2bp) -- (16bp,2bp); {said}")
        title = self._escaped(f"{cut_cells(graph.title, 60)} · {spoken(graph.subtitle)}")
        small = ["\\fontsize{8}{10}\\selectfont " + "\\enspace ".join(row) for row in (nodes, arrows) if row]
        return "\\\\[2bp] ".join([title, *small])

    def _colour(self, code: str) -> str:
        return self.colours.setdefault(code.removeprefix("#").upper(), f"c{len(self.colours)}")

    def _escaped(self, text: str) -> str:
        """Return a text in which TeX obeys nothing."""
        pieces = _VARIABLE.split(text) if self.options.math else [text]  # every second one is a variable
        pieces[::2] = ["".join(map(self._letter, one)) for one in pieces[::2]]
        pieces[1::2] = [f"${one}$" for one in pieces[1::2]]
        return "".join(pieces)

    def _letter(self, one: str) -> str:
        if one in _TABLES["math"]:
            return f"${_TABLES['math'][one]}$"
        if one not in _TABLES["text"] and not one.isascii() and one not in _LATIN:
            self.wide |= east_asian_width(one) in "WF"
            self.strange |= one > "ÿ" or not normalize("NFD", one)[0].isascii()
        return str(_TABLES["text"].get(one, one))


def _dashes(one: dict[str, Any]) -> str:
    return next((f", {kind}" for kind in ("dashed", "dotted") if kind in one.get("style", "")), "")
