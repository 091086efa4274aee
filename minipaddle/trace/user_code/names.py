"""The user's names for tensors: read off the variables of a frame, or off the statement that keeps a result.

The first is exact and costs time; the second is worked out once for each place in the source.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FrameType

from minipaddle.autograd.tensor import Tensor

Span = tuple[int | None, int | None, int | None, int | None]
"""First line, last line, first column, last column."""


def names_in(frame: FrameType) -> list[tuple[str, Tensor]]:
    """Return the variables of `frame` that hold Tensors, and the attributes of its ``self`` that do."""
    found = [
        (name, value)
        for name, value in list(frame.f_locals.items())
        if isinstance(value, Tensor) and tells(name)
    ]
    return found + [
        (name, value) for name, value in attributes_in(frame).items() if isinstance(value, Tensor)
    ]


def attributes_in(frame: FrameType) -> dict[str, object]:
    """Return the attributes of the ``self`` of a function, as ``self.x``; {} if it has none."""
    own = getattr(frame.f_locals.get("self"), "__dict__", None)
    return {f"self.{name}": value for name, value in list(own.items())} if own else {}


def tells(name: str) -> bool:
    """Whether a variable tells anything: ``_`` does not, nor ``_3``, which is what IPython calls an output."""
    return name[0] != "_" or bool(name.strip("_0123456789"))


@lru_cache(maxsize=512)
def parameters_of(code: CodeType) -> frozenset[str]:
    """Return the names of a function's parameters."""
    named = code.co_argcount + code.co_kwonlyargcount
    packed = sum(bool(code.co_flags & flag) for flag in (CO_VARARGS, CO_VARKEYWORDS))
    return frozenset(code.co_varnames[: named + packed])


def depth_of(frame: FrameType) -> int:
    """Return how many calls `frame` is away from the bottom of the stack."""
    depth, outer = 0, frame.f_back
    while outer is not None:
        depth, outer = depth + 1, outer.f_back
    return depth


def line_of(code: CodeType, place: int) -> int:
    """Return the number of the line at `place` (a frame's ``f_lasti``)."""
    return _span(code, place)[0] or code.co_firstlineno


@lru_cache(maxsize=4096)
def assigned_name(code: CodeType, place: int) -> str:
    """Return the variable that a statement gives what is computed at `place`; "" for a part of a statement."""
    return _variables(code.co_filename).get(_span(code, place), "")


def needs_a_look(code: CodeType, before: int, now: int) -> bool:
    """Say whether between two places something was kept under a name that only a look at the frame can tell.

    Such as ``a.b = f(x)``, or ``g = f(x)[0]``.
    """
    keeping = [one for one in _statements(code.co_filename) if _within(_span(code, before), one[0])]
    if not keeping:
        return not _statements(code.co_filename)  # no statements at all: there is no source
    whole, kept, name = keeping[-1]
    if _within(_span(code, now), whole):
        return False
    return not name or kept != _span(code, before)


def _span(code: CodeType, place: int) -> Span:
    spans = _spans(code)
    return spans[place // 2] if 0 <= place // 2 < len(spans) else (None, None, None, None)


def read_changed_files_anew() -> None:
    """Forget what was read in the user's files if one of them has changed since: names would stand on other lines."""
    read = set(linecache.cache)
    linecache.checkcache()
    if not read <= set(linecache.cache):
        for one in (assigned_name, _statements, _variables):
            one.cache_clear()


@lru_cache(maxsize=512)
def _spans(code: CodeType) -> list[Span]:
    """Return from where to where in the source each instruction goes."""
    return list(code.co_positions())


@lru_cache(maxsize=64)
def _statements(file: str) -> list[tuple[Span, Span, str]]:
    """Return the statements of `file` that keep a result: where they are, where the result is, and its variable.

    The variable is "" where that is none or several. Inner ones come after outer ones.
    """
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return []
    keeping = (kept for node in ast.walk(tree) for kept in _kept(node))
    return [(_span_of(whole), _span_of(kept), name) for whole, kept, name in keeping]


@lru_cache(maxsize=64)
def _variables(file: str) -> dict[Span, str]:
    """Return where in `file` a result stands that a statement keeps, and its variable."""
    return {kept: name for _, kept, name in reversed(_statements(file))}


def _kept(node: ast.AST) -> Iterator[tuple[ast.stmt | ast.expr, ast.stmt | ast.expr, str]]:
    if isinstance(node, ast.Assign):
        yield node, node.value, _variable(node.targets[0])
    elif isinstance(node, ast.AugAssign):
        yield node, node, _variable(node.target)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield node, node.value, _variable(node.target)
    elif isinstance(node, ast.For):
        yield node.iter, node.iter, ""
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.context_expr, node.context_expr, ""


def _span_of(node: ast.stmt | ast.expr) -> Span:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def _within(inner: Span, outer: Span) -> bool:
    if None in inner or None in outer:
        return False
    start, end, column, last = inner
    return (start, column) >= (outer[0], outer[2]) and (end, last) <= (outer[1], outer[3])


def _variable(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else ""
