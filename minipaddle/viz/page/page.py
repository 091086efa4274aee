"""The page as text: template, style sheet and script are files beside this one; here they meet the graph."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from minipaddle.trace.events import Trace
from minipaddle.viz.measures import MEASURES, WORDS, measure, places, scale_words
from minipaddle.viz.model import Graph
from minipaddle.viz.page.embed import embed
from minipaddle.viz.page.facts import facts_of
from minipaddle.viz.page.source import source_html
from minipaddle.viz.page.views import View, drawing, views_of
from minipaddle.viz.render import Rendered
from minipaddle.viz.story import sentences
from minipaddle.viz.style import Style
from minipaddle.viz.theme import EDGES, NODES, THEMES, Theme, edge_legend, node_legend

__all__ = ["to_html"]

_THEMES = {"auto": "as the system", "light": "light", "dark": "dark", "print": "print", "cb": "colour-blind"}
_FOUND = {"light": "#b83280", "dark": "#f6ad55", "print": "#000000", "cb": "#000000"}


def to_html(
    graph: Graph,
    trace: Trace | None = None,
    style: Style | None = None,
    engine: str = "auto",
    colour_by: str = "role",
    share_safe: bool = False,
) -> Rendered:
    """Return the page of a graph; with the recording that it comes from, formulas and source are in it.

    `share_safe` leaves out every number and every text of the user's but names and source lines.
    """
    style = style or Style()
    views = views_of(graph)
    with ThreadPoolExecutor(max_workers=2) as pool:
        waiting = drawing(views, style, engine, pool)
        said = {view.key: sentences(view.graph, not share_safe) for view in views}
        data = _data(views, trace, said, colour_by, share_safe)
        pictures = [one.result() for one in waiting]
    script, css = _file("page.js"), _themes() + _file("page.css")
    text = Template(_file("page.html")).substitute(
        theme="auto" if style.theme_name == "light" else style.theme_name,
        policy=escape(_policy(script, css)),
        version=_version(),
        title=escape(graph.title),
        subtitle=escape(graph.subtitle),
        css=css,
        views=_options((view.key, view.title) for view in views),
        colours=_options([("role", "role"), *((key, WORDS.get(key, key)) for key in data["measures"])]),
        themes=_options(_THEMES.items()),
        legend=_legend(graph),
        steps="".join(f"<li>{escape(sentence)}</li>" for sentence in said["all"].values()),
        source=source_html(graph, trace),
        pictures="\n".join(
            _picture(view, picture, share_safe) for view, picture in zip(views, pictures, strict=True)
        ),
        data=_as_script(data),
        script=script,
    )
    remarks = tuple(dict.fromkeys(remark for picture in pictures for remark in picture.remarks))
    return Rendered(text.encode(), pictures[0].engine, remarks)


def _data(
    views: list[View],
    trace: Trace | None,
    said: dict[str, dict[str, str]],
    colour_by: str,
    share_safe: bool,
) -> dict[str, Any]:
    """Return what the script reads."""
    nodes: dict[str, Any] = {}
    for view in views:  # the first view knows most of a node; closed layers are in later ones only
        new = [id_ for id_ in view.graph.nodes if id_ not in nodes]
        known = facts_of(view.graph, trace, said[view.key], share_safe, new)
        nodes.update(known)
    return {
        "schema": "minipaddle-page",
        "version": 1,
        "colour": colour_by,
        "views": [_view_data(view) for view in views],
        "nodes": nodes,
        "measures": {} if share_safe else _measures(views, colour_by),
    }


def _view_data(view: View) -> dict[str, Any]:
    return {
        "key": view.key,
        "order": list(view.graph.nodes),
        "edges": [
            {"id": f"e{number}", "tail": edge.tail, "head": edge.head, "kind": edge.kind, "label": edge.label}
            for number, edge in enumerate(view.graph.edges)
            if edge.kind != "order"
        ],
    }


def _measures(views: list[View], colour_by: str) -> dict[str, Any]:
    """Return for each measure where every node lies on its scale."""
    wanted = [*MEASURES, *([colour_by] if colour_by.startswith("py:") else [])]
    found: dict[str, Any] = {}
    for name in wanted:
        numbers: dict[str, float] = {}
        for view in reversed(views):
            numbers.update(measure(view.graph, name))
        if numbers:
            rounded = {id_: round(place, 3) for id_, place in places(numbers).items()}
            found[name] = {"words": scale_words(name, numbers), "places": rounded}
    return found


# -- parts of the page -------------------------------------------------------------------------------------------------


def _picture(view: View, picture: Rendered, share_safe: bool) -> str:
    extra = "" if view.key == "all" else " data-extra"
    svg = embed(picture.data.decode(), view.key, view.graph, share_safe)
    return f'<div class="view" data-view="{view.key}"{extra}>{svg}</div>'


def _legend(graph: Graph) -> str:
    """Say what the signs mean; the colours come from the style sheet, so that they follow the theme."""
    nodes = (
        f'<span class="node-sign role-{NODES[kind].role}">{NODES[kind].meaning}</span>'
        for kind in node_legend(graph)
    )
    edges = (
        f'<span><span class="edge-sign kind-{kind} {EDGES[kind].style}"></span>{EDGES[kind].meaning}</span>'
        for kind in edge_legend(graph)
    )
    return "".join([*nodes, *edges])


def _options(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(f'<option value="{escape(key)}">{escape(title)}</option>' for key, title in pairs)


def _themes() -> str:
    """Write the colours as variables: as the system wishes, unless the page says otherwise."""
    light, dark = _variables("light"), _variables("dark")
    chosen = "".join(f':root[data-theme="{name}"]{{{_variables(name)}}}\n' for name in THEMES)
    roles = "".join(_role_rules(THEMES["light"]))
    system = f":root{{{light}}}\n@media(prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    return system + chosen + roles + "@media print{:root:root{" + _variables("print") + "}}\n"


def _variables(name: str) -> str:
    theme = THEMES[name]
    colours = {"paper": theme.paper, "ink": theme.ink, "pale": theme.pale, "frame": theme.frame}
    for role, (fill, line) in theme.roles.items():
        colours |= {f"{role}-fill": theme.paper if fill == "none" else fill, f"{role}-line": line}
    colours |= {f"edge-{kind}": colour for kind, colour in theme.edges.items() if colour != "none"}
    colours |= {"scale-low": theme.scale[0], "scale-high": theme.scale[1], "found": _FOUND[name]}
    scheme = "dark" if name == "dark" else "light"
    return f"color-scheme:{scheme};" + "".join(f"--{key}:{value};" for key, value in colours.items())


def _role_rules(theme: Theme) -> Iterator[str]:
    """Let shapes take the colours of their role, whatever the engine wrote into them."""
    for role in theme.roles:
        for shape in ("polygon", "ellipse", "rect", "path:not([fill=none])"):
            yield f".role-{role}>{shape}{{fill:var(--{role}-fill);stroke:var(--{role}-line)}}\n"
        yield f".role-{role}>polyline{{stroke:var(--{role}-line)}}\n"
        yield f".node-sign.role-{role}{{background:var(--{role}-fill);border-color:var(--{role}-line)}}\n"
    for kind in EDGES:
        if kind != "order":
            yield f".kind-{kind}>path{{stroke:var(--edge-{kind})}}\n"
            yield f".kind-{kind}>polygon{{stroke:var(--edge-{kind});fill:var(--edge-{kind})}}\n"
            yield f".edge-sign.kind-{kind}{{border-color:var(--edge-{kind})}}\n"


# -- safety ------------------------------------------------------------------------------------------------------------


def _policy(script: str, css: str) -> str:
    """Allow this script and this style sheet, and nothing else: no network, no frame, no form."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(css)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _as_script(data: Any) -> str:
    """Write JSON that cannot end the element that it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text.encode("utf-8", "replace").decode()


@cache
def _file(name: str) -> str:
    return (Path(os.path.dirname(__file__)) / name).read_text(encoding="utf-8")


def _version() -> str:
    from minipaddle import __version__

    return __version__
