"""The page as text: template, style sheet and scripts are files beside this one; here they meet the graph."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from minipaddle.explain.symbols.program.recording import Fixed, Live
from minipaddle.page.colours import colours
from minipaddle.page.content import Sheet, content_of, other_passes
from minipaddle.page.embed import embed
from minipaddle.page.push import functions_of, live_of, said_why
from minipaddle.page.safety import as_script, policy, without_homes
from minipaddle.page.source import source_html
from minipaddle.page.views import View, drawing, views_of
from minipaddle.trace.events import Trace
from minipaddle.viz.draw.chips import with_chips
from minipaddle.viz.draw.render import OWN, Rendered, drawn_by, put_together
from minipaddle.viz.draw.theme import EDGES, NODES, THEMES, Style, edge_legend, node_legend
from minipaddle.viz.model.graph import Graph
from minipaddle.viz.model.measures import WORDS
from minipaddle.viz.opening import PAGE, SCREEN
from minipaddle.viz.options import shaped, styled
from minipaddle.viz.picture import Picture

_FEW = replace(PAGE, few=SCREEN.few, most=SCREEN.few)
"""Room for a pass that is not the one asked for."""
_ENGINES = {"dot": "Graphviz", "pygraphviz": "Graphviz", OWN: "minipaddle itself"}


def page_of(picture: Picture) -> Rendered:
    """Return the page of a picture, with the backward passes near the one that it shows."""
    graph, options = picture.seen("html"), picture.options
    trace = picture.trace if picture.trace is not None and picture.trace.sources else None
    others: list[Graph] = []
    if trace is not None and graph.pass_number:  # the tape knows no lines, and one pass
        whole = replace(options, focus="")
        others = other_passes(trace, graph.pass_number, lambda other: shaped(other, whole, _FEW))
    folded = options.fold == "auto" and len(graph.nodes) > SCREEN.few
    style = styled(graph, options)
    live = options.live and not options.share_safe
    return to_html(
        graph, trace, style, picture.engine, options.color_by, options.share_safe, others, folded, live
    )


def to_html(
    graph: Graph,
    trace: Trace | None = None,
    style: Style | None = None,
    engine: str = "auto",
    colour_by: str = "role",
    share_safe: bool = False,
    others: Sequence[Graph] = (),
    folded: bool = False,
    live: bool = False,
) -> Rendered:
    """Return the page of a graph; with the recording that it comes from, formulas and source are in it.

    `share_safe` leaves out every number and every text of the user's but names and source lines, and writes ``~`` for
    home directories. `others` are other backward passes, which the reader may choose. `folded`: repeats are, at first.
    `live`: numbers can be changed in the page, if they are few.
    """
    style = style or Style()
    sheets = [_sheet(one, trace, style, share_safe, live, one is graph) for one in (graph, *others)]
    views = [(sheet, view) for sheet in sheets for view in sheet.views]
    with drawing([view for _, view in views], style, engine) as waiting:
        data = content_of(sheets, trace, colour_by, share_safe)
        data["folded"] = folded
        drawn = [one.result() for one in waiting]
    pictures = [
        _picture(*view, picture, style.layout, share_safe) for view, picture in zip(views, drawn, strict=True)
    ]
    measures = dict.fromkeys(name for sheet in data["passes"] for name in sheet["measures"])
    text = filled(
        "page",
        ("viewport.js", "values.js", "panel.js", "page.js"),
        *_pushing(sheets),
        theme="auto" if style.theme_name == "light" else style.theme_name,
        title=escape(graph.title),
        subtitle=escape(graph.subtitle),
        engine=escape(drawn_by(drawn, _ENGINES)),
        left_out=escape(_left_out(sheets, trace)),
        colours=_options([("role", "role"), *((key, WORDS.get(key, key)) for key in measures)]),
        legend=legend(with_chips(one, style.layout) for one in (graph, *others)),
        steps="".join(f"<li>{escape(sentence)}</li>" for sentence in sheets[0].said["all"].values()),
        source=source_html(graph, trace),
        pictures="\n".join(pictures),
        push=_push_line(sheets),
        data=as_script(data),
    )
    return put_together(without_homes(text) if share_safe else text, drawn)


def _sheet(
    graph: Graph, trace: Trace | None, style: Style, share_safe: bool, live: bool, first: bool
) -> Sheet:
    """Return a pass as the page shows it: the first one in several views."""
    number = graph.pass_number
    pushed = live_of(trace, number) if live and trace is not None and number else None
    views, prefix = (views_of(graph), "") if first else ([View("all", "all of it", graph)], f"p{number}.")
    return Sheet(views, number, prefix, not share_safe, pushed, style.values)


def _pushing(sheets: Sequence[Sheet]) -> tuple[str, str]:
    """Return the script and the style sheet for changing numbers, if there are passes that allow it."""
    if not any(isinstance(sheet.live, Live) for sheet in sheets):
        return "", ""
    return functions_of(sheet.live for sheet in sheets) + _file("program.js") + _file("live.js"), _file(
        "live.css"
    )


def _push_line(sheets: Sequence[Sheet]) -> str:
    """Return where the page says which numbers can be changed, or why none can."""
    if any(isinstance(sheet.live, Live) for sheet in sheets):
        return ' <span id="push" hidden></span>'
    live = sheets[0].live
    return f" <span>{escape(said_why(live))}</span>" if isinstance(live, Fixed) else ""


def filled(
    template: str, scripts: Sequence[str], more_script: str = "", more_css: str = "", **parts: str
) -> str:
    """Return a template with its scripts, the style sheet and `parts` (HTML) in it."""
    from minipaddle import __version__

    script, css = "".join(map(_file, scripts)) + more_script, colours() + _file("page.css") + more_css
    return Template(_file(f"{template}.html")).substitute(
        parts,
        policy=escape(policy(script, css)),
        version=__version__,
        css=css,
        themes=_options([("auto", "as the system"), *((name, one.title) for name, one in THEMES.items())]),
        script=script,
    )


def legend(graphs: Iterable[Graph]) -> str:
    """Say what the signs mean; the colours come from the style sheet, so that they follow the theme."""
    graphs = list(graphs)
    kinds = dict.fromkeys(kind for graph in graphs for kind in node_legend(graph))
    arrows = dict.fromkeys(kind for graph in graphs for kind in edge_legend(graph))
    nodes = ((one.role, one.meaning) for kind, one in NODES.items() if kind in kinds)
    signs = [f'<span class="node-sign role-{role}">{meaning}</span>' for role, meaning in nodes]
    for kind, one in EDGES.items():
        if kind in arrows:
            sign = f'<span class="edge-sign kind-{kind} {one.style}"></span>'
            signs.append(f"<span>{sign}{one.meaning}</span>")
    return "".join(signs)


def _picture(sheet: Sheet, view: View, picture: Rendered, layout: str, share_safe: bool) -> str:
    key = f"{sheet.prefix}{view.key}"
    extra = "" if key == "all" else " data-extra"
    svg = embed(picture.data.decode(), key, view.graph, layout, share_safe)
    return f'<div class="view" data-view="{key}"{extra}>{svg}</div>'


def _left_out(sheets: Sequence[Sheet], trace: Trace | None) -> str:
    """Say which passes are not in the page, and how to see them."""
    passes = trace.passes if trace is not None else 0
    missing = passes - len(sheets)
    if not sheets[0].number or missing <= 0:
        return ""
    return f"{missing} other passes are not in this page: --pass N draws one of 1 to {passes}"


def _options(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(f'<option value="{escape(key)}">{escape(title)}</option>' for key, title in pairs)


@cache
def _file(name: str) -> str:
    return (Path(os.path.dirname(__file__)) / "assets" / name).read_text(encoding="utf-8")
