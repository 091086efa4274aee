"""Lists the names of Paddle that a script uses, with lines and whether they exist here; it is not run."""

import ast
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from minipaddle.engine.names import missing as names
from minipaddle.engine.names.missing import is_paddle
from minipaddle.paddle.lookup import Lookup, look_up, offered
from minipaddle.tools.run.source import read_script
from minipaddle.tools.words.group_by import grouped


@dataclass(frozen=True)
class Site:
    """One use of a Paddle name in a script."""

    name: str
    """The full name: ``paddle.nn.functional.relu``."""
    line: int


def sites_of(tree: ast.AST) -> list[Site]:
    """Return every use of a Paddle name in a syntax tree, in the order of the lines.

    >>> [site.name for site in sites_of(ast.parse("import paddle.nn.functional as F; F.relu(x)"))]
    ['paddle.nn.functional', 'paddle.nn.functional.relu']
    """
    imports = _Imports()
    imports.visit(tree)
    uses = _Uses(imports.aliases)
    uses.visit(tree)
    return sorted(imports.sites + uses.sites, key=lambda site: site.line)


class _Imports(ast.NodeVisitor):
    """Reads all imports first: a function may use a name that is imported further below."""

    def __init__(self) -> None:
        self.aliases: dict[str, str] = {}
        """The meanings of the script's names: ``F`` is ``paddle.nn.functional``."""
        self.sites: list[Site] = []

    def visit_Import(self, node: ast.Import) -> None:
        for item in node.names:
            self._bind(item.asname, names.paddle_name(item.name), item.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        package = names.paddle_name(node.module or "")
        if node.level == 0 and package == "minipaddle":
            for item in node.names:
                self._bind(item.asname, names.paddle_name(f"minipaddle.{item.name}"), node.lineno)
        if node.level == 0 and is_paddle(package):
            for item in node.names:
                self._bind_from(package, item)

    def _bind(self, alias: str | None, name: str, line: int) -> None:
        if not is_paddle(name):
            return
        self.aliases[alias or "paddle"] = name if alias else "paddle"
        if name != "paddle":
            self.sites.append(Site(name, line))

    def _bind_from(self, package: str, item: ast.alias) -> None:
        if item.name == "*":
            self.aliases |= {name: f"{package}.{name}" for name in offered(package)}
        else:
            self.aliases[item.asname or item.name] = f"{package}.{item.name}"
            self.sites.append(Site(f"{package}.{item.name}", item.lineno))


class _Uses(ast.NodeVisitor):
    """Finds dotted names that begin with an imported name; ``F = paddle.nn.functional`` defines another one."""

    def __init__(self, aliases: dict[str, str]) -> None:
        self.aliases = dict(aliases)
        self.sites: list[Site] = []

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

    def visit_Attribute(self, node: ast.Attribute) -> None:
        spelled = self._spelled(node)
        if spelled is None:
            self.visit(node.value)
        else:
            self.sites.append(Site(spelled, node.lineno))

    def visit_Name(self, node: ast.Name) -> None:
        name = self.aliases.get(node.id, "paddle")
        if name != "paddle":
            self.sites.append(Site(name, node.lineno))

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
    found = grouped((answer(site.name), site.line) for site in sites)
    uses = (replace(use, lines=tuple(lines)) for use, lines in found.items())
    return sorted(uses, key=lambda use: use.name)
