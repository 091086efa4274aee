"""Lists the names of Paddle that a script uses, with lines and whether they exist here; it is not run."""

import ast
from dataclasses import replace
from functools import cache
from operator import itemgetter
from pathlib import Path

from minipaddle.engine.names import missing as names
from minipaddle.engine.names.missing import is_paddle
from minipaddle.paddle.lookup import Lookup, look_up, offered
from minipaddle.tools.run.source import read_script
from minipaddle.tools.words.group_by import grouped


def sites_of(tree: ast.AST) -> list[tuple[str, int]]:
    """Return each use of a Paddle name in a syntax tree, the full name and its line, in the order of the lines.

    >>> sites_of(ast.parse("import paddle.nn.functional as F; F.relu(x)"))
    [('paddle.nn.functional', 1), ('paddle.nn.functional.relu', 1)]
    """
    uses = _Uses()
    for node in ast.walk(tree):  # first: a function may use a name that is imported further below
        if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
            uses.bind(node)
    uses.visit(tree)
    return sorted(uses.sites, key=itemgetter(1))


class _Uses(ast.NodeVisitor):
    """Finds dotted names that begin with an imported name; ``F = paddle.nn.functional`` defines another one."""

    def __init__(self) -> None:
        self.aliases: dict[str, str] = {}
        """The meanings of the script's names: ``F`` is ``paddle.nn.functional``."""
        self.sites: list[tuple[str, int]] = []

    def bind(self, node: ast.Import | ast.ImportFrom) -> None:
        """Note the names that an import gives to the script."""
        package = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for item in node.names:
            name = names.paddle_name(package + item.name)
            if name.startswith("paddle.") and item.name == "*":
                inside = name.removesuffix(".*")
                self.aliases |= {one: f"{inside}.{one}" for one in offered(inside)}
            elif is_paddle(name):
                alias = item.asname or (item.name if package else None)
                self.aliases[alias or "paddle"] = name if alias else "paddle"
                if name != "paddle":
                    self.sites.append((name, item.lineno))

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        spelled = self._spelled(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.aliases.pop(target.id, None)
                if spelled is not None:
                    self.aliases[target.id] = spelled
            else:
                self.visit(target)

    def visit_Attribute(self, node: ast.Attribute | ast.Name) -> None:
        spelled = self._spelled(node)
        if spelled is None:
            self.generic_visit(node)
        elif spelled != "paddle":
            self.sites.append((spelled, node.lineno))

    def visit_Name(self, node: ast.Name) -> None:
        self.visit_Attribute(node)

    def _spelled(self, node: ast.expr) -> str | None:
        """Return the full name of a chain of attributes, ``paddle.nn.Linear``, if it starts with a Paddle name."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id)
        if isinstance(node, ast.Attribute) and (owner := self._spelled(node.value)):
            return f"{owner}.{node.attr}"
        return None


def uses_of(path: Path) -> list[Lookup]:
    """Return the Paddle names that a script uses, sorted by name.

    Raises UnusableScript: `path` has no Python text; SyntaxError: the text has a syntax error.
    """
    answer = cache(look_up)
    sites = sites_of(ast.parse(read_script(path), path))
    found = grouped((answer(name), line) for name, line in sites)
    uses = (replace(use, lines=tuple(lines)) for use, lines in found.items())
    return sorted(uses, key=lambda use: use.name)
