"""Formulas of rules and kernels: evaluated on symbols, checked against what was recorded, and laid out in lines.

A rule without a formula is shown as source, in the user's names. Lines and sentences together answer why.

Answers may follow numbers: each part that a changed number affects is a field of the text, which a page refills. An
answer is written once. Ordinarily the recorded numbers decide what it says; with a :data:`FOLLOWER`,
the same code decides over symbols, and a part that depends on changeable numbers becomes a field
(:mod:`minipaddle.tools.words.fields`) with the number of the instruction that computes it:

- ``when``: the line is shown if the condition holds; ``count``: a number in a sentence;
- ``put``: a formula with the numbers of its largest element (the formula, its value, parts with their own line);
- ``holds``: the line is true if a formula gives its value; else it is about the recorded numbers only;
- ``recorded``: the line is about the recorded numbers only;
- ``share``, ``left`` and ``cancels``: of terms and their sum, in the numbers of values.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.example import formula_of
from minipaddle.ops.definition.lesson import Claim
from minipaddle.tools.explain.symbols.element import largest, near_of, numbers
from minipaddle.tools.explain.symbols.mode import Call, Read, read
from minipaddle.tools.explain.symbols.page_program.instructions import Formulas
from minipaddle.tools.explain.symbols.symbol import Symbol, tree_of
from minipaddle.tools.explain.symbols.text import lines
from minipaddle.tools.explain.symbols.tree import Leaf, Tree, Undecided, undecided
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.fields import field as text_field
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


@dataclass
class Why:
    """An explanation of an event: formulas, numbers and sentences."""

    rule: list[str] = field(default_factory=list)
    """The formula, in the user's names."""
    numbers: list[str] = field(default_factory=list)
    """The formula with numbers; for one element if the value has many."""
    says: list[str] = field(default_factory=list)
    """Plain sentences."""
    formulas: dict[int, str] = field(default_factory=dict)
    """The line of `rule` with the formula of a value, by its id."""
    paths: list[Any] = field(default_factory=list)
    """The paths whose sum a gradient is (:mod:`minipaddle.tools.explain.paths`), if these were asked for."""

    def add(self, other: Why, numbers: bool = True) -> None:
        """Add another answer, its numbers too unless they were not kept."""
        self.rule += other.rule
        self.numbers += other.numbers if numbers else []
        self.formulas |= other.formulas

    def say(self, sentence: str, **parts: object) -> Why:
        """Return this answer, with a sentence added in the reader's language."""
        self.says.append(say(sentence, **parts))
        return self


def names_of(values: Iterable[Value]) -> str:
    """Return the names of values, each once: ``x, w``."""
    return ", ".join(dict.fromkeys(value.name for value in values))


class Known(NamedTuple):
    """The argument of a parameter: its name, its symbol, and whether its numbers were kept."""

    name: str
    value: Any
    kept: bool = True


def known_value(value: Value, name: str = "") -> Known:
    """Return a recorded value as a symbol; stand-ins replace lost numbers, so that the formula can be read."""
    called, array = name or value.name, (stand_in(value) if value.array is None else value.array)
    return Known(called, Symbol(leaf_of(value, called, array)), value.array is not None)


def known_list(items: list[Known]) -> Known:
    """Return the values of a list slot."""
    names = ", ".join([item.name for item in items])
    return Known(f"[{names}]", [item.value for item in items], all(item.kept for item in items))


def stand_in(value: Value) -> Array:
    """Return numbers in place of a value's own: of no rule's borders, the same in every run."""
    dtype = np.dtype(value.dtype)
    if dtype.kind != "f":
        return np.zeros(value.shape, dtype)
    return np.asarray(np.random.default_rng(value.id).uniform(0.2, 0.9, value.shape), dtype)


def explained(
    value: Value,
    tree: Tree,
    names: Mapping[Tree, str],
    *,
    name: str = "",
    said: Mapping[Tree, str] | None = None,
) -> Why:
    """Return the formula of `value`, and its largest element with numbers; parts in `said` appear by name.

    As in ``W@GRAD[0, 1] = 0.2 * 0.5 + 0.6 * 0.1 = 0.16``.
    """
    (*lets, last), named = lines(tree, names, said)
    called = name or value.name
    rule = rule_of([*lets, f"{called} = {last}"], tree, value)
    return Why(rule, numbers_for(called, tree, value, named), formulas={value.id: rule[-1]})


def numbers_for(name: str, tree: Tree, made: Value, named: Container[Tree] = ()) -> list[str]:
    """Return the line for one element with numbers; [] for a plain number, or if none were kept."""
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


def read_beside(op: Operator, known: Mapping[str, Any]) -> Read | None:
    """Return the formula declared for a kernel, read with the arguments in `known`; None if there is none."""
    shown = formula_of(op.kernel)
    if shown is None or any(name not in known for name in parameters(shown)):
        return None
    return read(shown, *[known[name] for name in parameters(shown)])


