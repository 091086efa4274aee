"""Short texts for numbers, shapes, sizes and times, the same in every tool."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import isnan

import numpy as np
from rich.cells import cell_len, set_cell_size

from minipaddle.engine.errors import Line, file_title
from minipaddle.engine.value.meta import Array
from minipaddle.tools.record.events import Value
from minipaddle.tools.record.stats import Stats
from minipaddle.tools.words.control_characters import visible
from minipaddle.tools.words.fields import field, is_field
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase, phrases, say, spoken

_FEW = 3  # names in a short list
_MANY = 16  # elements of a value that is shown whole
_LONGEST = 200  # characters: a longer name is cut
_NUMBERS = re.compile("([0-9]+)")


@lru_cache(1 << 16)
def clean(text: str) -> str:
    """Return a name for one line of any output: characters that steer a terminal, or are no XML, escaped."""
    shown = visible(text[:_LONGEST].replace("\n", " ").replace("\t", " "))
    shown += "…" if len(text) > _LONGEST else ""
    return text if shown == text else shown


def cut(text: str, width: int) -> str:
    """Return a line, cut if it is longer than `width` characters."""
    return text if len(text) <= width else text[: width - 1] + "…"


def cut_cells(text: str, cells: int, ellipsis: str = "…") -> str:
    """Return a line, cut if it takes more than `cells` cells of a terminal: a Chinese character takes two."""
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, max(0, cells - len(ellipsis))).rstrip() + ellipsis[:cells]


def cut_list(text: str, cells: int) -> str:
    """Return a list on a line, cut between two of its parts if it is too long: no name or number is a part of one."""
    short = cut_cells(text, cells)
    begin, comma, _ = short.rpartition(", ")
    return f"{begin}, …" if comma and short != text else short


def shape_text(value: Value) -> str:
    """Return a shape, ``[4, 2]``; ``[]`` for a single number; "" if shape and dtype are unknown."""
    return str(list(value.shape)) if value.dtype else ""


def line_text(where: Line | None) -> str:
    """Return a line of user code, ``train.py:12``; "" if unknown."""
    return clean(f"{file_title(where.file)}:{where.number}") if where else ""


def at_line(what: str, file: str, line: int) -> str:
    """Return a sentence with its line behind it: ``it returns nothing (task1.py, line 3)``."""
    return say("{what} ({place})", what=what, place=say("{file}, line {line}", file=file, line=line))


def bytes_text(count: int) -> str:
    """Return a size with three significant digits: ``512 B``, ``3.1 kB``, ``20 MB``."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"


def tally(names: Iterable[str]) -> str:
    """Return names with their counts, each once; if there are many, only the first three.

    >>> tally(["h", "w", "h"]), tally(["a", "b", "c", "d", "e"])
    ('h ×2, w', 'a, b, c and 2 more')
    """
    counts = Counter(names)
    words = [
        phrase("{title} ×{count}", title=name, count=count) if count > 1 else name
        for name, count in counts.items()
    ]
    first, more = (words[:_FEW], len(words) - _FEW) if len(words) > _FEW + 1 else (words, 0)
    shown = first[0] if len(first) == 1 else ", ".join(first)
    return phrase("{names} and {count} more", names=shown, count=more) if more else shown


def in_short(names: Iterable[str]) -> str:
    """Return names as :func:`tally` does, but merge three or more that differ in one number into a series.

    >>> in_short(["fc0.w", "fc1.w", "fc2.w", "fc3.w", "b"]), in_short(["h", "w", "h"]), in_short(["a1", "a2"])
    ('fc0…3.w, b', 'h ×2, w', 'a1, a2')
    """
    counts = Counter(iter(names))
    if len(counts) < _FEW:
        return tally(counts.elements())
    alike = grouped(
        (tuple(_NUMBERS.split(name)[::2]) if count == 1 else (name,), name) for name, count in counts.items()
    )
    together = ((several, series(several)) for several in alike.values())
    called = {name: text or name for several, text in together for name in several}
    once = dict.fromkeys(called[name] for name in counts)
    return tally(text for text in once for _ in range(counts[text] or 1))


