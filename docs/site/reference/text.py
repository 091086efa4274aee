"""Docstrings as MyST: what stands in code stays code, all other text is shown letter by letter."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

_SECTION = re.compile(r"(Args|Returns|Yields|Raises|Examples?|Note):$")
_ENTRY = re.compile(r"(?P<names>\*{0,2}[\w.]+(?:, \*{0,2}[\w.]+)*)(?: \([^)]*\))?: (?P<said>.*)$")
_FIELD = {"Args": "param", "Raises": "raises", "Returns": "returns", "Yields": "yields"}
_KEPT = re.compile(r"``.+?``|`[^`]+`|\*\*[^*\s](?:[^*]*[^*\s])?\*\*")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|$#~^])")
_PAGE = re.compile(r"\(?(https://www\.paddlepaddle\.org\.cn/documentation/\S+?\.html)\)?\.?")


def markdown(doc: str) -> list[str]:
    """Return a docstring as lines of MyST: paragraphs, code, and a field list of parameters, results and errors."""
    lines = inspect.cleandoc(_PAGE.sub("", doc)).splitlines()
    told, fields, section = [], [], ""
    for block in _blocks(lines):
        title = _SECTION.match(block[0])
        if title and title[1] in _FIELD:
            fields += _fields(title[1], block[1:])
        elif title:
            section = title[1]
            told += _paragraph([line.strip() for line in block[1:]])
        else:
            told += _paragraph(block)
    return [*told, *fields, ""] if fields or section or told else []


def page_of(doc: str) -> str:
    """Return the address of Paddle's page that a docstring names, or ""."""
    found = _PAGE.search(doc)
    return found[1] if found else ""


def escaped(text: str) -> str:
    r"""Return text with all that means something to Markdown escaped, outside code and bold words.

    >>> escaped("x * y of `a_b`, **bad axis** in a_b")
    'x \\* y of `a_b`, **bad axis** in a\\_b'
    """
    told, at = [], 0
    for kept in _KEPT.finditer(text):
        told += [_SPECIAL.sub(r"\\\1", text[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join([*told, _SPECIAL.sub(r"\\\1", text[at:])])


def fenced(code: list[str], language: str) -> list[str]:
    """Return lines of code as a fence that nothing in them closes."""
    marks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", "\n".join(code))), default=0))
    return ["", f"{marks}{language}", *code, marks, ""]


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Yield runs of lines between blank ones; a section runs on to the next line that is not indented."""
    block: list[str] = []
    for line in lines:
        in_section = bool(block) and bool(_SECTION.match(block[0]))
        ends = (
            not line.startswith(" ") if in_section and line.strip() else not line.strip() and not in_section
        )
        if (ends or _SECTION.match(line)) and block:
            yield block
            block = []
        if line.strip() or in_section:
            block.append(line)
    if block:
        yield block


def _paragraph(block: list[str]) -> list[str]:
    if block and block[0].startswith(">>>"):
        return fenced(block, "pycon")
    if block and all(line.startswith("    ") for line in block if line):
        return fenced([line[4:] for line in block], "python")
    text = re.sub(r"::$", ":", " ".join(line.strip() for line in block if line.strip()))
    text = re.sub(r":(?:mod|class|func|meth):(`[^`]+`)", r"\1", text)
    return ["", escaped(text), ""] if text.strip(" ().") else []


def _fields(section: str, lines: list[str]) -> list[str]:
    """Return the entries of a section as fields that Sphinx knows; what has no name follows the entry before."""
    kind = _FIELD[section]
    text = inspect.cleandoc("\n".join(lines)).splitlines()
    if section in ("Returns", "Yields"):
        return [f":{kind}: {escaped(' '.join(line.strip() for line in text))}"]
    entries: list[tuple[str, list[str]]] = []
    for line in text:
        found = _ENTRY.match(line)
        if found and not line.startswith(" "):
            entries.append((found["names"], [found["said"]]))
        elif entries:
            entries[-1][1].append(line.strip())
    return [f":{kind} {escaped(names)}: {escaped(' '.join(said).strip())}" for names, said in entries]
