"""Pieces of source that the passes make."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import count
from typing import TypeVar

N = TypeVar("N", bound=ast.AST)
TOOLS = "_jst"
"""What rewritten source calls :mod:`minipaddle.paddle.jit.dy2static`, as Paddle does."""


def at(node: N, place: ast.AST) -> N:
    """Return `node`, standing in the user's file where `place` stands."""
    return ast.fix_missing_locations(ast.copy_location(node, place))


def name(text: str) -> ast.expr:
    """Return ``text``, read."""
    return ast.Name(text, ast.Load())


def assign(text: str, value: ast.expr, place: ast.AST) -> ast.stmt:
    """Return ``text = value``."""
    return at(ast.Assign([ast.Name(text, ast.Store())], value), place)


def either(flags: Sequence[str]) -> ast.expr:
    """Return ``a or b``."""
    names = [name(flag) for flag in flags]
    return names[0] if len(names) == 1 else ast.BoolOp(ast.Or(), names)


def neither(flags: Sequence[str]) -> ast.expr:
    """Return ``not (a or b)``."""
    return ast.UnaryOp(ast.Not(), either(flags))


def tool(text: str, *args: ast.expr, **options: ast.expr) -> ast.Call:
    """Return ``_jst.text(*args, **options)``."""
    keywords = [ast.keyword(key, value) for key, value in options.items()]
    return ast.Call(ast.Attribute(name(TOOLS), text, ast.Load()), list(args), keywords)


def is_tool(node: ast.AST) -> bool:
    """Whether a function is one of the tools already."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == TOOLS


def later(value: ast.expr) -> ast.Lambda:
    """Return ``lambda: value``."""
    made = ast.parse("lambda: 0", mode="eval").body
    assert isinstance(made, ast.Lambda)
    made.body = value
    return made


def function(called: str, takes: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """Return ``def called(takes): body``."""
    made = ast.parse(f"def {called}({', '.join(takes)}): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.body = body
    return made


class NewNames:
    """Makes names that nobody has: ``stop_0``, ``stop_1``.

    Attributes:
        made: all of them.
    """

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.made: set[str] = set()

    def __call__(self, stem: str) -> str:
        """Return a name."""
        one = next(f"{stem}_{number}" for number in count() if f"{stem}_{number}" not in self.taken)
        self.taken.add(one)
        self.made.add(one)
        return one