def series(names: Iterable[str]) -> str:
    """Return three or more names that differ in one rising or falling number, as one; "" for others.

    >>> series(["fc0.w", "fc1.w", "fc2.w"]), series(["a9", "a5", "a1"]), series(["a1", "a3", "a2"])
    ('fc0…2.w', 'a9…1', '')
    """
    parts = [_NUMBERS.split(name) for name in names]
    if len(parts) < _FEW or any(part[::2] != parts[0][::2] for part in parts):
        return ""
    differ = [place for place, several in enumerate(zip(*parts)) if len(set(several)) > 1]
    numbers = [int(part[differ[0]]) for part in parts] if len(differ) == 1 else []
    if not numbers or numbers not in (sorted(numbers), sorted(numbers, reverse=True)):
        return ""
    return "".join(parts[0][: differ[0] + 1]) + "…" + "".join(parts[-1][differ[0] :])


def number(value: complex) -> str:
    """Return a number with four significant digits, in its shortest form."""
    short = value if value.imag else value.real
    return f"{short + 0.0:.4g}"  # + 0.0 turns -0.0 into 0.0


def percent(part: float) -> str:
    """Return a share as percent, ``62%``; what is not 0 nor 100 is never rounded to it.

    >>> percent(0.617), percent(0.00321), percent(0.9999), percent(1.0)
    ('62%', '<1%', '>99%', '100%')
    """
    whole = round(100 * part)
    end = {0: "<1%", 100: ">99%"}.get(whole if 100 * part != whole else -1, "")
    return end or f"{whole}%"


def circled(count: int) -> str:
    """Return a number as a single character.

    >>> circled(1), circled(21)
    ('①', '(21)')
    """
    return chr(ord("①") + count - 1) if count <= 20 else f"({count})"


def spaced(*parts: str) -> str:
    """Return the parts that are not empty on one line, two blanks apart."""
    return "  ".join(map(spoken, filter(None, parts)))


def not_finite(stats: Stats) -> str:
    """Return the counts of NaN and Inf, ``3 NaN, 1 Inf``; "" if all elements are finite."""
    return ", ".join(f"{count} {what}" for count, what in ((stats.nans, "NaN"), (stats.infs, "Inf")) if count)


def all_zero(stats: Stats) -> bool:
    """Whether an array is not empty, and every element is 0."""
    return bool(stats.size) and stats.zeros == stats.size


def glance(value: Value) -> str:
    """Return a summary of the numbers, by :func:`look`, else the norm, or why there is none."""
    if is_field(value):
        return field("glance", value.id)
    if not isnan(value.stats.norm):
        return look(value) or phrase("norm {norm}", norm=number(value.stats.norm))
    return look(value) or phrase("it is empty" if 0 in value.shape else "(not known)")


def few_numbers(value: Value) -> str:
    """Return the counts of NaN and Inf (-Inf if all are), ``NaN: 1 of 3``, or all numbers if few; else ""."""
    if is_field(value):
        return field("few", value.id)
    stats = value.stats
    if stats.bad:
        below = value.array is not None and (value.array == -np.inf).sum() == stats.infs
        counts = {"NaN": stats.nans, "-Inf" if below else "Inf": stats.infs}
        told = (
            phrase("{what}: {count} of {size}", what=what, count=count, size=stats.size)
            for what, count in counts.items()
            if count
        )
        return phrases("{before}, {after}", told)
    if value.array is None or not 0 < value.array.size <= _FEW or value.array.dtype.kind not in "biuf":
        return ""
    return ", ".join(map(_item, value.array.ravel().tolist()))


def _item(value: float) -> str:
    """Return an element: a truth value as Python writes it."""
    return str(value) if isinstance(value, bool) else number(value)


def look(value: Value) -> str:
    """Return a summary: counts of NaN and Inf, or all numbers if few, or a gradient's norm; else ""."""
    if is_field(value):
        return field("look", value.id)
    stats, few = value.stats, few_numbers(value)
    if few:
        return few
    if all_zero(stats):
        return phrase("all zero")
    known = stats.norm == stats.norm
    return phrase("norm {norm}", norm=number(stats.norm)) if value.kind == "gradient" and known else ""


def bytes_of(value: Value) -> int:
    """Return the size of a value; 0 if its shape is unknown."""
    return value.nbytes if value.dtype and -1 not in value.shape else 0


def numbers_text(value: Value) -> str:
    """Return all numbers on one line, if they were kept and are at most 16; else ""."""
    if value.array is None or value.array.size > _MANY or value.array.dtype.kind not in "biuf":
        return ""
    return _nested(value.array)


def _nested(array: Array) -> str:
    """Return an array as nested lists of short numbers."""
    if not array.ndim:
        return _item(array.item())
    return f"[{', '.join(_nested(np.asarray(part)) for part in array)}]"
