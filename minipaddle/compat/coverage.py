"""Which Paddle names does a script use, and which are here? Found by reading it, not by running it."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from minipaddle.compat.lookup import Lookup, look_up, offered
from minipaddle.compat.source import read_script
from minipaddle.names.public import paddle_name


@dataclass(frozen=True)
class Use:
    """A Paddle name in a script."""

    lookup: Lookup
    lines: tuple[int, ...]


def uses_of_paddle(path: Path) -> list[Use]:
    """List the Paddle names that a script uses, with their lines, in alphabetical order.

    Methods of tensors are left out: what ``x`` is in ``x.mean()`` only a run can tell.

    Raises:
        UnusableScript: there is no Python text at `path`.
        SyntaxError: the text has a mistake in it.
    """
    found: dict[str, set[int]] = defaultdict(set)
    answers: dict[str, Lookup] = {}
    for name, line in names_used(ast.parse(read_script(path), path)):
        answer = look_up(name)
        answers[answer.name] = answer
        found[answer.name].add(line)
    return [Use(answers[name], tuple(sorted(lines))) for name, lines in sorted(found.items())]


def names_used(tree: ast.AST) -> list[tuple[str, int]]:
    """Return (full Paddle name, line) for each use in a syntax tree.

    >>> names_used(ast.parse("import paddle.nn.functional as F; F.relu(x)"))
    [('paddle.nn.functional', 1), ('paddle.nn.functional.relu', 1)]
    """
    imports = _Imports()
    imports.visit(tree)
    uses = _Uses(imports.aliases)
    uses.visit(tree)
    return imports.uses + uses.uses


class _Imports(ast.NodeVisitor):
    """Reads the imports first, wherever they stand: a function may use a name that is imported below it."""

    def __init__(self) -> None:
        self.aliases: dict[str, str] = {}
        """What a name of the script stands for: ``F`` for ``paddle.nn.functional``."""
        self.uses: list[tuple[str, int]] = []

    def visit_Import(self, node: ast.Import) -> None:
        for item in node.names:
            self._bind(item.asname, paddle_name(item.name), item.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        package = paddle_name(node.module or "")
        if node.level == 0 and _is_paddle(package):
            for item in node.names:
                self._bind_from(package, item)

    def _bind(self, alias: str | None, name: str, line: int) -> None:
        if not _is_paddle(name):
            return
        self.aliases[alias or "paddle"] = name if alias else "paddle"
        if name != "paddle":
            self.uses.append((name, line))

    def _bind_from(self, package: str, item: ast.alias) -> None:
        if item.name == "*":
            self.aliases |= {name: f"{package}.{name}" for name in offered(package)}
        else:
            self.aliases[item.asname or item.name] = f"{package}.{item.name}"
            self.uses.append((f"{package}.{item.name}", item.lineno))


class _Uses(ast.NodeVisitor):
    """Collects what starts with a name that stands for something of Paddle: ``F.relu``, ``Linear``."""

    def __init__(self, aliases: dict[str, str]) -> None:
        self.aliases = dict(aliases)
        self.uses: list[tuple[str, int]] = []

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        target, name = node.targets[0], self._full_name(node.value)
        if name and isinstance(target, ast.Name):  # F = paddle.nn.functional
            self.aliases[target.id] = name

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if name := self._full_name(node):
            self.uses.append((name, node.lineno))
        else:
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        name = self.aliases.get(node.id, "paddle")
        if name != "paddle" and isinstance(node.ctx, ast.Load):
            self.uses.append((name, node.lineno))

    def _full_name(self, node: ast.expr) -> str | None:
        """Spell out a chain of attributes, if what it starts with stands for something of Paddle."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id)
        if isinstance(node, ast.Attribute) and (owner := self._full_name(node.value)):
            return f"{owner}.{node.attr}"
        return None


def _is_paddle(name: str) -> bool:
    return name.partition(".")[0] == "paddle"
