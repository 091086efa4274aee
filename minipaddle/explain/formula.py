"""The formula of a rule: the words written for it, or else its own source. Nobody can write it wrong unnoticed.

Words that are more than one are tried: the rule and the words are run on the same numbers, and the first that agree
are shown.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from minipaddle.core.eager import EAGER, within
from minipaddle.core.rule import Rule

# -- the source of a function as a formula ------------------------------------------------------------------------


@lru_cache(maxsize=512)
def formula(function: Callable[..., Any]) -> str:
    """Return the statements of `function` without its docstring, the last one as an expression if it returns one."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = next(node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda)))
    if isinstance(definition, ast.Lambda):
        return ast.unparse(definition.body)
    body = definition.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    lines = [line for statement in body for line in ast.unparse(statement).splitlines()]
    if lines and lines[-1].startswith("return "):
        lines[-1] = lines[-1].removeprefix("return ")
    return "\n".join(lines)


class _Renamer(ast.NodeTransformer):
    """Calls the names of a formula otherwise, except those that it assigns itself."""

    def __init__(self, names: Mapping[str, str], tree: ast.AST) -> None:
        own = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.names = {name: text for name, text in names.items() if name not in own}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def renamed(text: str, names: Mapping[str, str]) -> list[str]:
    """Return the lines of a formula with its variables called by other `names` (or replaced by numbers)."""
    tree = _parsed(text)
    if tree is None:
        return text.splitlines()
    text = ast.unparse(_Folder().visit(_Renamer(names, tree).visit(tree)))
    return re.sub(r"\+ -(?=[\d(])", "- ", text).splitlines()  # x + -1 is x - 1


class _Folder(ast.NodeTransformer):
    """Works out what is known: ``prod([3, 1])`` is written ``3``."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Write a switch as the number that it stands for: ``size - True`` is ``size - 1``."""
        self.generic_visit(node)
        for side in ("left", "right"):
            operand = getattr(node, side)
            if isinstance(operand, ast.Name) and operand.id in ("True", "False"):
                setattr(node, side, ast.Name(str(int(operand.id == "True"))))
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if (
            not isinstance(node.func, ast.Name)
            or node.func.id not in ("argsort", "prod", "len")
            or node.keywords
        ):
            return node
        try:
            given = [ast.literal_eval(ast.unparse(argument)) for argument in node.args]
        except ValueError:
            return node
        found = len(*given) if node.func.id == "len" else getattr(np, node.func.id)(*given).tolist()
        return ast.Name(str(found))


def _parsed(text: str) -> ast.Module | None:
    """Parse a formula; None if it has a `return` in the middle, which only a function may."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    return tree


# -- formulas as programs -----------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def words() -> dict[str, Any]:
    """Return what the words of a formula mean: NumPy's functions, and four of ours."""
    from minipaddle.ops.activation.sigmoids import sigmoid, softplus
    from minipaddle.ops.math.exponential import erf
    from minipaddle.ops.reduction.sum import unbroadcast

    ours = {"erf": erf, "sigmoid": sigmoid, "softplus": softplus, "unbroadcast": unbroadcast}
    return {**vars(np), "len": len, "range": range, "tuple": tuple, **ours}


def run_text(text: str, arguments: Mapping[str, Any], space: Mapping[str, Any] | None = None) -> Any:
    """Run a formula over arrays and return what its last expression gives; whatever goes wrong is raised."""
    tree = ast.parse(text)
    last = tree.body.pop()
    if not isinstance(last, ast.Expr):
        raise TypeError(f"no expression: {ast.unparse(last)}")
    scope = {**(words() if space is None else space), **arguments}
    with within(EAGER.reading()), np.errstate(all="ignore"):
        exec(compile(tree, "<formula>", "exec"), scope)
        return eval(compile(ast.Expression(last.value), "<formula>", "eval"), scope)


def run_rule(rule: Rule, arguments: Mapping[str, Any]) -> Any:
    """Run the rule itself over arrays."""
    with within(EAGER.reading()):
        return rule.function(*(arguments[name] for name in rule.parameters))


def fitting(rule: Rule, arguments: Mapping[str, Any], gradients: int = 1) -> str:
    """Return the words that agree with `rule` on a call like this one; its source if none do.

    The first `gradients` of the arguments are the gradients that come in.
    """
    if len(rule.formulas) == 1:
        return rule.formulas[0]
    coming = rule.parameters[:gradients]
    near = {name: _stand_in(value) if name in coming else value for name, value in arguments.items()}
    fits = [text for text in rule.formulas if _agrees_with(rule, text, near)]
    if len(fits) > 1:  # a symmetric matrix is its own transpose: try other numbers, too
        other = {name: _stand_in(value) for name, value in arguments.items()}
        fits = [text for text in fits if _agrees_with(rule, text, other)] or fits
    return fits[0] if fits else formula(rule.function)


def _agrees_with(rule: Rule, text: str, arguments: Mapping[str, Any]) -> bool:
    """Say whether a formula gives what the rule gives; if it was made for other shapes or attributes, it does not."""
    try:
        return agree(run_text(text, arguments), run_rule(rule, arguments))
    except Exception:
        return False


def agree(one: Any, other: Any) -> bool:
    """Say whether two results, or two lists of results, are the same numbers in the same shape."""
    if isinstance(one, (list, tuple)) or isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(agree, one, other))
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-4, atol=1e-6, equal_nan=True)


def _stand_in(value: Any) -> Any:
    """Return other numbers of the same shape; zeros, which say that there is no gradient, stay."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f" or not value.any():
        return value
    return np.asarray(np.random.default_rng(value.size).uniform(0.2, 0.9, value.shape), value.dtype)


def last_expression(text: str) -> ast.expr | None:
    """Return a formula of one line as an expression; None if it has more lines."""
    tree = _parsed(text)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    return tree.body[0].value
