"""``if`` and ``while``: their Blocks become functions, which a tool calls, or lets write a Block of a Program.

::

    if x.mean() > 0:          def _jst_true_fn_0():
        y = x + 1                 nonlocal y
    else:                         y = x + 1
        y = x - 1             def _jst_false_fn_1():
                                  nonlocal y
                                  y = x - 1
                              _jst.IfElse(x.mean() > 0, _jst_true_fn_0, _jst_false_fn_1, 'y')

The functions share the variables of the user's function, so what happens in them happens to these; the names at the
end say which values are to be chosen, or carried round the loop. A ``for`` stays as it is. Read :mod:`exits` next.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from minipaddle.paddle.jit.rewriting.exits import Block, Exits
from minipaddle.paddle.jit.rewriting.expressions import Expressions
from minipaddle.paddle.jit.rewriting.source import (
    TOOLS,
    begins_anew,
    bound,
    declared,
    mentioned,
    parameters,
    statements,
    stored,
    yields,
)


class Statements(Expressions, ast.NodeTransformer):
    """Rewrites one function; functions in it get one each.

    Args:
        first: the name of the first parameter of the function around all.
    """

    def __init__(self, node: ast.FunctionDef, new: Callable[[str], str], first: str) -> None:
        super().__init__(first)
        self.node, self.new = node, new
        self.exits = Exits(new)
        self.outside = {*parameters(node), *declared(node.body, ast.Nonlocal)}
        """Names that mean something outside of the function's body."""
        self.moved: dict[str, None] = {}
        """Variables that get values in functions that were made."""

    def rewrite(self) -> None:
        """Rewrite the function in place."""
        node = self.node
        doc = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        body = self.exits.function(node.body[len(doc) :] or [ast.Pass()])
        self.everywhere = mentioned(body)
        body = self._block(body)
        held = [f"{one}: None" for one in self.moved if one not in self.outside]
        node.body = [*doc, *statements("\n".join(held), node), *body]

    def _block(self, body: Block) -> Block:
        seen = [self.visit(one) for one in body]
        return [one for made in seen for one in (made if isinstance(made, list) else [made])]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Rewrite a function in the function; of a generator the expressions."""
        if yields(node.body):
            return Expressions(self.first).visit_FunctionDef(node)
        Statements(node, self.new, self.first).rewrite()
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Drop the annotation: a shared variable may have none."""
        if node.value is None:
            return statements("pass", node)
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_If(self, node: ast.If) -> Block:
        """Turn the branches into functions."""
        names = self._handed_over(node, [node.test, *node.body, *node.orelse])
        yes, no = self.new("true_fn"), self.new("false_fn")
        made = self._function(yes, node.body, node)
        made += self._function(no, node.orelse or statements("pass", node), node)
        text = f"{TOOLS}.IfElse(TEST, {yes}, {no}{names})"
        return [*made, *statements(text, node.test, TEST=self.visit(node.test))]

    def visit_While(self, node: ast.While) -> Block:
        """Turn test and body into functions."""
        names = self._handed_over(node, [node.test, *node.body])
        test, body = self.new("test"), self.new("body")
        made = self._function(test, statements("return TEST", node.test, TEST=node.test), node.test)
        made += self._function(body, node.body, node)
        return [*made, *statements(f"{TOOLS}.While({test}, {body}{names})", node.test)]

    def visit_For(self, node: ast.For) -> Block:
        """Let Python leave a loop as soon as it can tell that it is left."""
        node.iter, node.body = self.visit(node.iter), self._block(node.body)
        stops = " or ".join(f"{flag} is True" for flag in self.exits.stops.get(node, ()))
        node.body += statements(f"if {stops}:\n    break", node) if stops else []
        return [node]

    def _function(self, called: str, body: Block, place: ast.AST) -> Block:
        """Return a Block as a function that shares the variables around it."""
        shared = bound(body)
        self.moved.update(dict.fromkeys(shared))
        names = f"    nonlocal {', '.join(shared)}\n" if shared else ""
        return statements(f"def {called}():\n{names}    BODY", place, BODY=self._block(body))

    def _handed_over(self, node: ast.If | ast.While, parts: Iterable[ast.AST]) -> str:
        """Return the arguments that name what a statement changes, but for what has a meaning in it only."""
        here = mentioned([node])
        own = {one for one in bound([node]) if one not in self.outside and self.everywhere[one] <= here[one]}
        names = [one for one in stored(parts) if one not in own or not _begins_in(node, one)]
        return "".join(f", {one!r}" for one in names)


def _begins_in(node: ast.If | ast.While, name: str) -> bool:
    """Whether a statement gives a name its value anew whenever it runs, and no turn of a loop reads the last one's."""
    anew = begins_anew(node.body, name) and begins_anew(node.orelse, name)
    return anew and name not in mentioned([node.test])
