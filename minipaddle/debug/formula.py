"""The formula of a rule, read off its own source: nobody writes it twice, so it cannot be wrong."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

__all__ = ["formula", "parameters"]


@lru_cache(maxsize=512)
def _body(function: Callable[..., Any]) -> tuple[ast.stmt, ...]:
    """Return the statements of a function without its docstring."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = next(node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda)))
    if isinstance(definition, ast.Lambda):
        return (ast.Return(definition.body),)
    body = definition.body
    documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return tuple(body[1:] if documented else body)


def parameters(function: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters."""
    return list(inspect.signature(function).parameters)


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def formula(function: Callable[..., Any], names: Mapping[str, str]) -> list[str]:
    """Return the lines of what `function` returns, with its variables called by other `names`."""
    lines = []
    for statement in _body(function):
        renamed = _Renamed(names).visit(ast.parse(ast.unparse(statement)))
        lines += ast.unparse(renamed).splitlines()
    if lines and lines[-1].startswith("return "):
        lines[-1] = lines[-1].removeprefix("return ")
    return lines
