"""Names that are like one that is none."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

__all__ = ["nearest"]

_AROUND = 100


def nearest(word: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Return up to `count` of `names` that look like `word`, the best first.

    To compare two names takes 10 us. Of very many names those are compared that stand next to the word in the
    dictionary, where names that begin alike are together, or in the one that is sorted by the ends of words.
    """
    some = sorted(names)
    if len(some) > 4 * _AROUND:
        backwards = sorted(name[::-1] for name in some)
        ending = [name[::-1] for name in _around(word[::-1], backwards)]
        some = list(dict.fromkeys([*_around(word, some), *ending]))
    return get_close_matches(word, some, n=count)


def _around(word: str, names: Sequence[str]) -> Sequence[str]:
    place = bisect(names, word)
    return names[max(place - _AROUND, 0) : place + _AROUND]
