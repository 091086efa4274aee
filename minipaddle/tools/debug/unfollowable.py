"""Finds where a script read a number that a fork changes: from there the script might have run differently.

This is reported, not followed: the recording's operators, attributes and tensors stay.
"""

import ast
from collections.abc import Callable
from functools import lru_cache

from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.reads_and_cuts import Read
from minipaddle.tools.record.user_code.names import parsed

_HARMLESS = {"print", "float", "int", "bool", "str", "repr", "round", "len", "abs", "format"}
_ASKING = {"item", "numpy", "tolist", "format", "join", "mean", "sum", "max", "min", "norm"}


def first_read(trace: Trace, since: int, changed: Callable[[int], bool]) -> Read | None:
    """Return the first read, after event `since`, of a changed value by Python, other than for printing."""
    later = (read for read in trace.reads if read.before_event > since and changed(read.value))
    return next((read for read in later if not _is_only_printed(trace, read)), None)


def _is_only_printed(trace: Trace, read: Read) -> bool:
    """Whether the line of a read is a ``print(...)`` without other effects, by its source."""
    return read.where is not None and _prints_alone(trace.sources.get(read.where.file, ""), read.where.number)


@lru_cache(maxsize=64)
def _prints_alone(source: str, line: int) -> bool:
    statements = (one for one in ast.walk(parsed(source)) if isinstance(one, ast.stmt))
    there = {one for one in statements if one.lineno <= line <= (one.end_lineno or 0)}
    inner = [one for one in there if len(there.intersection(ast.walk(one))) == 1]
    return bool(inner) and all(_prints(one) for one in inner)


def _prints(statement: ast.stmt) -> bool:
    """Whether a statement prints, and calls no function that could store its arguments."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"):
        return False
    return not any(
        isinstance(one, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom))
        or (isinstance(one, ast.Call) and not _is_harmless(one.func))
        for one in ast.walk(call)
    )


def _is_harmless(called: ast.expr) -> bool:
    if isinstance(called, ast.Name):
        return called.id in _HARMLESS
    return isinstance(called, ast.Attribute) and called.attr in _ASKING
