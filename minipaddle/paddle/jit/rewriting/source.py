"""Syntax trees from text with placeholders, which the passes fill in; and the names that code assigns."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

TOOLS = "_jst"
"""The name of :mod:`minipaddle.paddle.jit.dy2static` in rewritten source, as in Paddle."""


class _Filled(ast.NodeTransformer):
    """Replaces placeholder names by their trees: an expression, or the statements of a Block."""

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
    r"""Return the tree of a text, with its placeholders filled, at the position of `place` in the user's file.

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
    found: Any = statements(text, place, **holes)[0]
    return found.value


def new_names() -> Callable[[str], str]:
    """Return a generator of names that no user function has: ``_jst_stop_0``, ``_jst_body_1``."""
    numbers = count()
    return lambda stem: f"{TOOLS}_{stem}_{next(numbers)}"


# -- names ------------------------------------------------------------------------------------------------------------

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
"""Nodes with their own scope."""
_CHANGING = "append appendleft clear extend insert pop popitem remove reverse setdefault sort update"
CHANGING = frozenset(_CHANGING.split())
"""Methods that change the list or dict that they are called on."""


def inside(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Return the nodes and all nodes inside, but not inside another scope."""
    for node in nodes:
        yield node
        if not isinstance(node, SCOPES):
            yield from inside(ast.iter_child_nodes(node))


def bound(nodes: Iterable[ast.AST]) -> list[str]:
    """Return the names that are assigned.

    >>> bound(ast.parse("a = b = 1; self.h += a; d[0] = 2; rows.append(a)").body)
    ['a', 'b']
    """
    return list(dict.fromkeys(one for node in inside(nodes) for one in _bound_by(node)))


def stored(nodes: Iterable[ast.AST]) -> list[str]:
    """Return assigned names, and other changed objects: attributes, lists, dicts; in order.

    >>> stored(ast.parse("a = b = 1; self.h += a; d[0] = 2; rows.append(a)").body)
    ['a', 'b', 'self.h', 'd', 'rows']
    """
    found = [one for node in inside(nodes) for one in (*_bound_by(node), *_changed_by(node))]
    return list(dict.fromkeys(found))


def _bound_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.alias(name=name, asname=other):
            yield (other or name).partition(".")[0]
        case _ if given := str(getattr(node, "name", None) or ""):
            yield given  # a function, a class, an exception, a pattern


def _changed_by(node: ast.AST) -> Iterator[str]:
    changed: ast.expr | None = None
    match node:
        case ast.Attribute(ctx=ast.Store()):
            changed = node
        case ast.Subscript(ctx=ast.Store() | ast.Del(), value=value):
            changed = value
        case ast.Call(func=ast.Attribute(attr=method, value=value)) if method in CHANGING:
            changed = value
    root = changed
    while isinstance(root, ast.Attribute):
        root = root.value
    if changed and isinstance(root, ast.Name):
        yield ast.unparse(changed)


def declared(body: Iterable[ast.AST], kind: type[ast.Global] | type[ast.Nonlocal]) -> set[str]:
    """Return the names that a function declares ``global``, or ``nonlocal``."""
    return {name for node in inside(body) if isinstance(node, kind) for name in node.names}


def parameters(node: Function) -> list[str]:
    """Return the names of a function's parameters."""
    return [one.arg for one in ast.iter_child_nodes(node.args) if isinstance(one, ast.arg)]


def yields(body: Iterable[ast.AST]) -> bool:
    """Whether a function with this body is a generator, or awaits."""
    waiting = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
    return any(isinstance(one, waiting) for one in inside(body))
