"""Symbols, tables, statistics, histograms and maps for the terminal, in the reader's language.

Each symbol has one in ASCII for encodings that lack it (GBK, cp1252, plain ASCII).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
from rich.cells import cell_len

from minipaddle.engine.value.meta import Array, Shape
from minipaddle.tools.record.stats import Stats
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


@dataclass(frozen=True)
class Symbols:
    """One set of symbols; those of Unicode, unless there are others."""

    branch: str = "├ "
    last: str = "└ "
    pipe: str = "│ "
    blank: str = "  "
    bars: str = "▁▂▃▄▅▆▇█"
    dot: str = "·"
    arrow: str = "→"
    pointer: str = "►"
    ellipsis: str = "…"
    times: str = "×"
    top: str = "┌ "
    side: str = "│ "
    bottom: str = "└ "

    def fits(self, encoding: str) -> bool:
        """Return whether `encoding` has all of them."""
        try:
            "".join(getattr(self, one.name) for one in fields(self)).encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True


UNICODE = Symbols()
GBK = Symbols(pointer=">")
ASCII = Symbols(
    branch="|- ",
    last="`- ",
    pipe="|  ",
    blank="   ",
    bars="_.-=+*#@",
    dot="-",
    arrow="->",
    pointer=">",
    ellipsis="...",
    times="x",
    top="+ ",
    side="| ",
    bottom="+ ",
)


def symbols_for(encoding: str | None) -> Symbols:
    """Return the richest set that `encoding` can carry."""
    return next((one for one in (UNICODE, GBK) if one.fits(encoding or "ascii")), ASCII)


WORDS = (
    *("stop", "op", "grad op", "for", "shape", "rms", "max", "vs before", "verdict", "where", "state"),
    *("elements", "note", "rule", "numbers"),
    *("ok", "missing", "no", "vanishing", "exploding", "dead", "frozen", "unused", "unknown"),
    *("wrong", "intended", "unsure", "unchecked", "changed"),
    *("first", "last", "smallest", "largest", "trend breaks"),
    *("not taken", "not asked", "broken off", "no optimizer", "not trained", "by algebra"),
    *("born", "given", "spread", "masked", "healed"),
    *("removed", "added", "rewired", "value", "gradient", "norm"),
    *("data", "param", "leaf"),
    *("forward", "backward", "optimize", "loss", "in", "out", "from"),
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


_BINS = 10
_BAR = 40
_ROWS, _COLUMNS = 16, 64


def stats_lines(stats: Stats, shape: Shape, dtype: str) -> list[str]:
    """Return shape, dtype and statistics of an array in two lines."""
    if not stats.size:
        return [f"{list(shape)}  {dtype}  {say('it is empty')}"]
    numbers = "  ".join(
        f"{name} {number(getattr(stats, name))}" for name in ("min", "mean", "max", "rms", "norm")
    )
    if dtype.startswith("complex"):
        numbers = f"{say('of the absolute values:')}  {numbers}"
    counts = "  ".join(
        f"{count} {what}"
        for count, what in ((stats.zeros, "zeros"), (stats.nans, "NaN"), (stats.infs, "Inf"))
        if count
    )
    return list(filter(None, (f"{list(shape)}  {dtype}  {numbers}", counts)))


def histogram(array: Array, symbols: Symbols) -> Iterator[str]:
    """Yield a line for each of ten intervals: how many elements are in it."""
    flat = _real(array).ravel()
    finite = flat[np.isfinite(flat)]
    if not finite.size:
        yield say("no element is finite") if flat.size else say("it is empty")
        return
    if finite.min() == finite.max():
        yield f"{number(finite[0]):>10}  {symbols.bars[-1] * _BAR} {finite.size}"
        counts, edges = np.array([], int), np.array([0.0])
    else:
        counts, edges = np.histogram(finite, _BINS)
    for count, low, high in zip(counts, edges, edges[1:]):
        bar = symbols.bars[-1] * math.ceil(count / max(counts.max(), 1) * _BAR)
        yield f"{number(low):>10} .. {number(high):<10} {bar} {count}".rstrip()
    if finite.size < flat.size:
        yield say("{count} elements are not finite", count=flat.size - finite.size)


def heat(array: Array, symbols: Symbols) -> Iterator[str]:
    """Yield a map of the sizes of the elements, rows as rows; what is too large is pooled by its largest element."""
    sizes = np.abs(_real(array))
    grid = sizes.reshape(1, -1) if sizes.ndim < 2 else sizes.reshape(-1, sizes.shape[-1])
    if not grid.size:
        yield say("it is empty")
        return
    pooled = _pooled(_pooled(grid, _ROWS).T, _COLUMNS).T
    finite = pooled[np.isfinite(pooled)]
    top = float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    for row in pooled:
        yield "".join(_shade(size / top, symbols) for size in row)
    yield f"{symbols.bars[0]} 0   {symbols.bars[-1]} {number(top)}   ! {say('not finite')}"


def _real(array: Array) -> Array:
    """Return real numbers; of complex ones the absolute values, as statistics do."""
    return np.asarray(np.abs(array) if np.iscomplexobj(array) else array, np.float64)


def _pooled(grid: Array, most: int) -> Array:
    if len(grid) <= most:
        return grid
    return np.array([part.max(axis=0) for part in np.array_split(grid, most)])


def _shade(share: float, symbols: Symbols) -> str:
    if not math.isfinite(share):
        return "!"
    return symbols.bars[min(round(share * (len(symbols.bars) - 1)), len(symbols.bars) - 1)]
