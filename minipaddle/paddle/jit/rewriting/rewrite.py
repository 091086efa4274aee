"""A function whose control flow works on values of a Program, made from the source of one written for Tensors.

The new function has the user's file, lines and columns, variables and defaults. It calls the tools of
:mod:`minipaddle.paddle.jit.dy2static` under the name ``_jst``. Read :mod:`statements` next. A function that cannot be
rewritten stays as it is, and :func:`why_not` returns the reason.
"""

from __future__ import annotations

import ast
import copy
import linecache
from collections import defaultdict
from functools import lru_cache, update_wrapper
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from minipaddle.paddle.jit.rewriting.source import (
    TOOLS,
    Function,
    declared,
    new_names,
    parameters,
    statements,
    yields,
)
from minipaddle.paddle.jit.rewriting.statements import Rewriting


class NotRewritten(Exception):
    """The reason why a function is not rewritten."""


_codes: dict[tuple[str, CodeType], tuple[CodeType, str] | NotRewritten] = {}
"""The rewritten code of each function's code, with its source, or the reason why not."""


def rewritten(user: FunctionType, tools: ModuleType) -> FunctionType:
    """Return a version of `user` that also works on Variables; `user` itself if it cannot be rewritten."""
    code = user.__code__
    if TOOLS in code.co_freevars:  # rewritten already
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
    update_wrapper(new, user).__dict__["source"] = text
    return new


def why_not(code: CodeType) -> str:
    """Return why a function with this code is not rewritten; "" if it was rewritten, or never called."""
    found = _codes.get((code.co_filename, code))
    return str(found) if isinstance(found, NotRewritten) else ""


def _rewritten_code(code: CodeType) -> tuple[CodeType, str]:
    """Return the new code and its source."""
    node, owner = source_of(code)
    if isinstance(node, ast.AsyncFunctionDef) or (isinstance(node, ast.FunctionDef) and yields(node.body)):
        raise NotRewritten("it is a generator or waits, which a Program cannot")
    if isinstance(node, ast.FunctionDef) and declared(node.body, ast.Global):
        raise NotRewritten("it sets a global variable: pass it to the function, and return it")
    new = new_names()
    called = new("made")  # a name of its own: a recursive call calls the user's function
    Rewriting(node, new, next(iter(parameters(node)), "")).rewrite()
    if isinstance(node, ast.Lambda):
        text, made = ast.unparse(node), statements(f"{called} = LAMBDA", node, LAMBDA=node)
    else:
        node.decorator_list = []
        text, made = ast.unparse(node), [node]
        node.name, node.returns = called, None
    node.args.defaults, node.args.kw_defaults = [], [None] * len(node.args.kwonlyargs)  # those of `user` stay
    for one in ast.walk(node.args):
        if isinstance(one, ast.arg):
            one.annotation = None
    around = [TOOLS, *[one for one in code.co_freevars if one != "__class__" or owner is None]]
    lines = [f"def around({', '.join(around)}):", "    BODY", f"    return {called}"]
    if owner is not None:  # its old name, not the holder's
        known = [] if owner in around else [f"    global {owner}"]
        lines[1:] = [*known, f"    class {owner}:", "        BODY", f"    return {owner}.{called}"]
    module = ast.Module(statements("\n".join(lines), node, BODY=made), [])
    space: dict[str, Any] = {}
    exec(compile(module, code.co_filename, "exec", dont_inherit=True), space)
    found: CodeType = space["around"](*around).__code__
    return _named_as_written(found, code), f"{text}\n"


def _named_as_written(made: CodeType, user: CodeType) -> CodeType:
    """Return code that renames generated functions after the user's function, which has their lines."""
    if made.co_name.startswith(f"{TOOLS}_"):
        made = made.replace(co_name=user.co_name, co_qualname=user.co_qualname)
    inner = [_named_as_written(one, made) if isinstance(one, CodeType) else one for one in made.co_consts]
    return made.replace(co_consts=tuple(inner))


# -- finding the source, with the user's lines and columns -----------------------------------------------------------


def source_of(code: CodeType) -> tuple[Function, str | None]:
    """Return the node of a function, its own copy, and the name of the class whose method it is.

    Raises:
        NotRewritten: if its file cannot be read, or the function is not found in it.
    """
    file, line = code.co_filename, code.co_firstlineno
    try:
        ((node, owner),) = _functions("".join(linecache.getlines(file)))[code.co_name, line]
    except (SyntaxError, ValueError):
        raise NotRewritten(f"its source cannot be read from {file}, or is not alone at line {line}") from None
    return copy.deepcopy(node), owner


@lru_cache(maxsize=32)
def _functions(text: str) -> dict[tuple[str, int], list[tuple[Function, str | None]]]:
    """Return all functions of a file by name and first line."""
    found: dict[tuple[str, int], list[tuple[Function, str | None]]] = defaultdict(list)

    def look(node: ast.AST, owner: str | None) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                first = min(one.lineno for one in (child, *getattr(child, "decorator_list", ())))
                found[getattr(child, "name", "<lambda>"), first].append((child, owner))
            look(child, child.name if isinstance(child, ast.ClassDef) else owner)

    look(ast.parse(text), None)
    return found
