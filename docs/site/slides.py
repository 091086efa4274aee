"""Slides: a section for every heading, below it a slide for every cell; reveal.js stands beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from string import Template

import nbformat
from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from docs.site.chinese import translation
from docs.site.misconceptions import ROOM, Misconception
from docs.site.paths import HERE

_PROSE = MarkdownIt("commonmark", {"html": False}).enable("table")
_LOOK = HtmlFormatter(style="a11y-high-contrast-light")
_LANG = {"en": "en", "zh": "zh-CN"}


def of_lesson(title: str, notebook: nbformat.NotebookNode, folder: str) -> str:
    """Return the slides of a lesson: what a cell prints comes one slide after what was asked."""
    sections: list[list[str]] = [[]]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            if cell.source.startswith("## ") and sections[-1]:
                sections.append([])
            sections[-1].append(_PROSE.render(cell.source))
        else:
            sections[-1] += [_code(cell.source), *_outputs(cell)]
    return _deck(title, sections, folder)


def of_beliefs(title: str, beliefs: Iterable[Misconception], folder: str) -> str:
    """Return the slides of the catalogue: belief and guess, then the code, then the truth with its picture."""
    sections = [[f"<h1>{escape(title)}</h1>"]]
    chinese = translation(ROOM / "README.md") if folder == "zh" else {}
    for one in beliefs:
        heading, question, truth = (
            chinese.get(text, text) for text in (one.heading, one.question, one.truth)
        )
        asked = _PROSE.render(f"## {heading}\n\n{question}")
        picture = f'<img src="{one.picture}" alt="{escape(one.path.name)}">'
        sections.append([asked + _code(one.code), _PROSE.render(truth) + picture])
    return _deck(title, sections, folder)


def page(title: str, body: str, folder: str) -> str:
    """Return a page to print."""
    return _filled("sheet", title, body, folder)


def _deck(title: str, sections: list[list[str]], folder: str) -> str:
    told = [
        f"<section>{''.join(f'<section>{slide}</section>' for slide in section)}</section>"
        for section in sections
    ]
    return _filled("deck", title, "\n".join(told), folder)


def _filled(name: str, title: str, body: str, folder: str) -> str:
    template = Template((HERE / "templates" / f"{name}.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=escape(title), body=body, lang=_LANG[folder], code=_LOOK.get_style_defs(".highlight")
    )


def _code(source: str) -> str:
    return str(highlight(source, PythonLexer(), _LOOK))


def _outputs(cell: nbformat.NotebookNode) -> Iterator[str]:
    """Yield a slide for what a cell shows: pictures as they are, text as text."""
    shown = []
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if "image/svg+xml" in data:
            shown.append(f'<div class="picture">{_svg(data["image/svg+xml"])}</div>')
        elif text := output.get("text") or data.get("text/plain"):
            shown.append(f"<pre>{escape(text)}</pre>")
    if shown:
        yield "".join(shown)


def _svg(text: str) -> str:
    return text[text.find("<svg") :]
