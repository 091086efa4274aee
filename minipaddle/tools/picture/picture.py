"""Picture: a graph with its options, for any format: in a file, a notebook or a terminal."""

import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

from rich.text import Text

from minipaddle.engine.extension_point import draw_page
from minipaddle.paddle.framework.whole_file import write_whole
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.extent import LEAST_ROW, Extent, size_of_png
from minipaddle.tools.picture.draw.json import to_json
from minipaddle.tools.picture.draw.render import NoRenderer, Rendered, format_of, render
from minipaddle.tools.picture.fitting import DATA, PAGE, SCREEN, Room, insist_on_pixels
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.picture.options import shaped
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.memory import uncollected
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.numbers import clean
from minipaddle.tools.words.terminal import UNICODE, Symbols

_ROOMS = {"html": PAGE, "json": DATA}
"""Formats with more room than a screen."""


@dataclass(repr=False)
class Page:
    """A page, which a notebook shows in a frame."""

    html: str

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:640px;border:0"></iframe>'


@dataclass(repr=False)
class Picture:
    """A graph, and the options of its view."""

    whole: Graph
    """The whole graph, before folding."""
    trace: Trace | None = None
    options: Options = field(default_factory=Options)
    _seen: dict[tuple[Options, Room], Graph] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Use mathematical names, if the options ask for them and there is a recording."""
        if self.options.math and self.trace is not None:
            from minipaddle.tools.picture.textbook import textbook

            self.whole = textbook(self.whole, self.options)
            if self.options.depth is None and len(self.whole.nodes) <= SCREEN.few:  # parameters are shown
                self.options = replace(self.options, depth="all")

    @property
    def graph(self) -> Graph:
        """The visible part of the graph."""
        return self.seen("svg")

    def seen(self, format: str) -> Graph:
        """Return the visible part in one of FORMATS: for a page the whole, which its reader opens and closes."""
        whole = replace(self.options, depth=None, open=(), collapse="") if format == "html" else self.options
        key = whole, _ROOMS.get(format, SCREEN)
        if key not in self._seen:
            self._seen[key] = shaped(self.whole, *key)
        return self._seen[key]

    @property
    def dot(self) -> str:
        """The picture in Graphviz's language."""
        return to_dot(self.graph, self.options)

    def svg(self) -> str:
        """A drawing as SVG text."""
        return self.rendered("svg").data.decode()

    def html(self) -> str:
        """A self-contained page, with the whole graph."""
        return self.rendered("html").data.decode()

    def json(self) -> str:
        """The picture as data for other programs."""
        return self.rendered("json").data.decode()

    def text(self, width: int | None = None) -> str:
        """The picture as a tree, as in a terminal."""
        return "\n".join(line.plain for line in self.lines(UNICODE, width))

    @uncollected()
    def rendered(self, format: str) -> Rendered:
        """Return the picture in one of FORMATS, and the engine that drew it.

        Raises NoRenderer for svg, png, pdf and tex without Graphviz, and BadOption if an option does not fit the
        graph, or a PNG would be too large.
        """
        if format == "html":
            page: Rendered = draw_page(self)
            return page
        graph = self.seen(format)
        if format == "json":
            return Rendered(to_json(graph).encode())
        if format != "png":
            return render(graph, format, self.options)
        rows = sum(node.side == "forward" and not node.is_leaf for node in graph.nodes.values())
        if not (self.options.inches or self.options.dpi):  # refused before dot needs a minute for it
            insist_on_pixels(Extent(0, rows * LEAST_ROW), self.options)
        drawn = render(graph, format, self.options)
        insist_on_pixels(size_of_png(drawn.data), self.options)
        return drawn

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> Rendered:
        """Draw into a file, in one of FORMATS (its suffix says which); it appears whole or not at all.

        Raises ValueError for an unknown suffix, and NoRenderer for svg, png, pdf and tex without Graphviz, and OSError
        if the path cannot be written.
        """
        drawn = self.rendered(format or format_of(path))
        write_whole(path, drawn.data)
        return drawn

    def __repr__(self) -> str:
        """One line with the subject of the picture."""
        return f"<Picture of {clean(self.whole.title)}: {spoken(self.whole.subtitle)}>"

    def show(self) -> None:
        """Show the picture: in a notebook below the cell, elsewhere as a page in a browser."""
        notebook = sys.modules.get("IPython")
        shell = notebook.get_ipython() if notebook is not None else None
        if getattr(shell, "kernel", None) is None:  # no notebook, or the IPython of a terminal
            self.open()
        else:
            sys.modules["IPython.display"].display(self)

    def open(self) -> None:
        """Open the picture as a page in a browser."""
        with tempfile.NamedTemporaryFile(suffix=".html", prefix="minipaddle-", delete=False) as file:
            file.write(self.rendered("html").data)
        webbrowser.open(Path(file.name).as_uri())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """For notebooks: a drawing, or the page if there is no Graphviz, and text. It never raises."""
        bundle: dict[str, str] = {}
        try:
            bundle["text/plain"] = self.text()
            try:
                bundle["image/svg+xml"] = self.svg()
            except NoRenderer:
                bundle["text/html"] = Page(self.html())._repr_html_()
        except (ValueError, OSError) as error:
            bundle["text/plain"] = f"{clean(self.whole.title)}: {error}"
        return bundle

    def lines(self, symbols: Symbols, width: int | None = None) -> Iterator[Text]:
        """Yield the lines of the tree, cut to `width` cells. Raises BadOption if an option does not fit the graph."""
        from minipaddle.tools.picture.terminal.lines import tree_lines
        from minipaddle.tools.picture.terminal.tree import tree_rows

        options = self.options
        with uncollected():
            seen = shaped(self.whole, Options(focus=options.focus, saved=options.saved, fold="none"))
            folded = options.fold == "auto"
            rows = list(tree_rows(seen, symbols, folded, options.saved)) if self.trace else []
        yield Text(f"{clean(seen.title)} {symbols.dot} {spoken(seen.subtitle)}")
        yield from tree_lines(rows, symbols, width)
