"""Symbols, tables and statistics for the terminal, in the reader's language.

Each symbol has an ASCII replacement for encodings that lack it (GBK, cp1252, plain ASCII).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from minipaddle.engine.value.meta import Shape
from minipaddle.tools.record.stats import Stats
from minipaddle.tools.words.control_characters import can_be_written
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


class Symbols(NamedTuple):
    """One set of symbols; the defaults are Unicode."""

    branch: str = "├ "
    last: str = "└ "
    pipe: str = "│ "
    blank: str = "  "
    dot: str = "·"
    arrow: str = "→"
    pointer: str = "►"
    ellipsis: str = "…"
    times: str = "×"
    top: str = "┌ "
    side: str = "│ "
    bottom: str = "└ "


UNICODE = Symbols()
GBK = Symbols(pointer=">")
ASCII = Symbols("|- ", "`- ", "|  ", "   ", "-", "->", ">", "...", "x", "+ ", "| ", "+ ")


def symbols_for(encoding: str | None) -> Symbols:
    """Return the richest set that `encoding` can carry."""
    return next((one for one in (UNICODE, GBK) if can_be_written("".join(one), encoding or "ascii")), ASCII)


WORDS = (
    *("stop", "op", "grad op", "for", "shape", "rms", "max", "vs before", "verdict", "where", "state"),
    *("elements", "note", "rule", "numbers"),
    *("ok", "missing", "no", "vanishing", "exploding", "dead", "frozen", "unused"),
    *("without gradient", "unknown"),
    *("wrong", "intended", "unsure", "unchecked"),
    *("first", "last", "smallest", "largest", "trend breaks"),
    *("not taken", "not asked", "broken off", "in no optimizer", "not trained"),
    *("other step", "by algebra", "at first", "learned"),
    *("born", "given", "spread", "masked", "healed"),
    *("removed", "added", "value", "gradient", "norm"),
    *("data", "param", "leaf"),
    *("forward", "backward", "optimize", "loss", "in", "out", "from"),
)
"""Words that are a whole cell of a table; in JSON they stay English."""


def word(text: str) -> str:
    """Return a word of `WORDS` in the reader's language; any other text unchanged."""
    return say(text) if text in WORDS else text


def padded(text: str, width: int) -> str:
    """Return a text with blanks up to a number of cells: a Chinese character fills two."""
    return text + " " * (width - cell_len(text))


def table_lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table as lines; the last column is not padded."""
    table = [[word(cell) for cell in head], *rows]
    widths = [max(cell_len(row[column]) for row in table) for column in range(len(head) - 1)]
    return ["  ".join([*map(padded, row, widths), row[-1]]).rstrip() for row in table]


def stats_lines(stats: Stats, shape: Shape, dtype: str) -> list[str]:
    """Return shape, dtype and statistics of an array in two lines."""
    if not stats.size:
        return [f"{list(shape)}  {dtype}  {say('it is empty')}"]
    numbers = "  ".join(
        f"{name} {number(getattr(stats, name))}" for name in ("min", "mean", "max", "rms", "norm")
    )
    if dtype.startswith("complex"):
        numbers = f"{say('of the absolute values:')}  {numbers}"
    counted = (stats.zeros, "zeros"), (stats.nans, "NaN"), (stats.infs, "Inf")
    counts = "  ".join(f"{count} {what}" for count, what in counted if count)
    return list(filter(None, (f"{list(shape)}  {dtype}  {numbers}", counts)))
