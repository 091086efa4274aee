"""A function whose control flow works on values of a Program, made from the source of one that was written for Tensors.

The new function has the user's file, lines and columns, his variables and his defaults. It calls the tools of
:mod:`minipaddle.paddle.jit.dy2static` under the name ``_jst``. Passes, in order: :mod:`exits`, :mod:`statements` (which
asks the first for each function), :mod:`expressions`. What cannot be rewritten stays as it is; :func:`reason_for` says
why.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import CO_OPTIMIZED
from traceback import walk_tb
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakSet

from minipaddle.engine.errors import is_engine_file
from minipaddle.paddle.jit.rewriting.build import TOOLS, NewNames, at, function
from minipaddle.paddle.jit.rewriting.expressions import Expressions
from minipaddle.paddle.jit.rewriting.names import parameters, path_of, yields
from minipaddle.paddle.jit.rewriting.source import Function, NotRewritten, Source, source_of
from minipaddle.paddle.jit.rewriting.statements import Statements

_codes: dict[tuple[str, CodeType], tuple[CodeType, str] | NotRewritten] = {}
"""What was made of the code of a function: other code and its source, or why not."""
_made: WeakSet[CodeType] = WeakSet()
"""The code that was made, of inner functions too."""


def rewritten(user: FunctionType, tools: ModuleType) -> FunctionType:
    """Return the function that does on Variables what `user` does on Tensors; `user` itself if there is none."""
    code = user.__code__
    if code in _made:
        return user
    key = code.co_filename, code  # equal functions of two files have equal code
    if key not in _codes:
        try:
            _codes[key] = _rewritten_code(user)
        except NotRewritten as error:
            _codes[key] = error
    found = _codes[key]
    if isinstance(found, NotRewritten):
        return user
    cells = dict(zip(code.co_freevars, user.__closure__ or (), strict=True))
    cells[TOOLS] = CellType(tools)
    closure = tuple([cells[one] for one in found[0].co_freevars])
    new = FunctionType(found[0], user.__globals__, user.__name__, user.__defaults__, closure)
    new.__kwdefaults__ = user.__kwdefaults__
    new.__dict__.update(user.__dict__)
    new.__doc__, new.__module__, new.__qualname__ = user.__doc__, user.__module__, user.__qualname__
    return new


def reason_for(code: CodeType) -> str:
    """Return why a function was left as it is; "" for one that was not."""
    found = _codes.get((code.co_filename, code))
    return str(found) if isinstance(found, NotRewritten) else ""


@contextmanager
def explained() -> Iterator[None]:
    """Add to an error of a function that is traced: which functions were left as they are, and why.

    Raises:
        RecursionError: telling that only a Tensor would have ended it.
    """
    try:
        yield
    except RecursionError as error:
        codes = [step.f_code for step, _ in walk_tb(error.__traceback__) if step.f_code in _made]
        if not codes:
            raise
        called = max(codes, key=codes.count)
        raise RecursionError(
            f'{called.co_name!r} (File "{called.co_filename}", line {called.co_firstlineno}) calls itself without an '
            "end when it is traced: both branches of an if over a Tensor are followed. Write it as a loop."
        ) from None
    except Exception as error:
        for step, _ in walk_tb(error.__traceback__):
            reason = reason_for(step.f_code)
            if reason:
                error.add_note(f"{step.f_code.co_name!r} is called as it is written: {reason}.")
        raise


def text_of(new: Any) -> str:
    """Return the source of a function that :func:`rewritten` made; "" for any other."""
    return next(
        (
            one[1]
            for one in _codes.values()
            if isinstance(one, tuple) and one[0] is getattr(new, "__code__", None)
        ),
        "",
    )


def _rewritten_code(user: FunctionType) -> tuple[CodeType, str]:
    """Return the new code and its source.

    Raises:
        NotRewritten: if there is no source, or it is a generator's.
    """
    code = user.__code__
    source = source_of(code)
    body = [source.node.body] if isinstance(source.node, ast.Lambda) else source.node.body
    if isinstance(source.node, ast.AsyncFunctionDef) or yields(body):
        raise NotRewritten("it is a generator or waits, which a Program cannot")
    new = NewNames({one.id for one in ast.walk(source.node) if isinstance(one, ast.Name)})
    if isinstance(source.node, ast.FunctionDef):
        Statements(source.node, new).rewrite()
    known = Known(user)
    Expressions(known, next(iter(parameters(source.node)), "")).visit(source.node)
    if not isinstance(
        source.node, ast.Lambda
    ):  # by a name of its own, so that a call of itself is one of the user's
        source.node.name = new("made")
    compiled = compile(_module(source, code), code.co_filename, "exec", dont_inherit=True)
    made = next(one for one in _inner(compiled) if _stands_for(one, code, source.node))
    made = _named_as_written(made.replace(co_name=code.co_name, co_qualname=code.co_qualname), new.made)
    _made.update([made, *_inner(made, classes=False)])
    return made, _shown(source.node, code.co_name)


class Known:
    """Whether a name in the source of a function is a function of ours, or one that needs no rewriting."""

    def __init__(self, user: FunctionType) -> None:
        self.globals = user.__globals__
        self.own = {*user.__code__.co_varnames, *user.__code__.co_cellvars, *user.__code__.co_freevars}

    def __call__(self, node: ast.expr) -> bool:
        """Answer for ``paddle.nn.functional.relu``: a path that begins with a module of the user's globals."""
        path = path_of(node)
        first, *rest = (path or "").split(".")
        value: Any = self.globals.get(first)
        if not rest or first in self.own or not isinstance(value, ModuleType):
            return False
        for one in rest:
            value = getattr(value, one, None) if isinstance(value, ModuleType) else None
        code = getattr(value, "__code__", None)
        return code is not None and is_engine_file(code.co_filename)


