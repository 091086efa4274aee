"""A page in Chinese, as far as its `.po` file goes; headings keep the anchors of the English page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from myst_parser.slugs import github_slugify

from minipaddle.words.language import entries
from minipaddle.words.prose import markdown_in_chinese

_FENCE = re.compile(r"\s*(```+|~~~+)")
_HEADING = re.compile(r"#+ +(.+?) *$")


def page(path: Path) -> str:
    """Return the text of a page of the repository in Chinese, or as it is if nobody translated it."""
    return in_chinese(path.read_text(encoding="utf-8"), translation(path))


def in_chinese(text: str, known: Mapping[str, str]) -> str:
    r"""Return a markdown text in Chinese; a heading that changes is preceded by a target with its English anchor.

    >>> in_chinese("# The tape\n\nNotes.\n", {"The tape": "磁带"})
    '(the-tape)=\n# 磁带\n\nNotes.\n'
    """
    return markdown_in_chinese(_anchored(text, known), known) if known else text


def _anchored(text: str, known: Mapping[str, str]) -> str:
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        fenced = _FENCE.match(line)
        if fenced and (not fence or line.strip() == fence):
            fence = "" if fence else fenced[1]
        heading = None if fence else _HEADING.match(line)
        if heading and known.get(heading[1], heading[1]) != heading[1]:
            lines.append(f"({github_slugify(heading[1])})=")
        lines.append(line)
    return "\n".join(lines)


def translation(path: Path) -> dict[str, str]:
    """Return what the `.po` file beside a page or a lesson says, by the English text."""
    file = path.parent / "locale" / "zh_CN" / f"{path.stem}.po"
    told = entries(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {unit: said for unit, said in told.items() if unit and said}
