"""Expressions: ``and``, ``or``, ``not``, ``a < b < c``, ``a if c else b``, calls, ``x.shape``, and ``assert``.

What Python computes only sometimes becomes a ``lambda``, so that it still does.
"""

from __future__ import annotations

import ast
from typing import Any

from minipaddle.paddle.jit.rewriting.source import TOOLS, expression

STAYS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""What a lambda would take away from the function."""


def tool(name: str, place: ast.AST, *args: ast.expr) -> Any:
    """Return ``_jst.name(*args)``."""
    call = expression(f"{TOOLS}.{name}()", place)
    call.args = list(args)
    return call


def later(value: ast.expr) -> ast.expr:
    """Return ``lambda: value``."""
    made: ast.expr = expression("lambda: VALUE", value, VALUE=value)
    return made


def _pairs(node: ast.Compare) -> Any:
    """Return a chain of comparisons as pairs of them; each value is computed once, and only if it is needed."""
    if len(node.ops) == 1:
        return node
    left, middle = (ast.copy_location(ast.Name(name, ast.Load()), node) for name in ("_jst_l", "_jst_m"))
    first = ast.Compare(left, node.ops[:1], [middle])
    rest = ast.Compare(middle, node.ops[1:], node.comparators[1:])
    text = f"(lambda _jst_l, _jst_m: {TOOLS}.And(lambda: FIRST, lambda: REST))(LEFT, MIDDLE)"
    holes = {"FIRST": ast.copy_location(first, node), "REST": _pairs(ast.copy_location(rest, node))}
    return expression(text, node, LEFT=node.left, MIDDLE=node.comparators[0], **holes)


class Expressions(ast.NodeTransformer):
    """Rewrites the expressions of a function, and of those in it.

    Args:
        first: the name of the function's first parameter, for ``super()``.
    """

    def __init__(self, first: str) -> None:
        self.first = first

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Leave a class alone: its methods are rewritten when they are called."""
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Rewrite the body; decorators, defaults and annotations are evaluated as they are."""
        node.body = [self.visit(one) for one in node.body]
        return node

    def _may_wait(self, node: ast.expr) -> bool:
        """Rewrite what is in an expression; return whether its parts may become lambdas."""
        stays = any(isinstance(one, STAYS) for one in ast.walk(node))
        self.generic_visit(node)
        return not stays

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """``a and b`` becomes ``_jst.And(lambda: a, lambda: b)``."""
        return tool(type(node.op).__name__, node, *map(later, node.values)) if self._may_wait(node) else node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """``a if c else b`` becomes ``_jst.IfExp(c, lambda: a, lambda: b)``."""
        if not self._may_wait(node):
            return node
        return tool("IfExp", node, node.test, later(node.body), later(node.orelse))

    def visit_Compare(self, node: ast.Compare) -> Any:
        """``a < b < c`` becomes ``(lambda l, m: _jst.And(lambda: l < m, lambda: m < c))(a, b)``."""
        return _pairs(node) if self._may_wait(node) else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """``not a`` becomes ``_jst.Not(a)``."""
        self.generic_visit(node)
        return tool("Not", node, node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """``x.shape`` becomes ``_jst.Shape(x)``: its unknown sizes are read when the Program runs."""
        self.generic_visit(node)
        shape = node.attr == "shape" and isinstance(node.ctx, ast.Load)
        return tool("Shape", node, node.value) if shape else node

    def visit_Call(self, node: ast.Call) -> Any:
        """``f(x)`` becomes ``_jst.Call(f)(x)``; ``super()`` is told its arguments, wherever it comes to stand."""
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and self.first:
            return expression(f"super(__class__, {self.first})", node)
        self.generic_visit(node)
        node.func = tool("Call", node.func, node.func)
        return node

    def visit_Assert(self, node: ast.Assert) -> Any:
        """``assert a, m`` becomes ``_jst.Assert(a, lambda: m)``."""
        self.generic_visit(node)
        said = [later(node.msg)] if node.msg else []
        return ast.copy_location(ast.Expr(tool("Assert", node, node.test, *said)), node)