def trees_beside(op: Operator, known: Mapping[str, Any]) -> list[Tree]:
    """Return the formula declared for a kernel, a tree per output; [] if there is none."""
    found = read_beside(op, known)
    answer = () if found is None else found.answer
    return [tree_of(one) for one in (answer if isinstance(answer, tuple) else (answer,))]


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
    """Return the lambdas of a file by first line; the first of several on one line."""
    tree = ast.parse("".join(linecache.getlines(file)))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    return {node.lineno: node for node in sorted(found, key=lambda node: -node.col_offset)}


def renamed(text: str, names: Mapping[str, str]) -> list[str]:
    """Return the lines of a source with its variables called by other `names`, except those that it assigns itself."""
    tree = ast.parse(text)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    own = {node.id for node in found if isinstance(node.ctx, ast.Store)}
    for node in found:
        node.id = node.id if node.id in own else names.get(node.id, node.id)
    return ast.unparse(tree).splitlines()


class Follower:
    """Lets formulas follow numbers that a page can change.

    Args:
        place: returns the instruction that computes a value, by its id; None for a value that stays as it is.
    """

    def __init__(self, place: Callable[[int], int | None]) -> None:
        self.place = place
        self.formulas = Formulas()

    def leaf(self, value: Value, name: str) -> Leaf | None:
        """Return a leaf for a value that may change; None for a constant one."""
        at = self.place(value.id)
        return None if at is None or value.array is None else self.formulas.leaf(name, value.array, at)

    def of(self, value: Value) -> int | None:
        """Return the instruction that loads a value; None if its numbers were not kept, or are not real."""
        if value.array is None or value.array.dtype.kind not in "biuf":
            return None
        return self.formulas.place(self.leaf(value, "") or Leaf("", value.array))


FOLLOWER: ContextVar[Follower | None] = ContextVar("follower", default=None)
"""While it is set, answers have a field for each number that may change."""


def leaf_of(value: Value, name: str, array: Array) -> Leaf:
    """Return the leaf of a formula for a value, with the recorded numbers `array`."""
    follower = FOLLOWER.get()
    return (follower and follower.leaf(value, name)) or Leaf(name, array)


def numbers_of(value: Value) -> Any:
    """Return the numbers of a value: an array, or a symbol if they may change; None if not kept."""
    follower = FOLLOWER.get()
    leaf = follower and follower.leaf(value, value.name)
    return Symbol(leaf) if leaf else value.array


def follows(*values: Value) -> bool:
    """Return whether any of the values may change."""
    follower = FOLLOWER.get()
    return follower is not None and any(follower.place(value.id) is not None for value in values)


def tell(sentences: Iterable[Claim]) -> list[str]:
    """Return those sentences that are true, in the reader's language."""
    try:
        with undecided() if FOLLOWER.get() else nullcontext():
            found = list(sentences)
    except Undecided:  # the answer depends on numbers: it is true of the recorded ones only
        return [told_of_recorded(say("one sentence"))]
    return [text for one in found if (text := _claim_text(one))]


def told_of_recorded(what: str) -> str:
    """Return the line `what`, marked as true of the recorded numbers only."""
    return f"{text_field('recorded', 0)}{what}"


def _claim_text(one: Claim) -> str:
    follower, is_settled = FOLLOWER.get(), not isinstance(one.when, Symbol)
    if is_settled and not one.when:
        return ""
    if follower is None:
        return say(one.sentence, **one.parts)
    parts = {name: _field(follower, "count", part) for name, part in one.parts.items()}
    when = "" if is_settled else _field(follower, "when", one.when)
    if any(part is None for part in (when, *parts.values())):
        return told_of_recorded(say("one sentence"))
    return f"{when}{say(one.sentence, **parts)}"


def _field(follower: Follower, how: str, part: Any) -> Any:
    """Return a part of a sentence, as a field if it may change; None if no page can compute it."""
    if not isinstance(part, Symbol):
        return part
    at = follower.formulas.place(part.tree)
    return None if at is None else text_field(how, at)


def rule_of(lines: list[str], tree: Tree, value: Value) -> list[str]:
    """Return the lines of a formula, marked if it may be false for other numbers."""
    follower = FOLLOWER.get()
    if follower is None or not (tree.open or follows(value)):
        return lines
    root, at = follower.formulas.place(tree), follower.of(value)
    if root is None or at is None:
        return [told_of_recorded(line) for line in lines]
    return lines if root == at else [f"{text_field('holds', root, at)}{line}" for line in lines]


def line_of(name: str, tree: Tree, value: Value, named: Container[Tree]) -> list[str] | None:
    """Return the line of a formula with numbers, as a field; None if none of its numbers may change."""
    follower = FOLLOWER.get()
    if follower is None or not (tree.open or follows(value)):
        return None
    if isinstance(tree, Call):
        return []
    parts = [part for part in tree.each() if part in named and part is not tree]
    ids = [follower.formulas.place(tree), follower.of(value), *map(follower.formulas.place, parts)]
    found = [id_ for id_ in ids if id_ is not None]
    return [f"{name}{text_field('put', *found)}" if len(found) == len(ids) else told_of_recorded(name)]
