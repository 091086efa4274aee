"""Formulas of rules and kernels: evaluated on symbols, checked against what was recorded, and laid out in lines.

What no formula says is shown by its own source, in the user's names. Lines and sentences together answer why.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.explain.live_answers import leaf_of, line_of, rule_of
from minipaddle.tools.explain.symbols.element import largest, near_of, numbers
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.text import lines
from minipaddle.tools.explain.symbols.tree import Const, Tree
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


@dataclass
class Why:
    """Why an event gave what it gave."""

    rule: list[str] = field(default_factory=list)
    """The formula, in the user's names."""
    numbers: list[str] = field(default_factory=list)
    """The formula with numbers put in, for one element where there are many."""
    says: list[str] = field(default_factory=list)
    """Plain sentences."""
    formulas: dict[int, str] = field(default_factory=dict)
    """The line of `rule` that says how a value was made, by its id."""

    def say(self, sentence: str, **parts: object) -> Why:
        """Add a sentence in the reader's language, and return the answer."""
        self.says.append(say(sentence, **parts))
        return self


def names_of(values: Iterable[Value]) -> str:
    """Return the names of values, each once: ``x, w``."""
    return ", ".join(dict.fromkeys(value.name for value in values))


class Known(NamedTuple):
    """What a parameter stands for: what to call it, what it is over symbols, and whether its numbers were kept."""

    name: str
    value: Any
    kept: bool = True


def known_value(value: Value, name: str = "") -> Known:
    """Return a recorded value as a symbol; numbers that were not kept are replaced by others, to read the formula."""
    called, array = name or value.name, (_stand_in(value) if value.array is None else value.array)
    return Known(called, Symbol(leaf_of(value, called, array)), value.array is not None)


def known_zeros(shape: tuple[int, ...], dtype: Any) -> Known:
    """Return a gradient that did not come in."""
    return Known("0", Symbol(Const(0.0, shape, np.dtype(dtype))))


def known_list(items: list[Known]) -> Known:
    """Return the values of a list slot."""
    names = ", ".join([item.name for item in items])
    return Known(f"[{names}]", [item.value for item in items], all(item.kept for item in items))


def _stand_in(value: Value) -> Array:
    dtype = np.dtype(value.dtype)
    if dtype.kind != "f":
        return np.zeros(value.shape, dtype)
    return np.asarray(np.random.default_rng(value.id).uniform(0.2, 0.9, value.shape), dtype)


class Explained(NamedTuple):
    """A formula in lines, and the line of one element."""

    rule: list[str]
    numbers: list[str]


def explained(
    value: Value,
    tree: Tree,
    names: Mapping[Tree, str],
    *,
    name: str = "",
    said: Mapping[Tree, str] | None = None,
) -> Explained:
    """Return the formula of `value`, and its largest element with numbers; what was `said` before goes by its name.

    As in ``W@GRAD[0, 1] = 0.2 * 0.5 + 0.6 * 0.1 = 0.16``.
    """
    found = lines(tree, names, said)
    *lets, last = found.written
    called = name or value.name
    return Explained(
        rule_of([*lets, f"{called} = {last}"], tree, value), numbers_for(called, tree, value, found.names)
    )


def numbers_for(name: str, tree: Tree, made: Value, named: Container[Tree] = ()) -> list[str]:
    """Return the line for one element; none where a number is all there is to say, or where none were kept."""
    result = made.array
    if result is None or not result.size:
        return []
    if (line := line_of(name, tree, made, named)) is not None:
        return line
    spot = largest(result)
    written = numbers(tree, spot, result[spot], named, near_of(result.dtype))
    here = f"[{', '.join(map(str, spot))}]" if result.size > 1 else ""
    value = number(float(result[spot])) if result.dtype.kind == "f" else str(result[spot])
    return [f"{name}{here} = {written} = {value}"] if written else []


def parameters(function: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters."""
    return list(inspect.signature(function).parameters)


@lru_cache(maxsize=512)
def source(function: Callable[..., Any]) -> str:
    """Return the statements of `function` without its docstring, the last one as an expression if it returns one."""
    code = inspect.unwrap(function).__code__
    if code.co_name == "<lambda>":
        return ast.unparse(_lambdas(code.co_filename)[code.co_firstlineno].body)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    body = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)).body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    found = [line for statement in body for line in ast.unparse(statement).splitlines()]
    if found and found[-1].startswith("return "):
        found[-1] = found[-1].removeprefix("return ")
    return "\n".join(found)


@lru_cache(maxsize=64)
def _lambdas(file: str) -> dict[int, ast.Lambda]:
    """Return the lambdas of a file by the lines that they begin on; of several on one line the first."""
    tree = ast.parse("".join(linecache.getlines(file)))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    return {node.lineno: node for node in sorted(found, key=lambda node: -node.col_offset)}


class _Renamer(ast.NodeTransformer):
    """Calls the names of a formula otherwise, except those that it assigns itself."""

    def __init__(self, names: Mapping[str, str], tree: ast.AST) -> None:
        own = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.names = {name: text for name, text in names.items() if name not in own}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def renamed(text: str, names: Mapping[str, str]) -> list[str]:
    """Return the lines of a source with its variables called by other `names` (or replaced by numbers)."""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a `return` in the middle, which only a function may have
        return text.splitlines()
    return ast.unparse(_Renamer(names, tree).visit(tree)).splitlines()
