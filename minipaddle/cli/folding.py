"""Long lines at a terminal: broken between words, and what follows stands under what it belongs to.

Through a pipe lines stay whole: a program reads them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["fold", "print_line"]

_NARROWEST = 40
_LABEL = 9  # "numbers  "


def print_line(console: Console, line: str) -> None:
    """Write a line, folded if somebody watches."""
    for part in fold(line, console.width) if console.is_terminal else [line]:
        console.print(part, soft_wrap=True)


def fold(line: str, width: int) -> list[str]:
    """Break a line of more than `width` cells (a Chinese character takes two); a narrow window gets it as it is.

    >>> fold("rule     " + "a long formula " * 3, 45)
    ['rule     a long formula a long formula a long', '         formula']
    """
    from rich.cells import cell_len

    if width < _NARROWEST or cell_len(line) <= width:
        return [line]
    first, rest = _split(line, width)
    indent = _indent(line)
    parts = [first]
    while rest:
        part, rest = _split(rest, width - len(indent))
        parts.append(indent + part)
    return parts


def _split(line: str, width: int) -> tuple[str, str]:
    """Split off as many words as there is room for; of a word that is too long, a part."""
    from rich.cells import cell_len, chop_cells

    if cell_len(line) <= width:
        return line.rstrip(), ""
    room = chop_cells(line, width)[0]
    at = len(room) if line[len(room)] == " " else room.rfind(" ")
    if not line[:at].strip() or at < len(room) // 2:
        at = len(room)
    return line[:at].rstrip(), line[at:].lstrip()


def _indent(line: str) -> str:
    """Return what the rest of a line begins with: the side of its card, or room for its label."""
    sign = line[:1]
    if sign in "┌│└|+`":
        return ("│" if sign in "┌│└" else "|") + " " * 5
    labelled = line.startswith(("rule ", "numbers ", " " * _LABEL))
    return " " * (_LABEL if labelled else 2)
