"""``if`` and ``while``: their Blocks become functions, which a tool calls, or runs to build a Block of a Program.

::

    if x.mean() > 0:          def _jst_true_fn_0():
        y = x + 1                 nonlocal y
    else:                         y = x + 1
        y = x - 1             def _jst_false_fn_1():
                                  nonlocal y
                                  y = x - 1
                              _jst.IfElse(x.mean() > 0, _jst_true_fn_0, _jst_false_fn_1, 'y')

The functions share the variables of the user's function, so their assignments change these; the names at the
end are the values to choose between, or to carry through the loop. A ``for`` stays. Read :mod:`exits` next.

In expressions ``and``, ``or``, ``not``, ``a if c else b``, calls and ``x.shape`` are rewritten; also ``assert``.
A part that Python evaluates only sometimes becomes a ``lambda``, so that it still is. ``a < b < c`` is left to Python,
which asks for the truth of ``a < b``: over Tensors it is refused by line, as in Paddle.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from minipaddle.paddle.jit.rewriting.exits import Block, Exits
from minipaddle.paddle.jit.rewriting.source import (
    TOOLS,
    bound,
    declared,
    expression,
    parameters,
    statements,
    stored,
    yields,
)

STAYS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""Expressions that a lambda would move out of the function."""


def tool(name: str, place: ast.AST, *args: ast.expr) -> Any:
    """Return ``_jst.name(*args)``."""
    call = expression(f"{TOOLS}.{name}()", place)
    call.args = list(args)
    return call


def later(value: ast.expr) -> Any:
    """Return ``lambda: value``."""
    return expression("lambda: VALUE", value, VALUE=value)


class Rewriting(ast.NodeTransformer):
    """Rewrites one function; each function inside it gets another Rewriting.

    Args:
        first: the name of the first parameter of the function around all, for ``super()``.
    """

    def __init__(self, node: ast.FunctionDef | ast.Lambda, new: Callable[[str], str], first: str) -> None:
        self.node, self.new, self.first = node, new, first
        self.waits = not isinstance(node, ast.Lambda) and yields(node.body)
        self.moved: dict[str, None] = {}
        """Variables that get values in generated functions."""

    def rewrite(self) -> None:
        """Rewrite the body in place; decorators, defaults and annotations are not rewritten."""
        node = self.node
        if isinstance(node, ast.Lambda):
            node.body = self.visit(node.body)
            return
        doc = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        body = node.body[len(doc) :] or [ast.Pass()]
        body = self._block(body if self.waits else Exits(self.new).function(body))
        outside = {*parameters(node), *declared(node.body, ast.Nonlocal)}
        held = [f"{one}: None" for one in self.moved if one not in outside]
        node.body = [*doc, *statements("\n".join(held), node), *body]

    def _block(self, body: Block) -> Block:
        module = ast.Module(body, [])
        self.generic_visit(module)
        return module.body

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Keep a class: its methods are rewritten when they are called."""
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Rewrite a function inside the function; for a generator only its expressions."""
        Rewriting(node, self.new, self.first).rewrite()
        return node

    # -- expressions ----------------------------------------------------------------------------------------------

    def _may_wait(self, node: ast.expr) -> bool:
        """Rewrite the parts of an expression; return whether they may become lambdas."""
        stays = any(isinstance(one, STAYS) for one in ast.walk(node))
        self.generic_visit(node)
        return not stays

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """``a and b`` becomes ``_jst.And(lambda: a, lambda: b)``."""
        return tool(type(node.op).__name__, node, *map(later, node.values)) if self._may_wait(node) else node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """``a if c else b`` becomes ``_jst.IfElse(c, lambda: a, lambda: b)``."""
        if not self._may_wait(node):
            return node
        return tool("IfElse", node, node.test, later(node.body), later(node.orelse))

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
        """``f(x)`` becomes ``_jst.Call(f)(x)``; ``super()`` gets its arguments, as it may move to another function."""
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

    # -- statements -----------------------------------------------------------------------------------------------

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Drop the annotation: a shared variable must not have one."""
        if node.value is None:
            return statements("pass", node)
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_If(self, node: ast.If) -> Any:
        """Turn the branches into functions."""
        # with a break, the test is an exit flag of a ``for``: a true Python value
        if self.waits or isinstance(node.body[0], ast.Break):
            return self.generic_visit(node)
        yes, no, names = self.new("true_fn"), self.new("false_fn"), _changed(node)
        made = self._function(yes, node.body, node)
        made += self._function(no, node.orelse or statements("pass", node), node)
        text = f"{TOOLS}.IfElse(TEST, {yes}, {no}{names})"
        return [*made, *statements(text, node.test, TEST=self.visit(node.test))]

    def visit_While(self, node: ast.While) -> Any:
        """Turn test and body into functions."""
        if self.waits:
            return self.generic_visit(node)
        test, body, names = self.new("test"), self.new("body"), _changed(node)
        made = self._function(test, statements("return TEST", node.test, TEST=node.test), node.test)
        made += self._function(body, node.body, node)
        return [*made, *statements(f"{TOOLS}.While({test}, {body}{names})", node.test)]

    def _function(self, called: str, body: Block, place: ast.AST) -> Block:
        """Return a Block as a function that shares the variables around it."""
        shared = bound(body)
        self.moved.update(dict.fromkeys(shared))
        names = f"    nonlocal {', '.join(shared)}\n" if shared else ""
        return statements(f"def {called}():\n{names}    BODY", place, BODY=self._block(body))


def _changed(node: ast.stmt) -> str:
    """Return the arguments with the names whose values a statement changes."""
    return "".join(f", {one!r}" for one in stored([node]))
