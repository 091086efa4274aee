"""Source as text with holes, for the passes to fill; and new names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import count
from typing import Any

TOOLS = "_jst"
"""What rewritten source calls :mod:`minipaddle.paddle.jit.dy2static`, as Paddle does."""


class _Filled(ast.NodeTransformer):
    """Puts pieces of source where their names stand: an expression, or the statements of a Block."""

    def __init__(self, holes: dict[str, Any]) -> None:
        self.holes = holes

    def visit_Name(self, node: ast.Name) -> Any:
        return self.holes.get(node.id, node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        value = self.visit(node.value)
        if isinstance(value, list):
            return value
        node.value = value
        return node


def statements(text: str, place: ast.AST, **holes: Any) -> list[ast.stmt]:
    r"""Return the tree of a text, standing in the user's file where `place` stands, with its holes filled.

    >>> ast.unparse(statements("if not found:\n    BODY", ast.Pass(), BODY=[ast.Pass()])[0])
    'if not found:\n    pass'
    """
    tree = ast.parse(text)
    for one in ast.walk(tree):
        ast.copy_location(one, place)
    body: list[ast.stmt] = _Filled(holes).visit(tree).body
    return body


def expression(text: str, place: ast.AST, **holes: Any) -> Any:
    """Return the tree of an expression, as :func:`statements` does."""
    (found,) = statements(text, place)
    assert isinstance(found, ast.Expr)
    return _Filled(holes).visit(found.value)


def new_names() -> Callable[[str], str]:
    """Return what makes names that no function of a user's has: ``_jst_stop_0``, ``_jst_body_1``."""
    numbers = count()
    return lambda stem: f"{TOOLS}_{stem}_{next(numbers)}"
