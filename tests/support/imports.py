"""The imports of the package: where each leads, and the room of a file. ``tests/test_layers.py`` judges them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "FRONT",
    "PACKAGE",
    "ROOT",
    "circles",
    "identifiers",
    "imported_room",
    "imports_of",
    "is_module",
    "room_in",
    "room_of",
    "sources",
]

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "minipaddle"
FRONT = ""
"""The room of minipaddle/__init__.py and __main__.py."""
FILES_THAT_ARE_ROOMS = {"paddle.regularizer"}
"""Optimizers use it: it stands below them, the other files at the foot of ``paddle`` above."""


class Import(NamedTuple):
    """One imported module: its dotted name, where it is written, and whether that is at module level."""

    name: str
    where: str
    top: bool


def sources(rooms: set[str] | None = None) -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if rooms is None or room_of(path) in rooms]


def room_of(path: Path) -> str:
    return room_in(list(path.relative_to(PACKAGE).with_suffix("").parts)) or FRONT


def room_in(parts: list[str]) -> str | None:
    """Return the room among the parts of a name below `minipaddle`: of engine, paddle and tools the second counts."""
    house, *below = parts
    if house not in ("engine", "ops", "paddle", "tools"):
        return None
    inner = f"{house}.{below[0]}" if below else house
    return inner if house != "ops" and is_room(inner) else house


def is_room(name: str) -> bool:
    """Return whether a dotted name is a room: the files at the foot of engine and paddle are a room together."""
    return name in FILES_THAT_ARE_ROOMS or (PACKAGE / name.replace(".", "/")).is_dir()


@cache
def imports_of(path: Path) -> list[Import]:
    return list(imports_in(ast.parse(path.read_text(encoding="utf-8")), path, top=True))


def imports_in(node: ast.AST, path: Path, top: bool) -> Iterator[Import]:
    """Yield the imports among the statements of a node; in expressions there are none."""
    for one in ast.iter_child_nodes(node):
        if not isinstance(one, ast.expr):
            for name in names_of(one, path):
                yield Import(name, f"{path.relative_to(ROOT)}:{one.lineno}", top)
            yield from imports_in(
                one, path, top and not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
            )


def names_of(node: ast.AST, path: Path) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    module = ".".join(filter(None, [package_of(path, node.level), node.module or ""]))
    # `from minipaddle.paddle import nn` names a room, not the front; `from minipaddle.ops import math` a part of
    # a room
    home = ROOT / module.replace(".", "/")
    return [
        f"{module}.{alias.name}" if module == "minipaddle" or is_module(home / alias.name) else module
        for alias in node.names
    ]


@cache
def is_module(path: Path) -> bool:
    return path.is_dir() or path.with_suffix(".py").is_file()


def package_of(path: Path, level: int) -> str:
    """Return the package that `level` dots mean in the file at `path`."""
    parents = path.relative_to(ROOT).parent.parts
    return ".".join(parents[: len(parents) - level + 1]) if level else ""


def imported_room(name: str) -> str | None:
    """Return the room of this package that an import reaches into, or None for a foreign module."""
    head, *rest = name.split(".")
    if head != "minipaddle":
        return None
    return (room_in(rest) if rest else None) or FRONT


def circles() -> list[set[str]]:
    """Return the groups of files that lead back to each other by imports, those of types included."""
    graph = {module_of(path): {found.name for found in imports_of(path)} for path in sources()}
    reached = {name: reachable(name, graph) for name in graph}
    groups = {frozenset(other for other in reached[name] if name in reached[other]) for name in graph}
    return [{name.removeprefix("minipaddle.") for name in group} for group in groups if len(group) > 1]


def reachable(start: str, graph: dict[str, set[str]]) -> set[str]:
    """Return the files that imports lead to from one file."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found & graph.keys()


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def identifiers(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield every name that code uses or defines, with its line; prose in docstrings does not count."""
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "module"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield name, getattr(node, "lineno", 0)
