"""What some code needs of Paddle: each name with the places that use it, and whether it is here."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from minipaddle.tools.run.coverage.sites import sites_of
from minipaddle.tools.run.lookup import Lookup, look_up
from minipaddle.tools.run.source import UnusableScript, read_script


@dataclass(frozen=True)
class Use:
    """A name of Paddle's, and where it is used."""

    lookup: Lookup
    lines: dict[Path, tuple[int, ...]]
    """The lines of each file that uses it: one for each place."""

    @property
    def places(self) -> int:
        """In how many places it is used."""
        return sum(map(len, self.lines.values()))


@dataclass(frozen=True)
class Survey:
    """What some files use of Paddle."""

    files: tuple[Path, ...]
    uses: tuple[Use, ...]
    """Sorted by name."""
    unreadable: dict[Path, str]
    """Files that are not Python, with the reason."""

    @property
    def missing(self) -> list[Use]:
        """What is not here, most needed first: by files, then by places."""
        missing = [use for use in self.uses if not use.lookup.present]
        return sorted(missing, key=lambda use: (-len(use.lines), -use.places, use.lookup.name))

    @property
    def whole(self) -> int:
        """How many files need nothing that is missing."""
        return len(self.files) - len({path for use in self.missing for path in use.lines})


def survey_of(path: Path) -> Survey:
    """Read a script, or every ``.py`` file below a folder.

    Raises:
        UnusableScript: there is no Python text at `path`.
        SyntaxError: the text of this one script has a mistake in it.
    """
    if not path.is_dir():
        return _survey([(path, ast.parse(read_script(path), path))], {})
    trees, unreadable = [], {}
    for file in sorted(path.rglob("*.py")):
        try:
            trees.append((file, ast.parse(read_script(file), file)))
        except (UnusableScript, SyntaxError, ValueError, RecursionError) as error:
            unreadable[file] = getattr(error, "msg", None) or str(error)
    return _survey(trees, unreadable)


def _survey(trees: Iterable[tuple[Path, ast.AST]], unreadable: dict[Path, str]) -> Survey:
    answers: dict[str, Lookup] = {}
    found: dict[Lookup, dict[Path, list[int]]] = defaultdict(lambda: defaultdict(list))
    files = []
    for path, tree in trees:
        files.append(path)
        for site in sites_of(tree):
            if site.name not in answers:
                answers[site.name] = look_up(site.name)
            found[answers[site.name]][path].append(site.line)
    uses = (Use(lookup, {path: tuple(at) for path, at in lines.items()}) for lookup, lines in found.items())
    return Survey(tuple(files), tuple(sorted(uses, key=lambda use: use.lookup.name)), unreadable)
