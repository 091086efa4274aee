"""A function whose control flow works on values of a Program, made from the source of one that was written for Tensors.

The new function has the user's file, lines and columns, his variables and his defaults. It calls the tools of
:mod:`minipaddle.paddle.jit.dy2static` under the name ``_jst``. Read :mod:`statements` next. What cannot be rewritten
stays as it is, and :func:`explained` says why.
"""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from traceback import walk_tb
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from minipaddle.paddle.jit.rewriting.expressions import Expressions
from minipaddle.paddle.jit.rewriting.names import Function, parameters, yields
from minipaddle.paddle.jit.rewriting.statements import Statements
from minipaddle.paddle.jit.rewriting.templates import TOOLS, new_names, statements


class NotRewritten(Exception):
    """Why a function stays as it was written."""


class Source(NamedTuple):
    """The node of a function, its own copy, and the name of the class whose method it is."""

    node: Function
    owner: str | None


_codes: dict[tuple[str, CodeType], tuple[CodeType, str] | NotRewritten] = {}
"""What was made of the code of a function: other code and its source, or why not."""


def rewritten(user: FunctionType, tools: ModuleType) -> FunctionType:
    """Return the function that does on Variables what `user` does on Tensors; `user` itself if there is none."""
    code = user.__code__
    if TOOLS in code.co_freevars:  # it was made
        return user
    key = code.co_filename, code  # equal functions of two files have equal code
    if key not in _codes:
        try:
            _codes[key] = _rewritten_code(code)
        except NotRewritten as error:
            _codes[key] = error
    found = _codes[key]
    if isinstance(found, NotRewritten):
        return user
    made, text = found
    cells = dict(zip(code.co_freevars, user.__closure__ or (), strict=True))
    cells[TOOLS] = CellType(tools)
    closure = tuple([cells[one] for one in made.co_freevars])
    new = FunctionType(made, user.__globals__, user.__name__, user.__defaults__, closure)
    new.__kwdefaults__ = user.__kwdefaults__
    new.__dict__.update(user.__dict__, source=text)
    new.__doc__, new.__module__, new.__qualname__ = user.__doc__, user.__module__, user.__qualname__
    return new


@contextmanager
def explained() -> Iterator[None]:
    """Add to an error of a function that is traced: which functions were left as they are, and why.

    Raises:
        RecursionError: telling that only a Tensor would have ended it.
    """
    try:
        yield
    except RecursionError as error:
        codes = [
            code for step, _ in walk_tb(error.__traceback__) if TOOLS in (code := step.f_code).co_freevars
        ]
        if not codes:
            raise
        called = max(codes, key=codes.count)
        raise RecursionError(
            f'{called.co_name!r} (File "{called.co_filename}", line {called.co_firstlineno}) calls itself without an '
            "end when it is traced: both branches of an if over a Tensor are followed. Write it as a loop."
        ) from None
    except Exception as error:
        for step, _ in walk_tb(error.__traceback__):
            code = step.f_code
            reason = _codes.get((code.co_filename, code))
            if isinstance(reason, NotRewritten):
                error.add_note(f"{code.co_name!r} is called as it is written: {reason}.")
        raise


def _rewritten_code(code: CodeType) -> tuple[CodeType, str]:
    """Return the new code and its source."""
    node, owner = source_of(code)
    if isinstance(node, ast.AsyncFunctionDef) or (isinstance(node, ast.FunctionDef) and yields(node.body)):
        raise NotRewritten("it is a generator or waits, which a Program cannot")
    new = new_names()
    called = new("made")  # a name of its own, so that a call of itself is one of the user's
    first = next(iter(parameters(node)), "")
    if isinstance(node, ast.Lambda):
        node.body = Expressions(first).visit(node.body)
        text, made = ast.unparse(node), statements(f"{called} = LAMBDA", node, LAMBDA=node)
    else:
        node.decorator_list = []
        Statements(node, new, first).rewrite()
        text, made = ast.unparse(node), [node]
        node.name, node.returns = called, None
    node.args.defaults, node.args.kw_defaults = [], [None] * len(node.args.kwonlyargs)  # those of `user` stay
    for one in ast.walk(node.args):
        if isinstance(one, ast.arg):
            one.annotation = None
    around = [TOOLS, *[one for one in code.co_freevars if one != "__class__" or owner is None]]
    lines = [f"def around({', '.join(around)}):", "    BODY", f"    return {called}"]
    if owner is not None:  # its name is not the holder's, but what it was
        known = [] if owner in around else [f"    global {owner}"]
        lines[1:] = [*known, f"    class {owner}:", "        BODY", f"    return {owner}.{called}"]
    module = ast.Module(statements("\n".join(lines), node, BODY=made), [])
    space: dict[str, Any] = {}
    exec(compile(module, code.co_filename, "exec", dont_inherit=True), space)
    found: CodeType = space["around"](*around).__code__
    return _named_as_written(found, code), f"{text}\n"


def _named_as_written(made: CodeType, user: CodeType) -> CodeType:
    """Return code in which what was made is called as the user's function around it: its lines belong to that."""
    if made.co_name.startswith(f"{TOOLS}_"):
        made = made.replace(co_name=user.co_name, co_qualname=user.co_qualname)
    inner = [_named_as_written(one, made) if isinstance(one, CodeType) else one for one in made.co_consts]
    return made.replace(co_consts=tuple(inner))


# -- where the source stands, with the user's lines and columns ------------------------------------------------------


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
