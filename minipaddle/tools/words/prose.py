"""Translates prose into Chinese: markdown by paragraph, scripts by cell; code is unchanged.

A page is written in English. A ``.po`` file has its translation, as ``locale/zh_CN.po`` has that of sentences. Its
entries are units on one line: a heading, an item of a list, a row of a table, or a paragraph (a line that
begins with ``**Goals:**`` begins a new one). Fenced and indented code is none. A unit without an entry stays English.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import groupby

from rich.cells import cell_len


def markdown_in_chinese(text: str, chinese: Mapping[str, str], width: int = 0) -> str:
    r"""Return a markdown text with each unit in Chinese, folded at `width` cells (0: never).

    >>> markdown_in_chinese("# The tape\n\nNotes hang\non it:\n\n    y = x\n", {"The tape": "磁带"})
    '# 磁带\n\nNotes hang on it:\n\n    y = x\n'
    """
    lines: list[str] = []
    for mark, unit, is_prose in _blocks(text):
        said = chinese.get(unit, unit) if is_prose else unit
        may_fold = width and is_prose and not mark.endswith(("# ", '"')) and not said.startswith("|")
        first, *rest = folded(said, width - cell_len(mark)) if may_fold else [said]
        lines += [mark + first, *(" " * len(mark) + line for line in rest)]
    return "\n".join(lines)


def script_in_chinese(script: str, chinese: Mapping[str, str], width: int = 0) -> str:
    """Return a percent script whose markdown cells and comments are in Chinese; the rest is the same to the letter."""
    told: list[str] = []
    for prose, lines in _parts(script):
        if prose:
            text = markdown_in_chinese(bare(lines), chinese, width and width - len("# "))
            told += [f"# {line}".rstrip() + "\n" for line in text.split("\n")]
            continue
        for line in lines:
            found = _COMMENT.fullmatch(line)
            told.append(
                line if found is None else f"{found['sign']}{chinese.get(found['text'], found['text'])}\n"
            )
    return "".join(told)


_COMMENT = re.compile(r"(?P<sign> *# )(?P<text>[^%].*)\n")
"""Matches a line of code that is a comment, and not the head of a cell."""


def _parts(script: str) -> Iterator[tuple[bool, list[str]]]:
    """Yield pairs: whether a run of lines is prose of a markdown cell, and the run; joined, the whole script."""
    in_prose, marked = False, []
    for line in script.splitlines(keepends=True):
        begins = line.startswith("# %%")
        in_prose = "[markdown]" in line if begins else in_prose and line.startswith("#")
        marked.append((in_prose and not begins, line))
    for prose, run in groupby(marked, key=lambda pair: pair[0]):
        yield prose, [line for _, line in run]


def bare(lines: list[str]) -> str:
    """Return the text of a cell of prose, without the signs of comments."""
    return "\n".join(line.rstrip("\n").removeprefix("#").removeprefix(" ") for line in lines)


_Block = tuple[str, str, bool]
"""A mark (``## ``, ``- ``), a unit of prose or a line that stays unchanged, and whether it is prose."""
_FENCE = re.compile(r"\s*(```+|~~~+|:::+)")
_SHELL = re.compile(r"```(?:sh|powershell)")
_REMARK = re.compile(r".*\S {2,}# (?=\S)")
"""Matches a command of a shell, up to the remark behind it."""
_MARK = re.compile(r"#+ +|\s*(?:[-*]|\d+\.) +|> ")
_CODE = re.compile(r"`[^`]*`|\]\([^)]*\)|<[^>]*>")
_PICTURE = re.compile(r'<.*<img .*alt="')
"""Matches a picture's tags, up to the text that stands for it."""
_BEGINS_ONE = re.compile(r"\||\*\*[^*]+:\*\*|<|\s*(?:[-*]|1\.) |#+ |> ")
_NEXT_NUMBER = re.compile(r"\s*\d+\. ")


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the blocks of a text; written on separate lines, they have the meaning of the original."""
    fence, mark, unit = "", "", ""
    after_blank, in_shell = True, False
    for line in text.split("\n"):
        found = _FENCE.match(line)
        in_shell = bool(_SHELL.match(line)) if found else in_shell
        remark = _REMARK.match(line) if fence and in_shell else None
        is_code = bool(fence or found) or (after_blank and not unit and line.startswith("    "))
        begins = _BEGINS_ONE.match(line) or (mark.strip()[:-1].isdigit() and _NEXT_NUMBER.match(line))
        if unit and (is_code or not line.strip() or begins):
            yield _block(mark, unit)
            unit = ""
        if found and (not fence or line.strip() == fence):
            fence = "" if fence or found[1].startswith(":") else found[1]
        if remark:
            yield remark[0], line[remark.end() :], True
        elif is_code or not line.strip():
            yield "", line, False
        elif unit:
            unit += " " + line.strip()
        else:
            begun = _MARK.match(line)
            mark = begun[0] if begun else ""
            unit = line[len(mark) :].rstrip()
            if mark.startswith("#"):
                yield _block(mark, unit)
                unit = ""
        after_blank = not line.strip() or (is_code and after_blank)
    if unit:
        yield _block(mark, unit)


def _block(mark: str, unit: str) -> _Block:
    if shown := _PICTURE.match(unit):
        return shown[0], unit[shown.end() :], True
    return mark, unit, any(letter.isalpha() for letter in _CODE.sub("", unit))


_ATOM = re.compile(r"`[^`]*`|[!-~]+|.")
_BEGINS_NO_LINE = tuple("，。、；：！？）》」”’…—·)]*")
_ENDS_NO_LINE = tuple("（《「“‘([*")


def folded(text: str, width: int, indent: int | None = None) -> list[str]:
    """Return the text as lines of at most `width` cells; with an `indent`, all but the first leave room for it.

    Then a word that is too long is split, too.
    """
    ends = [*places_to_break(text, width, indent), len(text)]
    return [text[start:end].rstrip() for start, end in zip([0, *ends], ends)]


def places_to_break(text: str, width: int, indent: int | None = None) -> list[int]:
    """Return the starts of lines of at most `width` cells: after a space, or between two Chinese characters.

    >>> places_to_break("看 `x.grad` 的值，它是梯度。", 10)
    [2, 11, 16]
    """
    places: list[int] = []
    at, room, later = 0, width, width - (indent or 0)
    for word in _words(text):
        is_split = indent is not None and cell_len(word.rstrip()) > later
        for part in word if is_split else [word]:
            if at and cell_len(part.rstrip()) > room:
                places.append(at)
                room = later
            room -= cell_len(part)
            at += len(part)
    return places


def _words(text: str) -> list[str]:
    """Return the parts of a text that a line break must not split; a space belongs to the part before it."""
    words: list[str] = []
    for atom in _ATOM.findall(text):
        joined = words and (
            atom.isspace()
            or atom.startswith(_BEGINS_NO_LINE)
            or words[-1].endswith(_ENDS_NO_LINE)
            or (atom[0].isascii() and words[-1][-1].isascii() and not words[-1][-1].isspace())
        )
        if joined:
            words[-1] += atom
        else:
            words.append(atom)
    return words
