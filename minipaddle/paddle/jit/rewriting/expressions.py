"""Expressions: ``and``, ``or``, ``not``, ``a < b < c``, ``a if c else b``, calls, ``x.shape``, and ``assert``.

What Python computes only sometimes becomes a ``lambda``, so that it still does.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable

from minipaddle.paddle.jit.rewriting.build import at, is_tool, later, name, tool

STAYS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""What a lambda would take away from the function."""
_PLAIN = """
    abs all any callable dict dir format getattr hasattr hash id isinstance issubclass iter list locals next object repr
    set setattr slice sorted str tuple type vars
"""
PLAIN = frozenset(_PLAIN.split())
"""Builtins that are called as they are."""


class Expressions(ast.NodeTransformer):
    """Rewrites the expressions of a function, and of those in it.

    Args:
        known: whether a name, as it stands in the source, is a function that is called as it is.
        first: the name of the function's first parameter, for ``super()``.
    """

    def __init__(self, known: Callable[[ast.expr], bool], first: str) -> None:
        self.known, self.first = known, first

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Leave a class alone: its methods are rewritten when they are called."""
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Rewrite the body; decorators, defaults and annotations are evaluated as they are."""
        node.body = [self.visit(one) for one in node.body]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """``a and b`` becomes ``_jst.And(lambda: a, lambda: b)``."""
        if any(isinstance(one, STAYS) for one in ast.walk(node)):
            return self.generic_visit(node)
        self.generic_visit(node)
        return at(tool(type(node.op).__name__, *[later(one) for one in node.values]), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """``not a`` becomes ``_jst.Not(a)``."""
        self.generic_visit(node)
        return at(tool("Not", node.operand), node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """``a < b < c`` becomes ``_jst.Chain(a, ('<', lambda: b), ('<', lambda: c))``."""
        stays = len(node.ops) == 1 or any(isinstance(one, STAYS) for one in ast.walk(node))
        self.generic_visit(node)
        if stays:
            return node
        steps: list[ast.expr] = []
        for kind, value in zip(node.ops, node.comparators, strict=True):
            one = ast.Compare(name("a"), [kind], [name("b")])
            sign = ast.unparse(one)[2:-2]
            steps.append(ast.Tuple([ast.Constant(sign), later(value)], ast.Load()))
        return at(tool("Chain", node.left, *steps), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """``a if c else b`` becomes ``_jst.IfExp(c, lambda: a, lambda: b)``."""
        stays = any(isinstance(one, STAYS) for one in ast.walk(node))
        self.generic_visit(node)
        return node if stays else at(tool("IfExp", node.test, later(node.body), later(node.orelse)), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """``x.shape`` becomes ``_jst.Shape(x)``: its unknown sizes are read when the Program runs."""
        self.generic_visit(node)
        if node.attr == "shape" and isinstance(node.ctx, ast.Load):
            return at(tool("Shape", node.value), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``f(x)`` becomes ``_jst.Call(f)(x)``, unless it is known that there is nothing to rewrite in it."""
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and self.first:
            node.args = [name("__class__"), name(self.first)]
            return at(node, node)
        stays = is_tool(node.func) or self.known(node.func) or self._is_plain(node.func)
        self.generic_visit(node)
        if not stays:
            node.func = at(tool("Call", node.func), node.func)
        return node

    def _is_plain(self, function: ast.expr) -> bool:
        return isinstance(function, ast.Name) and function.id in PLAIN and hasattr(builtins, function.id)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """``assert a, m`` becomes ``_jst.Assert(a, lambda: m)``."""
        self.generic_visit(node)
        said = [] if node.msg is None else [later(node.msg)]
        return at(ast.Expr(tool("Assert", node.test, *said)), node)
