"""The user's source, line by line; a line that made nodes is marked and links to them."""

from html import escape

from minipaddle.engine.errors import file_title
from minipaddle.tools.page.facts import LONGEST
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.record.events import Trace
from minipaddle.tools.words.control_characters import visible
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.numbers import clean, cut

_MOST_LINES = 3000  # of a file: a longer one would make the page slow to open


def source_html(graph: Graph, trace: Trace | None) -> str:
    """Return the files of the nodes of `graph` as HTML; a very long file only around the nodes' lines."""
    if trace is None:
        return ""
    nodes = grouped((node.where, node.id) for node in graph.nodes.values() if node.where)
    files = {where.rpartition(":")[0] for where in nodes}
    texts = {clean(file_title(path)): text for path, text in trace.sources.items()}
    return "".join(_file_html(name, texts[name], nodes) for name in sorted(files & texts.keys()))


def _file_html(name: str, text: str, nodes: dict[str, list[str]]) -> str:
    numbered = list(enumerate(text.splitlines(), 1))
    if len(numbered) > _MOST_LINES:
        numbered = [(number, line) for number, line in numbered if f"{name}:{number}" in nodes]
    lines = "".join(_line_html(f"{name}:{number}", number, line, nodes) for number, line in numbered)
    return f"<h3>{escape(name)}</h3>{lines}"


def _line_html(at: str, number: int, line: str, nodes: dict[str, list[str]]) -> str:
    made = nodes.get(at, [])
    marked = f' data-nodes="{escape(" ".join(made))}" data-count="{len(made)}"' if made else ""
    shown = escape(visible(cut(line, LONGEST))) or " "
    return f'<span class="line" data-at="{escape(at)}" data-number="{number}"{marked}>{shown}</span>'
