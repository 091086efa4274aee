"""Lay a formula out in lines: what a rule has a name for, and uses twice or at length, has a line of its own."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from minipaddle.tools.explain.symbols.text import text
from minipaddle.tools.explain.symbols.tree import REDUCTIONS, Leaf, Tree, each

_LONG = 100
_SHORT = 10


class Lines(NamedTuple):
    """A formula in lines, the last of which is the tree itself."""

    written: list[str]
    names: Mapping[Tree, str]
    """The parts that have a line, or had one before."""


def lines(tree: Tree, names: Mapping[Tree, str], said: Mapping[Tree, str] | None = None) -> Lines:
    """Return the lines of a formula: ``NAME = ...`` for some of `names` then the tree itself.

    What is `said` already goes by its name there, and has no line.
    """
    lets = dict(said or {})
    whole = text(tree, lets)
    uses = Counter(part for one in each(tree) for part in one.parts)
    taken = {*REDUCTIONS, *(leaf.name for leaf in each(tree) if isinstance(leaf, Leaf))}
    long = len(whole) > _LONG
    written = []
    for part in each(tree):
        name = "" if part is tree or part in lets else names.get(part, "")
        if (
            name
            and name not in taken
            and (long or uses[part] > 1)
            and len(found := text(part, lets)) > _SHORT
        ):
            written.append(f"{name} = {found}")
            lets[part] = name
            taken.add(name)
    return Lines([*written, text(tree, lets)], lets)
