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
    imports = _Imports()
    imports.visit(tree)
    uses = _Uses(imports.aliases)
    uses.visit(tree)
    return sorted(imports.sites + uses.sites, key=itemgetter(1))


class _Imports(ast.NodeVisitor):
    """Reads all imports first: a function may use a name that is imported further below."""

    def __init__(self) -> None:
        self.aliases: dict[str, str] = {}
        """The meanings of the script's names: ``F`` is ``paddle.nn.functional``."""
        self.sites: list[tuple[str, int]] = []

    def visit_Import(self, node: ast.Import) -> None:
        for item in node.names:
            self._bind(item.asname, names.paddle_name(item.name), item.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        package = names.paddle_name(node.module or "")
        for item in node.names if node.level == 0 else ():
            if item.name == "*" and is_paddle(package):
                self.aliases |= {name: f"{package}.{name}" for name in offered(package)}
            else:
                name = names.paddle_name(f"{package}.{item.name}")
                self._bind(item.asname or item.name, name, item.lineno)

    def _bind(self, alias: str | None, name: str, line: int) -> None:
        if not is_paddle(name):
            return
        self.aliases[alias or "paddle"] = name if alias else "paddle"
        if name != "paddle":
            self.sites.append((name, line))


class _Uses(ast.NodeVisitor):
    """Finds dotted names that begin with an imported name; ``F = paddle.nn.functional`` defines another one."""

    def __init__(self, aliases: dict[str, str]) -> None:
        self.aliases = dict(aliases)
        self.sites: list[tuple[str, int]] = []

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
