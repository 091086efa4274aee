"""``if``, ``while`` and ``for``: their Blocks become functions, which a tool calls, or lets write a Block of a Program.

::

    if x.mean() > 0:          def true_fn_0():
        y = x + 1                 nonlocal y
    else:                         y = x + 1
        y = x - 1             def false_fn_0():
                                  nonlocal y
                                  y = x - 1
                              _jst.IfElse(x.mean() > 0, true_fn_0, false_fn_0, 'y')

The functions share the variables of the user's function, so what happens in them happens to these; the names at the
end say which values are to be chosen, or carried round the loop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from minipaddle.paddle.jit.rewriting.build import at, either, function, later, name, tool
from minipaddle.paddle.jit.rewriting.exits import Block, Exits
from minipaddle.paddle.jit.rewriting.names import (
    begins_anew,
    bound,
    declared,
    mentioned,
    mentions,
    parameters,
    stored,
    yields,
)


class Statements(ast.NodeTransformer):
    """Rewrites the statements of one function; functions in it get one each.

    Args:
        node: the function.
        new: makes names of its own.
    """

    def __init__(self, node: ast.FunctionDef, new: Callable[[str], str]) -> None:
        self.node, self.new = node, new
        self.exits = Exits(new)
        self.outside = {kind: declared(node.body, kind) for kind in (ast.Global, ast.Nonlocal)}
        self.moved: dict[str, None] = {}
        """Variables of the function that get values in functions that were made."""

    def rewrite(self) -> None:
        """Rewrite the function in place."""
        if yields(self.node.body):
            return
        doc = self.node.body[:1] if ast.get_docstring(self.node, clean=False) is not None else []
        self.node.body = self.exits.function(self.node.body[len(doc) :] or [ast.Pass()])
        body = self._block(self.node.body)
        held = [one for one in self.moved if one not in parameters(self.node)]
        declarations = [
            at(ast.AnnAssign(ast.Name(one, ast.Store()), ast.Constant(None), None, 1), self.node)
            for one in held
        ]
        self.node.body = [*doc, *declarations, *body]

    def _block(self, body: Block) -> Block:
        found: Block = []
        for one in body:
            seen = self.visit(one)
            found += seen if isinstance(seen, list) else [seen]
        return found

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Rewrite a function in the function."""
        Statements(node, self.new).rewrite()
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Drop the annotation: a shared variable may have none."""
        if node.value is None:
            return at(ast.Pass(), node)
        return at(ast.Assign([node.target], node.value), node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Leave a class alone."""
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Leave a lambda alone: it has no statements."""
        return node

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        """Turn the branches into functions."""
        names = self._handed_over(node, [node.test, *node.body, *node.orelse])
        yes, no = self.new("true_fn"), self.new("false_fn")
        otherwise = node.orelse or [at(ast.Pass(), node)]
        made = [self._function(yes, node.body, node), self._function(no, otherwise, node)]
        call = tool("IfElse", node.test, name(yes), name(no), *names, **self._returned(names))
        return [*made, at(ast.Expr(call), node.test)]

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        """Turn test and body into functions."""
        names = self._handed_over(node, [node.test, *node.body])
        body = self.new("body")
        made = [self._function(body, node.body, node)]
        test: ast.expr = later(node.test)
        if any(isinstance(one, ast.NamedExpr) for one in ast.walk(node.test)):
            keeps = self.new("test")
            made.append(self._function(keeps, [at(ast.Return(node.test), node.test)], node.test))
            test = name(keeps)
        call = tool("While", test, name(body), *names)
        return [*made, at(ast.Expr(call), node.test)]

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        """Turn the body into a function of the item."""
        names = self._handed_over(node, [node.target, *node.body])
        body, item = self.new("body"), self.new("item")
        flags = self.exits.stops.get(node)
        node.body.insert(0, at(ast.Assign([node.target], name(item)), node.target))
        made = self._function(body, node.body, node, item)
        options = {"stop": later(either(flags))} if flags else {}
        call = tool("For", node.iter, name(body), *names, **options, **self._returned(names))
        return [made, at(ast.Expr(call), node.iter)]

    def _function(self, called: str, body: Block, place: ast.AST, *takes: str) -> ast.stmt:
        """Return a Block as a function that shares the variables around it."""
        names = bound(body)
        known = [one for one in names if one in self.outside[ast.Global]]
        shared = [one for one in names if one not in self.outside[ast.Global]]
        self.moved.update(dict.fromkeys(one for one in shared if one not in self.outside[ast.Nonlocal]))
        head: Block = [ast.Nonlocal(shared)] if shared else []
        head += [ast.Global(known)] if known else []
        return at(function(called, takes, [at(one, place) for one in head] + self._block(body)), place)

    def _returned(self, names: list[ast.Constant]) -> dict[str, ast.expr]:
        """Say which of the names is no variable of the user's, but what the function returns."""
        there = self.exits.result in [one.value for one in names]
        return {"returned": ast.Constant(self.exits.result)} if there else {}

    def _handed_over(
        self, node: ast.If | ast.While | ast.For, parts: Iterable[ast.AST]
    ) -> list[ast.Constant]:
        """Return the names of what the statement changes, without those that nobody looks at behind it."""
        own = self._named_here_only(node)
        return [
            ast.Constant(one) for one in stored(parts) if one not in own or not self._stays_inside(node, one)
        ]

    def _named_here_only(self, node: ast.If | ast.While | ast.For) -> set[str]:
        """Return the names that get a value here, and that nothing outside of the statement mentions."""
        outside = {*parameters(self.node), *self.outside[ast.Global], *self.outside[ast.Nonlocal]}
        everywhere, here = mentioned(self.node.body), mentioned([node])
        return {one for one in bound([node]) if one not in outside and everywhere[one] <= here[one]}

    def _stays_inside(self, node: ast.If | ast.While | ast.For, one: str) -> bool:
        if isinstance(node, ast.For):
            return begins_anew([node], one) or begins_anew([at(ast.Expr(node.iter), node), *node.body], one)
        anew = begins_anew(node.body, one) and begins_anew(node.orelse, one)
        return anew and not mentions([node.test], one)
