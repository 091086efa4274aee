"""Lay a formula out in lines: what a rule has a name for, and uses twice or at length, has a line of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from minipaddle.explain.symbols.text import text
from minipaddle.explain.symbols.tree import REDUCTIONS, Leaf, Tree, each

_LONG = 100
_SHORT = 10


class Lines(NamedTuple):
    """A formula in lines, the last of which is the tree itself."""

    written: list[str]
    names: Mapping[int, str]
    """The parts that have a line, or had one before, by the ids of their trees."""


def lines(tree: Tree, names: Mapping[int, str], said: Mapping[int, str] | None = None) -> Lines:
    """Return the lines of a formula: ``NAME = ...`` for some of `names` (by the id of a tree), then the tree itself.

    What is `said` already goes by its name there, and has no line.
    """
    lets = dict(said or {})
    whole = text(tree, lets)
    uses = Counter(_ids(tree))
    taken = {*REDUCTIONS, *(leaf.name for leaf in each(tree) if isinstance(leaf, Leaf))}
    long = len(whole) > _LONG
    written = []
    for part in each(tree):
        name = "" if id(part) in lets else names.get(id(part), "")
        wanted = long or uses[id(part)] > 1
        if (
            name
            and part is not tree
            and wanted
            and name not in taken
            and len(found := text(part, lets)) > _SHORT
        ):
            written.append(f"{name} = {found}")
            lets[id(part)] = name
            taken.add(name)
    return Lines([*written, text(tree, lets)], lets)


def _ids(tree: Tree) -> Iterator[int]:
    """Yield the ids of all parts, each as often as it is used."""
    seen: set[int] = set()
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        for part in one.parts:
            yield id(part)
            if id(part) not in seen:
                seen.add(id(part))
                waiting.append(part)
