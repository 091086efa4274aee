"""Facts from the script's text about a backward: its last line, and whether it is intentionally not the gradient."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from minipaddle.engine.errors import Line
from minipaddle.tools.checks.gradient.results import Call
from minipaddle.tools.explain.user_source import at_line
from minipaddle.tools.record.user_code.names import parsed

_MARK = re.compile(r"#\s*minipaddle:\s*not the gradient\b")


def is_intended(call: Call, names: Collection[str]) -> bool:
    """Return whether the script says that a backward is not the gradient, or its name is among `names`.

    It says so by a comment, ``# minipaddle: not the gradient``, at the class or function, its backward, or the call.
    """
    own, where = {call.forward.title.removeprefix("py_func "), *_functions_of(call)}, call.forward.where
    if own & set(names):
        return True
    for file, text in _files(call):
        marked = {number for number, line in enumerate(text.splitlines(), 1) if _MARK.search(line)}
        if where is not None and where.file == file and where.number in marked:
            return True
        if any(marked & one.head for one in _defined(call, file, text, own)):
            return True
    return False


_REVERSAL = re.compile(r"(?i)revers(?!ib)|grad_?rev|\bgrl\b|(?-i:GRL)")


def is_reversal(call: Call) -> bool:
    """Return whether a class or function is named or documented as a reversal of the gradient."""
    own = {call.forward.title, *_functions_of(call)}
    docs = [one.doc for file, text in _files(call) for one in _defined(call, file, text, own)]
    return any(map(_REVERSAL.search, [*own, *docs]))


def line_of_answer(call: Call, place: int) -> Line | None:
    """Return the line of the user's backward that made the gradient of an input; None if unknown."""
    parts = call.event.parts[place] if place < len(call.event.parts) else None
    inside = call.trace.inside(call.event)
    for value in call.trace.known(parts or ()):
        maker = call.trace.maker(value)
        if maker is not None and any(maker is one for one in inside) and maker.where != call.forward.where:
            return maker.where
    is_function = bool(inside) and inside[0].op == "function"  # py_func: only its entry is recorded
    ran = [one.where for one in inside[not is_function :] if one.where is not None]
    return line_of_return(call) or (ran[-1] if ran else None)


def line_of_return(call: Call) -> Line | None:
    """Return the line of the last ``return`` of the user's backward; None if its text is not known."""
    return next((Line(file, one.returns, "backward") for file, one in _backwards(call) if one.returns), None)


def line_of_head(call: Call) -> Line | None:
    """Return the line where the user's backward function begins; of the call if its text is not known."""
    lines = (Line(file, min(one.head) + 1, one.name) for file, one in _backwards(call))
    return next(lines, call.forward.where)


def _backwards(call: Call) -> Iterator[tuple[str, _Definition]]:
    inside = call.trace.inside(call.event)
    title = inside[0].title if inside and inside[0].op == "function" else call.forward.title
    for file, text in _files(call):
        yield from ((file, one) for one in _defined(call, file, text, {title, _backward_of_block(call)}))


def _functions_of(call: Call) -> set[str]:
    """Return the names of the functions that contain the lines of a static_pylayer's Blocks."""
    inside, around = call.ran_inside, call.forward.where
    if call.forward.body is None or call.event.body is None or inside[0].op != "block":
        return set()
    functions = {_backward_of_block(call), *(one.where.function for one in inside if one.where is not None)}
    return functions - {around.function if around else "", "<module>"}


def _backward_of_block(call: Call) -> str:
    """Return the name of the backward function at the call of a static_pylayer; "" for other calls."""
    nodes = (node for one in at_line(call.trace, call.forward.where)[:1] for node in ast.walk(one))
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("static_pylayer"):
            named = [one.value for one in node.keywords if one.arg == "backward_fn"]
            return ast.unparse([*named, *node.args[2:], ast.Name("")][0])
    return ""


def _files(call: Call) -> Iterator[tuple[str, str]]:
    """Yield the files that the call and its bodies are in, with their text."""
    lines = [call.forward.where, *(one.where for one in call.ran_inside)]
    for file in dict.fromkeys(line.file for line in lines if line is not None):
        yield file, call.trace.sources.get(file) or "".join(linecache.getlines(file))


def _defined(call: Call, file: str, text: str, names: Collection[str]) -> list[_Definition]:
    """Return the definitions in a file with one of these names; of several, those whose lines ran."""
    found = [one for one in _definitions(text) if one.name in names]
    lines = (one.where for one in call.ran_inside if one.parent is not None)
    ran = {line.number for line in lines if line is not None and line.file == file}
    return found if len(found) == 1 else [one for one in found if one.inside & ran]


class _Definition(NamedTuple):
    """A class or function."""

    name: str
    doc: str
    head: set[int]
    """The lines of its head, and of its backward's head."""
    inside: set[int]
    """All its lines."""
    returns: int
    """The line of its last return, for a class backward's; 0 if it has none."""


@lru_cache(maxsize=32)
def _definitions(text: str) -> list[_Definition]:
    """Return the definitions in a file."""
    found = []
    for node in ast.walk(parsed(text)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            own = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "backward"]
            lines = {line for one in (node, *own) for line in _head(one)}
            inside = own if isinstance(node, ast.ClassDef) else [node]
            ends = [end.lineno for one in inside for end in ast.walk(one) if isinstance(end, ast.Return)]
            returns = max(ends, default=0)
            whole = set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            found.append(_Definition(node.name, ast.get_docstring(node) or "", lines, whole, returns))
    return found


def _head(node: ast.ClassDef | ast.FunctionDef) -> set[int]:
    """Return the lines from the one above the first decorator to where the body begins, its docstring included."""
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    begin = node.body[0]
    end = (begin.end_lineno or begin.lineno) + 1 if ast.get_docstring(node, clean=False) else begin.lineno
    return set(range(first - 1, max(end, node.lineno + 1)))
