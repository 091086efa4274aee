"""Where the source of a function stands: its node in the tree of the whole file, with the user's lines and columns."""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import NamedTuple

from minipaddle.paddle.jit.rewriting.names import Function, parameters


class NotRewritten(Exception):
    """Why a function stays as it was written."""


class Source(NamedTuple):
    """The node of a function, its own copy, and the name of the class whose method it is."""

    node: Function
    owner: str | None


def source_of(code: CodeType) -> Source:
    """Return the source of a function's code.

    Raises:
        NotRewritten: if its file cannot be read, or the function is not found in it.
    """
    text = "".join(linecache.getlines(code.co_filename))
    if not text:
        raise NotRewritten(f"its source cannot be read from {code.co_filename}")
    found = [one for one in _functions(text) if _is_of(one.node, code)]
    if len(found) > 1:  # several on one line: the columns tell
        ends = {(last, column) for _, last, _, column in code.co_positions() if column}
        found = [
            one
            for one in found
            if _end_of(one.node) in ends and {*parameters(one.node)} <= {*code.co_varnames}
        ]
    if len(found) != 1:
        raise NotRewritten(f"its source is not at line {code.co_firstlineno} of {code.co_filename}")
    return Source(copy.deepcopy(found[0].node), found[0].owner)


@lru_cache(maxsize=32)
def _functions(text: str) -> list[Source]:
    """Return all functions of a file."""
    try:
        return list(_within(ast.parse(text), None))
    except SyntaxError as error:
        raise NotRewritten(f"its file cannot be parsed ({error})") from None


def _within(node: ast.AST, owner: str | None) -> Iterator[Source]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield Source(child, owner)
        yield from _within(child, child.name if isinstance(child, ast.ClassDef) else owner)


def _is_of(node: Function, code: CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and code.co_firstlineno == node.lineno
    first = min([node.lineno, *[one.lineno for one in node.decorator_list]])
    return (node.name, first) == (code.co_name, code.co_firstlineno)


def _end_of(node: Function) -> tuple[int | None, int | None]:
    last = node.body if isinstance(node, ast.Lambda) else node.body[-1]
    return last.end_lineno, last.end_col_offset
