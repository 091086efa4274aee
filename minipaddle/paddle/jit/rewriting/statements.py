"""``if``, ``while`` and ``for``: their Blocks become functions, which a tool calls, or lets write a Block of a Program.

::

    if x.mean() > 0:          def _jst_true_fn_0():
        y = x + 1                 nonlocal y
    else:                         y = x + 1
        y = x - 1             def _jst_false_fn_1():
                                  nonlocal y
                                  y = x - 1
                              _jst.IfElse(x.mean() > 0, _jst_true_fn_0, _jst_false_fn_1, 'y')

The functions share the variables of the user's function, so what happens in them happens to these; the names at the
end say which values are to be chosen, or carried round the loop. Read :mod:`exits` next.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from minipaddle.paddle.jit.rewriting.exits import Block, Exits
from minipaddle.paddle.jit.rewriting.expressions import Expressions
from minipaddle.paddle.jit.rewriting.names import (
    begins_anew,
    bound,
    declared,
    mentioned,
    parameters,
    stored,
    yields,
)
from minipaddle.paddle.jit.rewriting.templates import TOOLS, expression, statements


class Statements(Expressions, ast.NodeTransformer):
    """Rewrites one function; functions in it get one each.

    Args:
        first: the name of the first parameter of the function around all.
    """

    def __init__(self, node: ast.FunctionDef, new: Callable[[str], str], first: str) -> None:
        super().__init__(first)
        self.node, self.new = node, new
        self.exits = Exits(new)
        self.globals = declared(node.body, ast.Global)
        self.outside = {*parameters(node), *self.globals, *declared(node.body, ast.Nonlocal)}
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
        names = self._handed_over(node, [node.test, *node.body], returns=False)
        test, body = self.new("test"), self.new("body")
        made = self._function(test, statements("return TEST", node.test, TEST=node.test), node.test)
        made += self._function(body, node.body, node)
        return [*made, *statements(f"{TOOLS}.While({test}, {body}{names})", node.test)]

    def visit_For(self, node: ast.For) -> Block:
        """Turn the body into a function of the item."""
        names = self._handed_over(node, [node.target, *node.body])
        body, item = self.new("body"), self.new("item")
        flags = self.exits.stops.get(node)
        stop = self.visit(expression(" or ".join(flags), node)) if flags else None
        own = statements(f"TARGET = {item}", node.target, TARGET=node.target)
        made = self._function(body, [*own, *node.body], node, item)
        text = f"{TOOLS}.For(ITEMS, {body}{names}" + (", stop=lambda: STOP)" if flags else ")")
        return [*made, *statements(text, node.iter, ITEMS=self.visit(node.iter), STOP=stop)]

    def _function(self, called: str, body: Block, place: ast.AST, takes: str = "") -> Block:
        """Return a Block as a function that shares the variables around it."""
        names = bound(body)
        known = [one for one in names if one in self.globals]
        shared = [one for one in names if one not in self.globals]
        self.moved.update(dict.fromkeys(shared))
        text = f"def {called}({takes}):\n"
        text += f"    nonlocal {', '.join(shared)}\n" if shared else ""
        text += f"    global {', '.join(known)}\n" if known else ""
        return statements(f"{text}    BODY", place, BODY=self._block(body))

    def _handed_over(self, node: ast.stmt, parts: Iterable[ast.AST], returns: bool = True) -> str:
        """Return the arguments that name what a statement changes, but for what has a meaning in it only.

        A name that is no variable of the user's, but what the function returns, is said to be that.
        """
        here = mentioned([node])
        own = {one for one in bound([node]) if one not in self.outside and self.everywhere[one] <= here[one]}
        names = [one for one in stored(parts) if one not in own or not _begins_in(node, one)]
        result = self.exits.result
        found = "".join(f", {one!r}" for one in names)
        return found + (f", returned={result!r}" if returns and result in names else "")


def _begins_in(node: Any, name: str) -> bool:
    """Whether a statement gives a name its value anew whenever it runs, and no turn of a loop reads the last one's."""
    if isinstance(node, ast.For):
        return begins_anew([node], name) or begins_anew([ast.Expr(node.iter), *node.body], name)
    anew = begins_anew(node.body, name) and begins_anew(node.orelse, name)
    return anew and name not in mentioned([node.test])
