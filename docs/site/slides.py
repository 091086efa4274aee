"""Slides and handouts of a meeting, made of its page in docs/course; `course.py` puts them together.

A page has a heading for the meeting, one for each part (`## Nudging (15 minutes)`) and one for each slide. Below
`**Guess:**` or `**Your turn:**` stands the answer: it appears when the teacher goes on, and no handout has it. A
quotation is for the teacher, and begins with the minutes. ```` ```python name.py {3} ```` is a script, or the next
piece of it, with line 3 marked; a command that draws is shown as its picture.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from string import Template

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from docs.site import chinese
from docs.site.paths import HERE
from docs.site.scripts import pages

_PROSE = MarkdownIt("commonmark", {"html": False}).enable("table")
_LOOK = HtmlFormatter(style="a11y-high-contrast-light")
_LANG = {"en": "en", "zh": "zh-CN"}
_DRAWS = re.compile(r"^\$ minipaddle (graph .*) -o (\S+\.svg)$", re.MULTILINE)
_ASKS = re.compile(r"\*\*(?:Guess:\*\*|Your turn:\*\*|猜一猜\*\*：|动手\*\*：)")
_RAN = re.compile(r"^minipaddle: ran .*\n", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A paragraph, list, table, fence or quotation: its kind as markdown-it calls it, and its markdown."""

    kind: str
    text: str


@dataclass
class Slide:
    """A heading and what stands below it."""

    title: str
    blocks: list[Block] = field(default_factory=list)

    @property
    def shown(self) -> list[Block]:
        """What is projected, in its order."""
        return [block for block in self.blocks if block.kind != "blockquote_open"]

    @property
    def notes(self) -> list[Block]:
        """What only the teacher sees."""
        return [block for block in self.blocks if block.kind == "blockquote_open"]

    @property
    def minutes(self) -> int:
        """How long it takes: the first number of the notes."""
        return number(self.notes[0].text)

    @property
    def asked(self) -> int:
        """How many blocks stand before the answer, the question among them; 0 if nothing is asked."""
        return next((at for at, block in enumerate(self.shown, 1) if _ASKS.match(block.text)), 0)


@dataclass
class Part:
    """Some slides, with the minutes of all in the title; one that begins with `Or` can stand in place of the last."""

    title: str
    slides: list[Slide] = field(default_factory=list)

    @property
    def instead(self) -> bool:
        """Whether it is taught in place of the part before it."""
        return self.title.startswith(("Or: ", "或者："))


@dataclass
class Meeting:
    """A page: what the teacher reads before, goals first and homework last, and the parts."""

    stem: str
    title: str = ""
    preface: list[Block] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    @property
    def slides(self) -> list[Slide]:
        """All slides, in their order."""
        return [slide for part in self.parts for slide in part.slides]


def number(text: str) -> int:
    """Return the first number of a text; one without a number raises.

    >>> number("Nudging (15 minutes)")
    15
    """
    return int(re.findall(r"\d+", text)[0])


def meetings(folder: str) -> list[Meeting]:
    """Return the meetings in a language."""
    return [read(path, folder) for path in pages()]


def read(path: Path, folder: str) -> Meeting:
    """Return what a page says, in a language."""
    text = chinese.page(path) if folder == "zh" else path.read_text(encoding="utf-8")
    lines, meeting = text.splitlines(), Meeting(path.stem)
    for token in _PROSE.parse(text):
        if token.level or token.map is None:
            continue
        block = Block(token.type, "\n".join(lines[slice(*token.map)]).strip())
        title = block.text.lstrip("# ")
        if token.tag == "h1":
            meeting.title = title
        elif token.tag == "h2":
            meeting.parts.append(Part(title))
        elif token.tag == "h3":
            meeting.parts[-1].slides.append(Slide(title))
        elif meeting.parts:
            meeting.slides[-1].blocks.append(block)
        else:
            meeting.preface.append(block)
    return meeting


def drawings(text: str) -> dict[str, str]:
    """Return the commands that draw a page's pictures, by the name of the picture."""
    return {name: command for command, name in _DRAWS.findall(text)}


def deck(meeting: Meeting, folder: str) -> str:
    """Return the slides of a meeting."""
    told = [f"<section class='title'><h1>{inline(meeting.title)}</h1></section>"]
    for slide in meeting.slides:
        shown = [html(block, slide.title) for block in slide.shown]
        if slide.asked:
            shown[slide.asked :] = [f"<div class='fragment'>{one}</div>" for one in shown[slide.asked :]]
        notes = "".join(html(block) for block in slide.notes)
        inner = [f"<h2>{inline(slide.title)}</h2>", *shown, f"<aside class='notes'>{notes}</aside>"]
        told.append(f"<section>{''.join(inner)}</section>")
    return _filled("deck", meeting.title, "\n".join(told), folder)


def handout(meeting: Meeting, folder: str, key: bool = False) -> str:
    """Return the sheet of a meeting: goals, questions with room for an answer, homework; the key has the answers."""
    asked = []
    for slide in meeting.slides:
        if slide.asked:
            answer = [*slide.shown[slide.asked :], *slide.notes] if key else []
            told = "".join(html(block, slide.title) for block in slide.shown[: slide.asked])
            rest = "".join(html(block, slide.title) for block in answer)
            asked.append(f"<li>{told}<div class='{'answer' if key else 'room'}'>{rest}</div></li>")
    goals, homework = html(meeting.preface[0]), html(meeting.preface[-1])
    body = f"<h1>{inline(meeting.title)}</h1>{goals}<ol>{''.join(asked)}</ol>{homework}"
    return page(meeting.title, body, folder)


def page(title: str, body: str, folder: str) -> str:
    """Return a page to print."""
    return _filled("sheet", title, body, folder)


def html(block: Block, title: str = "") -> str:
    """Return a block as HTML; a picture is called as its slide."""
    if picture := _DRAWS.search(block.text):
        return f'<img class="picture" src="{picture[2]}" alt="{escape(title)}">'
    if block.text.startswith("```python"):
        first, *code = block.text.splitlines()[:-1]
        _, _, marked = first.partition("{")
        look = HtmlFormatter(style=_LOOK.style, hl_lines=[int(one) for one in re.findall(r"\d+", marked)])
        return str(highlight("\n".join(code), PythonLexer(), look))
    return str(_PROSE.render(_RAN.sub("", block.text)))


def inline(text: str) -> str:
    """Return a text within a line as HTML."""
    return str(_PROSE.renderInline(text))


def _filled(name: str, title: str, body: str, folder: str) -> str:
    template = Template((HERE / "templates" / f"{name}.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=escape(title), body=body, lang=_LANG[folder], code=_LOOK.get_style_defs(".highlight")
    )
