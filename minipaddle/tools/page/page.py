"""The page as text: its template, style sheet and scripts are files in this folder; they are filled with the graph.

Below: the user's source, line by line; a line that made nodes is marked and links to them.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from minipaddle.engine.errors import file_title
from minipaddle.tools.explain.symbols.page_program.instructions import functions
from minipaddle.tools.explain.symbols.page_program.recording import Live
from minipaddle.tools.page.changeable_numbers import live_of
from minipaddle.tools.page.closable import closable_of, state_of
from minipaddle.tools.page.colours import colours
from minipaddle.tools.page.content import Sheet, content_of, other_passes
from minipaddle.tools.page.facts import LONGEST
from minipaddle.tools.page.safety import as_script, policy
from minipaddle.tools.page.story import sentences
from minipaddle.tools.picture.choices import BadOption
from minipaddle.tools.picture.draw import theme
from minipaddle.tools.picture.draw.chips import with_chips
from minipaddle.tools.picture.draw.render import Rendered
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.picture.options import shaped
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record.events import Trace
from minipaddle.tools.words.control_characters import visible
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import language, say, spoken
from minipaddle.tools.words.numbers import clean, cut

SCRIPTS = "viewport minimap values state layout/rows layout/branches layout/ports layout/lanes layout/ways \
layout/boxes layout/layout drawing paper paths panel opening page replay controls"
PUSHING = "live/program live/formula live/fields live/push live/live"
"""A page's scripts, each built on those before it; the last only where numbers can be changed."""


def page_of(picture: Picture) -> Rendered:
    """Return the page of a picture, with the backward passes near its own for the reader to choose from.

    It contains all of the graph: the parts that the options close are closed at first, and can be opened. With its
    recording, it contains formulas and source. If the options allow it and there are few numbers, these can be
    changed. The script lays out the page, without Graphviz. Raises BadOption for a direction that it does not know.
    """
    from minipaddle import __version__

    graph, options = picture.seen("html"), picture.options
    trace = picture.trace if picture.trace is not None and picture.trace.sources else None
    if options.direction == "LR":
        raise BadOption("--direction LR: a page runs down; -o x.svg runs to the right")
    pictures = [picture]
    if trace is not None and graph.pass_number:  # a tape has no lines, and one pass only
        whole = replace(options, focus="")
        pictures += [Picture(other, trace, whole) for other in other_passes(trace, graph.pass_number)]
    sheets = [_sheet(one, trace) for one in pictures]
    data = content_of(sheets, trace)
    script, css = _script_and_css(sheets)
    themes = {"auto": say("as the system")} | {name: say(one.title) for name, one in theme.THEMES.items()}
    text = Template(told(_file("page.html"))).substitute(
        policy=escape(policy(script, css)),
        version=__version__,
        css=css,
        language={"zh": "zh-CN"}.get(language(), "en"),
        themes="".join(f'<option value="{name}">{escape(title)}</option>' for name, title in themes.items()),
        script=script,
        theme="auto" if options.theme == "light" else options.theme,
        title=escape(graph.title),
        subtitle=escape(spoken(graph.subtitle)),
        legend=legend(
            [with_chips(sheet.graph, options.layout) for sheet in sheets],
            any(isinstance(sheet.live, Live) for sheet in sheets),
        ),
        steps="".join(f"<li>{escape(said)}</li>" for said in sentences(graph).values()),
        source=source_html(graph, trace),
        shown=escape(f"{graph.title}, {spoken(graph.subtitle)}"),
        data=as_script(data),
    )
    return Rendered(text.encode())


def _sheet(picture: Picture, trace: Trace | None) -> Sheet:
    """Return the sheet of a pass; its numbers are changeable if the options allow it."""
    graph, options = picture.seen("html"), picture.options
    live = options.live and not options.math and graph.pass_number
    pushed = live_of(picture.whole) if live and trace is not None else None
    found, seen = closable_of(graph), shaped(picture.whole, options)
    return Sheet(graph, options, state_of(graph, found, seen), found, pushed)


def _script_and_css(sheets: Sequence[Sheet]) -> tuple[str, str]:
    """Return the script and the style sheet; with those for changing numbers, if there are passes that allow it."""
    css = colours() + _file("page.css")
    script = "".join(_file(f"{name}.js") for name in SCRIPTS.split())
    lives = [sheet.live for sheet in sheets if isinstance(sheet.live, Live)]
    if lives:
        script += functions(name for live in lives for name in live.program.functions)
        script += "".join(_file(f"{name}.js") for name in PUSHING.split())
        css += _file("live/live.css")
    return told(lean(script)), lean(css)


