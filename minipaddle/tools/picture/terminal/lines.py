"""The lines of the tree in a terminal: repeats are written once, columns are aligned and cut to its width."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from minipaddle.tools.picture.model.fold import FEWEST, Run, runs_of
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import cut_cells
from minipaddle.tools.words.terminal import Symbols

DEEPEST = 10
"""Levels of indent, a third of a line; deeper lines start again at the margin, under a number."""

_SMALL = 6
"""Branches of up to so many lines stay in place, however deep."""


@dataclass(frozen=True)
class Line:
    """One line of the tree: name, operator and shape, numbers, place in the script, bytes kept."""

    name: str
    """The name; after layout, with the branch lines before it."""
    what: str = ""
    """The operator and its shape."""
    numbers: str = ""
    where: str = ""
    saved: str = ""
    depth: int = 0
    parent: int = -1
    """Index of its parent line; -1 for a root."""
    above: int | None = None
    """Index of the earlier line that shows its subtree, if this one leaves it out."""
    count: int = 1
    """How many lines it is written for."""


def folded(lines: Sequence[Line], symbols: Symbols) -> list[Line]:
    """Return the lines with each repeating round written once, and below it a line with the count."""
    stands_for = list(range(len(lines)))
    last_of: dict[int, Run] = {}
    for run in _runs(lines):
        for place in range(run.start, run.end):
            stands_for[place] = run.start + (place - run.start) % run.length
        last_of[run.start + run.length - 1] = run
    shown: list[Line] = []
    at: dict[int, int] = {}
    """Old index -> index among the lines that are shown."""

    def place_of(parent: int) -> tuple[int, int]:
        """Return the index of a parent line among those that are shown, and the depth of its children."""
        place = -1 if parent < 0 else at[stands_for[parent]]
        return place, shown[place].depth + 1 if place >= 0 else 0

    for index, line in enumerate(lines):
        if stands_for[index] != index:
            continue
        parent, depth = place_of(line.parent)
        above = None if line.above is None else at.get(stands_for[line.above])
        at[index] = len(shown)
        shown.append(replace(line, parent=parent, depth=depth, above=above))
        if index in last_of:
            run = last_of[index]
            _, depth = place_of(lines[run.end].parent if run.end < len(lines) else -1)
            shown.append(_repeat(shown[-run.length :], run.rounds, depth, symbols))
    return shown


_SHORTEST_REPEAT = 6
"""Lines of a repeat: a shorter one would save a line or two, and lose which line belongs to which round."""


def _runs(lines: Sequence[Line]) -> Iterator[Run]:
    """Yield the repeats; a round begins at its line of least depth, the parent of its other lines.

    A line whose subtree is shown elsewhere ("see above") does not repeat one whose subtree is below it.
    """
    unfolded = {line.parent for line in lines}
    keys = [(line.what, line.where, line.above in unfolded) for line in lines]
    for run in runs_of(keys):
        covered = lines[run.start : run.end]
        leaves = not any(line.where for line in covered)
        if leaves and len({(line.name, line.numbers) for line in covered}) > 1:
            continue  # leaves only: each has its own gradient, and they may belong to different operators
        start = min(range(run.start, run.start + run.length), key=lambda place: lines[place].depth)
        end = start + run.length
        while keys[end : end + run.length] == keys[start : start + run.length]:
            end += run.length
        yield from _hanging_alike(lines, keys, Run(start, run.length, (end - start) // run.length))


def _hanging_alike(lines: Sequence[Line], keys: Sequence[Hashable], run: Run) -> Iterator[Run]:
    """Yield the parts of a run whose rounds are nested, or whose parent lines are equal."""
    places = range(run.start, run.end, run.length)
    first = 0
    for number in range(1, run.rounds + 1):
        if number == run.rounds or not _goes_on(lines, keys, places[number - 1], run.length):
            if number - first >= FEWEST and run.length * (number - first) >= _SHORTEST_REPEAT:
                yield Run(places[first], run.length, number - first)
            first = number


def _goes_on(lines: Sequence[Line], keys: Sequence[Hashable], place: int, length: int) -> bool:
    """Whether the round after the one at `place` is its child, or its sibling in an equal position."""
    following = place + length
    before, after = lines[place].parent, lines[following].parent
    beside = before == after or (min(before, after) >= 0 and keys[before] == keys[after])
    return beside or place <= after < following


def _repeat(round: Sequence[Line], rounds: int, next_depth: int, symbols: Symbols) -> Line:
    """Return the line with the count of rounds; the children of the last round become its children."""
    lines = say("the line above") if len(round) == 1 else say("the {count} lines above", count=len(round))
    depth = max(min(line.depth for line in round), next_depth - 1)
    said = say("{times}: {lines} (--fold none: all)", times=f"{symbols.times}{rounds}", lines=lines)
    return Line(said, depth=depth, count=rounds)


def laid_out(lines: Sequence[Line], symbols: Symbols) -> Iterator[Line]:
    """Yield the lines from top to bottom, each with its branch lines and its references."""
    ends = _ends(lines)
    order: list[tuple[int, int, bool]] = []
    """Index, depth at which it is drawn, whether its children come later."""
    waiting = [(0, len(lines), 0)]
    for start, end, base in waiting:
        index = start
        while index < end:
            depth = lines[index].depth - base
            later = depth >= DEEPEST and ends[index] - index > _SMALL and lines[index].count == 1
            order.append((index, depth, later))
            if later:
                waiting.append((index, ends[index], lines[index].depth))
            index = ends[index] if later else index + 1
    names = _places(lines, order)
    for (index, _, later), lead in zip(order, branches([depth for _, depth, _ in order], symbols)):
        line, place = lines[index], names.get(index, "")
        number = place if place != line.name else ""
        if later:
            goes_on = say("(goes on at {place})", place=place)
            line = replace(line, what=line.what and f"{line.what}  {goes_on}", saved="")
        elif number:
            line = replace(line, name=f"{number} {line.name}" if not lead else f"{line.name} {number}")
        if line.above is not None:
            place = names.get(line.above, "")
            said = say("(see {place})", place=place) if place else say("(see above)")
            line = replace(line, numbers=said)
        yield replace(line, name=lead + line.name)


def _ends(lines: Sequence[Line]) -> list[int]:
    """Return for each line the end of the deeper lines below it."""
    ends = [len(lines)] * len(lines)
    open_: list[int] = []
    for index, line in enumerate(lines):
        while open_ and lines[open_[-1]].depth >= line.depth:
            ends[open_.pop()] = index
        open_.append(index)
    return ends


def _places(lines: Sequence[Line], order: Sequence[tuple[int, int, bool]]) -> dict[int, str]:
    """Return what others call a line that goes on elsewhere, or is far above: its name if it is unique, or a number."""
    moved = any(later for *_, later in order)
    names = Counter(line.name for line in lines if line.above is None)
    chosen = {index for index, _, later in order if later}
    for line in lines:
        if line.above is not None and (moved or names[line.name] != 1 or lines[line.above].name != line.name):
            chosen.add(line.above)
    places = dict.fromkeys(index for index, *_ in order if index in chosen)
    twice = [index for index in places if names[lines[index].name] > 1]
    return {index: lines[index].name for index in places} | {
        index: f"[{number}]" for number, index in enumerate(twice, 1)
    }


def branches(depths: Sequence[int], symbols: Symbols) -> list[str]:
    """Return the branch lines before each line, by its depth: whether each level around it goes on below."""
    leads: list[str] = []
    goes_on: list[bool] = []
    for depth in reversed(depths):
        del goes_on[depth + 1 :]
        goes_on += [False] * (depth + 1 - len(goes_on))
        lines = "".join(symbols.pipe if more else symbols.blank for more in goes_on[1:depth])
        leads.append(lines + (symbols.branch if goes_on[depth] else symbols.last) if depth else "")
        goes_on[depth] = True
    return leads[::-1]


_GAP = 2  # blanks between columns
_SQUEEZED = ((3, 12), (1, 12), (3, 0), (0, 12), (1, 0), (0, 0))
"""Columns, and their widths when space is short: saved (3), numbers (1), tree (0); the place stays."""
_SHORTEST = 4
"""Cells that a name keeps, so that its shape still fits."""


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
    """Append the cells of a row. If there is nothing beside the tree, the tree gets that room too."""
    most = cell_len(_whole(row)) + _GAP + cell_len(row.numbers) if width is None else width
    if not row.where and not row.numbers:
        line.append(_fitted(row, most, symbols))
        return
    first = widths[0] if row.numbers or not widths[1] else widths[0] + _GAP + widths[1]
    line.append(set_cell_size(_fitted(row, first, symbols), first + _GAP))
    if not row.where:  # a leaf, without a place: there is room for its gradient
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
    """Return place, name, operator and shape within a number of cells; only the name is cut."""
    room = cells - _GAP - cell_len(row.what)
    lead = len(row.name) - len(row.name.lstrip(symbols.pipe + symbols.branch + symbols.last))
    if not row.what or cell_len(_whole(row)) <= cells or room < lead + _SHORTEST:
        return cut_cells(_whole(row), cells, symbols.ellipsis)
    return f"{cut_cells(row.name, room, symbols.ellipsis)}  {row.what}"


def _squeezed(widths: Sequence[int], total: int) -> list[int]:
    """Make columns narrower until they fit; as a last resort, leave one out."""
    result = list(widths)
    for column, least in _SQUEEZED:
        surplus = sum(result) + _GAP * (sum(map(bool, result)) - 1) - total
        if surplus > 0:
            result[column] = max(min(least, result[column]), result[column] - surplus)
    return result
