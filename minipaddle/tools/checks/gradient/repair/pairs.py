"""Two mistakes at once: of all changes that were not enough, the two that are it together.

To try each with each would take too long. But changes of two terms of a sum add up, and changes of two factors of a
product multiply, so what the second has to do is known once the first has been tried. What fits is tried in earnest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.backward import equal
from minipaddle.tools.checks.gradient.repair.edits import Edit
from minipaddle.tools.checks.gradient.repair.forward import Way
from minipaddle.tools.checks.gradient.repair.search import Search
from minipaddle.tools.checks.gradient.results import Mistake
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import line_text

_WORK = 60_000_000
"""So many elements may be computed to try pairs."""
_MOST = 3000
"""So many changes are looked at."""
_SAME = 1e-7
_FAR = 10
"""A term too much and one missing explain anything: what names the mistake better comes first."""


class _Half(NamedTuple):
    """A change of backward, or a wrong way to differentiate forward that backward shares."""

    stage: int
    edits: dict[int, Edit]
    way: Way | None = None

    @property
    def edit(self) -> Edit | None:
        """The change, where it is one of backward."""
        return next(iter(self.edits.values()), None)


def two_mistakes(search: Search) -> Mistake | None:
    """Return the two changes that make the gradient right together; None if there are none.

    Where two pairs fit equally well, both are named: nobody can tell.
    """
    base, right = search.given[0], search.points[0].right.get(search.one.id)
    if base is None or right is None or len(search.points) < 2:
        return None
    halves, gives = _halves(search, base, right)
    if not halves:
        return None
    search.left = _WORK
    fits: list[tuple[_Half, _Half]] = []
    for one, other in _guesses(halves, gives, base, right):
        pair = halves[one], halves[other]
        if search.left > 0 and (not fits or _rank(pair) <= _rank(fits[0])) and _fits(search, *pair):
            fits = [*(old for old in fits if _rank(old) <= _rank(pair)), pair]
    if not fits:
        return None
    said = list(dict.fromkeys(_said(search, pair) for pair in fits))
    if len(said) == 1:
        return said[0]
    text = say("nobody can tell which: {one}; or {other}", one=said[0].text, other=said[1].text)
    return Mistake(said[0].kind, text, said[0].line)


def _halves(search: Search, base: Array, right: Array) -> tuple[list[_Half], Array]:
    """Return the changes that do something, each once, and what backward gives with them, a row each."""
    halves: list[_Half] = []
    rows: list[Array] = []
    seen: set[bytes] = set()
    size = float(np.abs(base).max(initial=0)) + float(np.abs(right).max(initial=0))
    tried = [(_Half(one.stage, one.edits), one.gives) for one in search.tried]
    tried += [(_Half(2, {}, way), base + (right - made)) for way, made in search.forward.tried]
    for half, gives in tried:
        if gives.shape != base.shape or not np.isfinite(gives).all() or len(rows) >= _MOST:
            continue
        key = np.round(gives / size, 8).tobytes()
        if key not in seen and not equal(gives, base, _SAME):
            seen.add(key)
            halves.append(half)
            rows.append(gives)
    return halves, np.array(rows).reshape(len(rows), -1)


def _guesses(halves: Sequence[_Half], gives: Array, base: Array, right: Array) -> Iterator[tuple[int, int]]:
    """Yield pairs that would be it if they did not get into each other's way."""
    base, right = base.ravel(), right.ravel()
    yield from _adding(gives - base, right - base)
    kinds = ["" if half.edit is None else half.edit.kind for half in halves]
    terms = [base, *(base - row for kind, row in zip(kinds, gives) if kind == "term")]
    terms += [(base - row) / 2 for kind, row in zip(kinds, gives) if kind == "sign"]
    for term in terms:
        yield from _multiplying(gives - base + term, right - base + term, term)
    moved = [at for at, kind in enumerate(kinds) if kind in ("transposed", "flipped", "shifted")]
    yield from ((one, other) for one in moved for other in range(len(halves)) if other != one)