SAID = re.compile("§([^§]+)§")
"""Texts for the reader, in templates and scripts. A value that a script inserts, ``${...}``, may be at another position
in another language."""


def told(text: str) -> str:
    """Return a template or a script with its ``§``-marked texts in the reader's language."""
    return SAID.sub(lambda found: say(found[1]), text)


_AROUND = re.compile(r'("[^"]*")| ?([-+]?[=,?;<>]) ?|(?<=:) | (?=: |[-+*/] \w)|(?<=[\w)\]] [-+*/]) (?=\w)')
"""Signs that need no blanks around them, outside of quoted texts."""


def lean(text: str) -> str:
    r"""Return a script or a style sheet without its indents, comments, and blanks that nothing needs.

    >>> lean("/* What it\n * does. */\nif (x) {\n  // so\n  run(); // now\n}\n")
    'if(x){run()}\n'
    """
    text = re.sub(r"^[ \t]*/\*.*?\*/[ \t]*\n", "", text, flags=re.DOTALL | re.MULTILINE)
    lines = (re.sub(r"(^|\s)// .*", "", line).strip() for line in text.split("\n"))
    lines = (line if re.search(r"['`\\]|\S/|calc", line) else _AROUND.sub(r"\1\2", line) for line in lines)
    text = re.sub(r"(?<=[{(\[,;])\n|\n(?=\})", "", "\n".join(filter(None, lines))) + "\n"
    text = re.sub(r" (=>|[!=]==|&&|\|\||\?\?|\}) |;? ?(?=\})|(?<=\{) | (?=\{)", r"\1", text)
    return re.sub(r"\b(const|for|if|let|of|return|while) (?=[(\[])", r"\1", text)


def legend(graphs: Sequence[Graph], live: bool = False) -> str:
    """Return the legend as HTML; its colours come from the style sheet, so that they follow the theme.

    The script shows those that are in sight, and on a `live` page the meaning of widths if there are any.
    """
    arrows = dict.fromkeys(kind for graph in graphs for kind in theme.edge_legend(graph))
    sign_of = '<span class="node-sign role-{}" data-node="{}">{}</span>'.format
    closed = {kind: one.meaning for kind, one in theme.NODES.items() if kind.startswith(("layer", "chip"))}
    shown = theme.node_legend(*graphs) | closed
    signs = [sign_of(theme.NODES[kind].role, kind, say(meaning)) for kind, meaning in shown.items()]
    for kind, one in theme.EDGES.items():
        if kind in arrows:
            sign = f'<span class="edge-sign kind-{kind} {one.style}"></span>'
            signs.append(f'<span data-edge="{kind}">{sign}{say(one.meaning)}</span>')
    wide = any(theme.width_words(graph, theme.THEMES["light"]) for graph in graphs)
    if wide or live:
        signs.append(f'<span class="by-norm"{"" if wide else " hidden"}>{say(theme.WORDS)}</span>')
    if said := next(filter(None, map(theme.share_words, graphs)), ""):
        signs.append(f'<span class="by-share">{said}</span>')
    return "".join(signs)


@cache
def _file(name: str) -> str:
    return (Path(os.path.dirname(__file__)) / "assets" / name).read_text(encoding="utf-8")


# -- the source --------------------------------------------------------------------------------------------------------

_MOST_LINES = 3000  # of a file: a longer one would make the page slow to open


def source_html(graph: Graph, trace: Trace | None) -> str:
    """Return the files of the nodes of `graph` as HTML; a very long file only around the nodes' lines."""
    if trace is None:
        return ""
    nodes = grouped((node.where, node.id) for node in graph.nodes.values() if node.where)
    files = {where.rpartition(":")[0] for where in nodes}
    texts = {clean(file_title(path)): text for path, text in trace.sources.items()}
    html = ""
    for name in sorted(files & texts.keys()):
        lines = [
            (f"{name}:{number}", number, line) for number, line in enumerate(texts[name].splitlines(), 1)
        ]
        shown = lines if len(lines) <= _MOST_LINES else [line for line in lines if line[0] in nodes]
        html += f"<h3>{escape(name)}</h3>" + "".join(_line_html(*line, nodes) for line in shown)
    return html


def _line_html(at: str, number: int, line: str, nodes: dict[str, list[str]]) -> str:
    made = nodes.get(at, [])
    marked = f' data-nodes="{escape(" ".join(made))}" data-count="{len(made)}"' if made else ""
    shown = escape(visible(cut(line, LONGEST))) or " "
    return f'<span class="line" data-at="{escape(at)}" data-number="{number}"{marked}>{shown}</span>'
