"""What a script needs of Paddle: each name with the lines that use it, and whether it is here."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from minipaddle.engine.names.group_by import grouped
from minipaddle.tools.run.coverage.sites import sites_of
from minipaddle.tools.run.lookup import Lookup, look_up
from minipaddle.tools.run.source import read_script


@dataclass(frozen=True)
class Use:
    """A name of Paddle's, and where it is used."""

    lookup: Lookup
    lines: tuple[int, ...]
    """One for each place."""


def uses_of(path: Path) -> list[Use]:
    """Read a script, and return what it uses of Paddle, sorted by name.

    Raises UnusableScript: there is no Python text at `path`; SyntaxError: the text has a mistake in it.
    """
    answer = cache(look_up)
    sites = sites_of(ast.parse(read_script(path), path))
    found = grouped((answer(site.name), site.line) for site in sites)
    uses = (Use(lookup, tuple(lines)) for lookup, lines in found.items())
    return sorted(uses, key=lambda use: use.lookup.name)
