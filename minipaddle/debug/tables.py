"""Tables of words: heads and verdicts in the reader's language, columns aligned by cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from minipaddle.debug.language import say

__all__ = ["WORDS", "padded", "table_lines", "word"]

WORDS = (
    *("stop", "op", "grad op", "for", "shape", "rms", "max", "vs before", "verdict", "where", "state"),
    *("elements", "note", "rule", "numbers"),
    *("ok", "vanishing", "exploding", "dead", "frozen", "unused", "unknown", "not taken"),
    *("born", "given", "spread", "masked", "healed"),
    *("removed", "added", "value", "gradient"),
)
"""What stands alone in a column; JSON has these words in English."""


def word(text: str) -> str:
    """Return one of these words in the reader's language."""
    return say(text) if text in WORDS else text


def padded(text: str, width: int) -> str:
    """Return a text with blanks up to a number of cells: a Chinese character fills two."""
    return text + " " * (width - cell_len(text))


def table_lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table as lines; the last column is as long as it is."""
    table = [[word(cell) for cell in head], *rows]
    widths = [max(cell_len(row[column]) for row in table) for column in range(len(head) - 1)]
    return ["  ".join([*map(padded, row, widths), row[-1]]).rstrip() for row in table]
