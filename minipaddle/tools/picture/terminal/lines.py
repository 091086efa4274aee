"""The lines of the tree as they stand in a terminal: columns that are aligned, and no wider than it."""

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from minipaddle.tools.picture.terminal.repeats import Line
from minipaddle.tools.words.numbers import cut_cells
from minipaddle.tools.words.symbols import Symbols

_GAP = 2
_SQUEEZED = ((3, 12), (1, 12), (3, 0), (0, 12), (1, 0), (0, 0))
"""Columns, and how narrow they may become: saved (3), numbers (1), tree (0); the place stays."""
_SHORTEST = 4
"""Cells that a name keeps, so that its shape may be seen."""


def tree_lines(rows: Iterable[Line], symbols: Symbols, width: int | None = None) -> Iterator[Text]:
    """Yield the tree line by line, its columns aligned, cut to `width` cells."""
    rows = list(rows)
    if not rows:
        return
    numbers = [row.numbers for row in rows if row.where] or [row.numbers for row in rows]
    beside = [row for row in rows if row.where or row.numbers] or rows
    where, saved = [row.where for row in rows], [row.saved for row in rows]
    columns = [_whole(row) for row in beside], numbers, where, saved
    widths = [max(map(cell_len, column)) for column in columns]
    if width is not None:
        widths = _squeezed(widths, width)
    for row in rows:
        line = Text()
        _append(line, row, widths, width, symbols)
        line.rstrip()
        yield line


def _append(line: Text, row: Line, widths: Sequence[int], width: int | None, symbols: Symbols) -> None:
    """Append the cells of a row. Where nothing stands beside the tree, it has that room, too."""
    most = cell_len(_whole(row)) + _GAP + cell_len(row.numbers) if width is None else width
    if not row.where and not row.numbers:
        line.append(_fitted(row, most, symbols))
        return
    first = widths[0] if row.numbers or not widths[1] else widths[0] + _GAP + widths[1]
    line.append(set_cell_size(_fitted(row, first, symbols), first + _GAP))
    if not row.where:  # a leaf: nothing follows, so there is room for its gradient
        room = max(most, widths[0] + _GAP + cell_len(row.numbers)) if width is None else width
        line.append(cut_cells(row.numbers, room - line.cell_len, symbols.ellipsis))
        return
    append_cells(line, [(row.numbers, widths[1] if row.numbers else 0, "")], symbols)
    append_cells(line, [(row.where, widths[2], "dim"), (row.saved, widths[3], "dim")], symbols)


def append_cells(line: Text, cells: Iterable[tuple[str, int, str]], symbols: Symbols) -> None:
    """Append cells (text, width, style), each cut or padded to its width; one of width 0 is left out."""
    for text, width, style in cells:
        if width:
            line.append(set_cell_size(cut_cells(text, width, symbols.ellipsis), width + _GAP), style)


def _whole(row: Line) -> str:
    return f"{row.name}  {row.what}" if row.what else row.name


def _fitted(row: Line, cells: int, symbols: Symbols) -> str:
    """Return place, name, operator and shape within so many cells; it is the name that is cut."""
    room = cells - _GAP - cell_len(row.what)
    lead = len(row.name) - len(row.name.lstrip(symbols.pipe + symbols.branch + symbols.last))
    if not row.what or cell_len(_whole(row)) <= cells or room < lead + _SHORTEST:
        return cut_cells(_whole(row), cells, symbols.ellipsis)
    return f"{cut_cells(row.name, room, symbols.ellipsis)}  {row.what}"


def _squeezed(widths: Sequence[int], total: int) -> list[int]:
    """Make columns narrower until they fit; the last resort is to leave one out."""
    result = list(widths)
    for column, least in _SQUEEZED:
        surplus = sum(result) + _GAP * (sum(map(bool, result)) - 1) - total
        if surplus > 0:
            result[column] = max(min(least, result[column]), result[column] - surplus)
    return result