def _adding(rows: Array, wanted: Array) -> Iterator[tuple[int, int]]:
    """Yield the pairs of rows whose sum is what is wanted."""
    scale = float(np.abs(wanted).max(initial=0)) + 1e-300
    for one, others in _meeting(rows / scale, wanted / scale):
        off = np.abs(rows[one] + rows[others] - wanted).max(axis=1, initial=0)
        yield from ((one, int(other)) for other in others[off <= 1e-5 * scale])


def _multiplying(rows: Array, wanted: Array, term: Array) -> Iterator[tuple[int, int]]:
    """Yield the pairs whose changes of a term, one after the other, make it what is wanted."""
    with np.errstate(all="ignore"):
        ratios, ratio = rows / term, wanted / term
        logs, log = np.log(np.abs(ratios)), np.log(np.abs(ratio))
        used = np.isfinite(log)
        sound = np.isfinite(logs[:, used]).all(axis=1) if used.any() else np.zeros(len(rows), bool)
    which = np.flatnonzero(sound)
    scale = float(np.abs(wanted).max(initial=0))
    for one, others in _meeting(logs[sound][:, used], log[used]):
        made = ratios[which[one]] * ratios[which[others]] * term
        off = np.abs(made - wanted).max(axis=1, initial=0)
        yield from ((int(which[one]), int(other)) for other in which[others[off <= 1e-5 * scale]])


def _meeting(rows: Array, wanted: Array) -> Iterator[tuple[int, Array]]:
    """Yield a row, and those after it whose sum with it is, seen from one side, what is wanted."""
    if not len(rows):
        return
    side = np.random.default_rng(4).normal(size=rows.shape[1])
    seen, goal = np.real(rows @ side), float(np.real(wanted @ side))
    order = np.argsort(seen)
    room = 1e-5 * (float(np.abs(seen).max()) + abs(goal))
    low = np.searchsorted(seen[order], goal - seen - room)
    high = np.searchsorted(seen[order], goal - seen + room)
    for one in range(len(rows)):
        others = order[low[one] : high[one]]
        others = others[others > one]
        if len(others):
            yield one, others


def _rank(pair: tuple[_Half, _Half]) -> int:
    wrongs = [half.edit.kind for half in pair if half.edit is not None]
    exchanged = _FAR if wrongs == ["term"] and any(half.way is not None for half in pair) else 0
    return sum(half.stage for half in pair) + exchanged


def _fits(search: Search, one: _Half, other: _Half) -> bool:
    """Return whether two changes together make the gradient right at all points."""
    edits = one.edits | other.edits
    ways = tuple(half.way for half in (one, other) if half.way is not None)
    if len(edits) < len(one.edits) + len(other.edits) or not edits:
        return False
    for which, point in enumerate(search.points):
        gives = search.gives(edits, which)
        if not ways:
            if not search.is_right(gives, which):
                return False
        elif not equal(gives, search.forward.pulled(ways, point)):
            return False
    return True


def _said(search: Search, pair: tuple[_Half, _Half]) -> Mistake:
    """Return two changes as one mistake, in the order of their lines."""
    both = []
    for half, other in (pair, pair[::-1]):
        if half.way is not None and other.edit is not None and other.edit.extra:
            masked = search.forward.mask(half.way, other.edit.extra)
            if masked:
                return Mistake("mask", masked, search.line_at(next(iter(other.edits))))
    for half in pair:
        if half.way is not None:
            both.append(search.forward.said(half.way))
        elif half.edit is not None:
            both.append(Mistake(half.edit.kind, half.edit.text, search.line_at(next(iter(half.edits)))))
    both.sort(key=lambda one: one.line.number if one.line else 0)
    lines = {one.line for one in both}
    texts = [one.text if len(lines) == 1 else f"{one.text} ({line_text(one.line)})" for one in both]
    text = say("two mistakes: {first}; and {second}", first=texts[0], second=texts[1])
    return Mistake("+".join(sorted({one.kind for one in both})), text, both[0].line)