def _module(source: Source, code: CodeType) -> ast.Module:
    """Return a module in which the function stands where it finds its outer variables and its class."""
    node = source.node
    statement = at(ast.Expr(node), node) if isinstance(node, ast.Lambda) else node
    inner: ast.stmt = statement
    if source.owner is not None:
        holder = ast.parse(f"class {source.owner}: pass").body[0]
        assert isinstance(holder, ast.ClassDef)
        holder.body = [statement]
        inner = at(holder, node)
    names = [TOOLS, *code.co_freevars]
    around = function("around", [one for one in names if one != "__class__" or source.owner is None], [inner])
    return ast.Module([at(around, node)], [])


def _stands_for(made: CodeType, code: CodeType, node: Function) -> bool:
    """Whether made code is that of the function itself, and not of one around it or in it."""
    takes = made.co_varnames[: made.co_argcount] == code.co_varnames[: code.co_argcount]
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    return takes and (made.co_name, made.co_firstlineno) == (name, code.co_firstlineno)


def _inner(code: CodeType, classes: bool = True) -> Iterator[CodeType]:
    """Return the code of the functions in a function, the outer ones first; those in `classes`, too."""
    for one in code.co_consts:
        if isinstance(one, CodeType) and (classes or one.co_flags & CO_OPTIMIZED):
            yield one
            yield from _inner(one, classes)


def _named_as_written(made: CodeType, new: set[str]) -> CodeType:
    """Return code in which what was made is called as the user's function around it: its lines belong to that."""
    constants: list[Any] = []
    for one in made.co_consts:
        if isinstance(one, CodeType):
            if one.co_name in new:
                one = one.replace(co_name=made.co_name, co_qualname=made.co_qualname)
            one = _named_as_written(one, new)
        constants.append(one)
    return made.replace(co_consts=tuple(constants))


def _shown(node: ast.AST, name: str) -> str:
    """Return the source to show: without decorators."""
    shown = copy.copy(node)
    if isinstance(shown, ast.FunctionDef):
        shown.decorator_list, shown.name = [], name
    return ast.unparse(shown) + "\n"
