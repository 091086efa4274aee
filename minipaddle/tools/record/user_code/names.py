"""The user's names for tensors: from the variables of a frame, or from the statement that assigns a result.

The first way is exact but slow; the second is computed once for each place in the source.
"""

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FrameType
from typing import TypeVar

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.tools.record.reads_and_cuts import Extent

T = TypeVar("T")
Span = tuple[int | None, int | None, int | None, int | None]
"""First line, last line, first column, last column."""
_LAST_LINE = 10**6  # larger than any line number


def names_in(frame: FrameType) -> dict[str, Tensor]:
    """Return the variables of `frame` that hold Tensors, and such attributes of its ``self``."""
    held = list(frame.f_locals.items())
    variables = {name: one for name, one in held if isinstance(one, Tensor) and tells(name)}
    return variables | attributes_in(frame, Tensor)


def attributes_in(frame: FrameType, kind: type[T]) -> dict[str, T]:
    """Return the attributes of a function's ``self`` that are of a kind, as ``self.x``; a Layer stores some apart."""
    own = getattr(frame.f_locals.get("self"), "__dict__", {})
    apart = (own.get(name) for name in ("_parameters", "_sub_layers", "_buffers"))
    attributes = (one for some in (own, *apart) if isinstance(some, dict) for one in list(some.items()))
    return {f"self.{name}": value for name, value in attributes if isinstance(value, kind)}


def tells(name: str) -> bool:
    """Whether a variable's name is meaningful: ``_`` is not, nor ``_3``, IPython's name for an output."""
    return name[0] != "_" or bool(name.strip("_0123456789"))


@lru_cache(maxsize=512)
def parameters_of(code: CodeType) -> frozenset[str]:
    """Return the names of a function's parameters."""
    named = code.co_argcount + code.co_kwonlyargcount
    packed = sum(bool(code.co_flags & flag) for flag in (CO_VARARGS, CO_VARKEYWORDS))
    return frozenset(code.co_varnames[: named + packed])


def extent_of(code: CodeType) -> Extent:
    """Return the lines on which a function's variables are in scope: its own; for a module, its whole file."""
    if code.co_name == "<module>":
        return Extent(code.co_filename, 1, _LAST_LINE)
    return Extent(code.co_filename, code.co_firstlineno, _last_line(code))


@lru_cache(maxsize=512)
def _last_line(code: CodeType) -> int:
    inner = [_last_line(one) for one in code.co_consts if isinstance(one, CodeType)]
    lines = [line for *_, line in code.co_lines() if line is not None]
    return max([code.co_firstlineno, *lines, *inner])


def outwards(frame: FrameType | None, end: FrameType | None = None) -> Iterator[FrameType]:
    """Yield a frame and its callers, innermost first, up to `end`, which is not among them."""
    while frame is not None and frame is not end:
        yield frame
        frame = frame.f_back


def depth_of(frame: FrameType) -> int:
    """Return the number of calls between `frame` and the bottom of the stack."""
    return sum(1 for _ in outwards(frame.f_back))


def line_of(code: CodeType, place: int) -> int:
    """Return the number of the line at `place` (a frame's ``f_lasti``)."""
    return _span(code, place)[0] or code.co_firstlineno


@lru_cache(maxsize=4096)
def assigned_name(code: CodeType, place: int) -> str:
    """Return the variable to which the result at `place` is assigned; "" for a part of a statement."""
    return _variables(code.co_filename).get(_span(code, place), "")


def needs_a_look(code: CodeType, before: int, now: int) -> bool:
    """Return whether an assignment between two places is visible only in the frame's variables.

    Such as ``a.b = f(x)``, ``g = f(x)[0]``, or ``a = b``.
    """
    statements = _statements(code.co_filename)
    if any(_is_between(_span(code, before), one[0], _span(code, now)) for one in statements):
        return True
    keeping = [one for one in statements if _within(_span(code, before), one[0])]
    if not keeping:
        return not statements  # no statements: there is no source
    whole, kept, name = keeping[-1]
    if _within(_span(code, now), whole):
        return False
    return not name or kept != _span(code, before)


def _span(code: CodeType, place: int) -> Span:
    spans = _spans(code)
    return spans[place // 2] if 0 <= place // 2 < len(spans) else (None, None, None, None)


def read_changed_files_anew() -> None:
    """Forget the statements of the user's files if one has changed: names would be on other lines."""
    read = set(linecache.cache)
    linecache.checkcache()
    if not read <= set(linecache.cache):
        for one in (assigned_name, _statements, _variables):
            one.cache_clear()


@lru_cache(maxsize=512)
def _spans(code: CodeType) -> list[Span]:
    """Return the source position of each instruction."""
    return list(code.co_positions())


@lru_cache(maxsize=64)
def _statements(file: str) -> list[tuple[Span, Span, str]]:
    """Return the statements of `file` that assign a result: their positions, the result's position, and its variable.

    The variable is "" if there is none, or several. Inner statements come after outer ones.
    """
    tree = parsed("".join(linecache.getlines(file)))
    keeping = (kept for node in ast.walk(tree) for kept in _kept(node))
    return [(span_of(whole), span_of(kept), name) for whole, kept, name in keeping]


@lru_cache(maxsize=64)
def _variables(file: str) -> dict[Span, str]:
    """Return, by position in `file`, each result that a statement assigns, and its variable."""
    return {kept: name for _, kept, name in reversed(_statements(file))}


def _kept(node: ast.AST) -> Iterator[tuple[ast.stmt | ast.expr, ast.stmt | ast.expr, str]]:
    if isinstance(node, ast.Assign):
        yield node, node.value, _variable(node.targets[0])
        if len(node.targets) > 1:  # `a = b = f(x)`: no single name
            yield node, node.value, ""
    elif isinstance(node, ast.AugAssign):
        yield node, node, _variable(node.target)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield node, node.value, _variable(node.target)
    elif isinstance(node, ast.For):
        yield node.iter, node.iter, ""
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.context_expr, node.context_expr, ""


def span_of(node: ast.stmt | ast.expr) -> Span:
    """Return the position of a node."""
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def _within(inner: Span, outer: Span) -> bool:
    if None in inner or None in outer:
        return False
    start, end, column, last = inner
    return (start, column) >= (outer[0], outer[2]) and (end, last) <= (outer[1], outer[3])


def _is_between(before: Span, statement: Span, now: Span) -> bool:
    """Whether a statement lies between two places, and does not end at the first."""
    if before[1] is None or now[0] is None or statement[0] is None or statement[1] is None:
        return False
    return before[1] < statement[0] and statement[1] < now[0]


def _variable(target: ast.expr) -> str:
    if isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == 1:
        (target,) = target.elts  # (slope,) = paddle.grad(y, x)
    return target.id if isinstance(target, ast.Name) else ""


@lru_cache(maxsize=64)
def parsed(text: str) -> ast.Module:
    """Return the syntax tree of a script's text; an empty one if it is no Python, as a notebook's cell may be."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])
