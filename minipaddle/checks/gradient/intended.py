"""What the text of a script says of a backward: where it ends, and whether it is meant not to be the gradient."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from minipaddle.core.errors import Line
from minipaddle.trace.events import Event, Trace

_MARK = re.compile(r"#\s*minipaddle:\s*not the gradient\b")


def is_intended(trace: Trace, forward: Event, event: Event, names: Collection[str]) -> bool:
    """Return whether the script says that a backward is not the gradient, or its name is among `names`.

    It says so by a comment, ``# minipaddle: not the gradient``, at the class or function, its backward, or the call.
    """
    own = {forward.title.removeprefix("py_func "), *_names_of(trace, forward, event)}
    if own & set(names):
        return True
    for file, text in _files(trace, forward, event):
        marked = {number for number, line in enumerate(text.splitlines(), 1) if _MARK.search(line)}
        if not marked:
            continue
        if forward.where is not None and forward.where.file == file and forward.where.number in marked:
            return True
        defined = [one for one in _definitions(text) if one.name in own]
        ran = _lines(trace, forward, event, file)
        around = [one for one in defined if one.inside & ran]
        if any(marked & one.head for one in (defined if len(defined) == 1 else around)):
            return True
    return False


def end_of_backward(trace: Trace, forward: Event, event: Event) -> Line | None:
    """Return the line on which the backward of a PyLayer returns; None if that cannot be read."""
    for file, text in _files(trace, forward, event):
        defined = [one for one in _definitions(text) if one.name == forward.title]
        ran = _lines(trace, forward, event, file)
        around = [one for one in defined if one.inside & ran]
        for one in defined if len(defined) == 1 else around:
            if one.returns:
                return Line(file, one.returns, "backward")
    return None


def _names_of(trace: Trace, forward: Event, event: Event) -> set[str]:
    """Return the functions that the lines of a static_pylayer's Blocks are in."""
    if forward.body is None or event.body is None or trace.events[forward.body[0]].op != "block":
        return set()
    inside = [*trace.events[slice(*forward.body)], *trace.events[slice(*event.body)]]
    functions = {one.where.function for one in inside if one.where is not None}
    return functions - {forward.where.function if forward.where else "", "<module>"}


def _files(trace: Trace, forward: Event, event: Event) -> Iterator[tuple[str, str]]:
    """Yield the files that the call and its bodies are in, with their text."""
    lines = [forward.where]
    for body in (forward.body, event.body):
        lines += [one.where for one in trace.events[slice(*body)]] if body else []
    for file in dict.fromkeys(line.file for line in lines if line is not None):
        yield file, trace.sources.get(file) or "".join(linecache.getlines(file))


def _lines(trace: Trace, forward: Event, event: Event, file: str) -> set[int]:
    """Return the lines of a file that ran in forward and backward."""
    bodies = [trace.events[slice(*body)] for body in (forward.body, event.body) if body]
    found = (one.where for body in bodies for one in body if one.parent is not None)
    return {where.number for where in found if where is not None and where.file == file}


class _Definition(NamedTuple):
    """A class or function."""

    name: str
    head: set[int]
    """The lines of its head, and of its backward's."""
    inside: set[int]
    """All its lines."""
    returns: int
    """The line of the last return of its backward; 0 if it has none."""


@lru_cache(maxsize=32)
def _definitions(text: str) -> list[_Definition]:
    """Return what is defined in a file."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            lines, returns = _head(node), 0
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and inner.name == "backward":
                    lines |= _head(inner)
                    ends = [one.lineno for one in ast.walk(inner) if isinstance(one, ast.Return)]
                    returns = max(ends, default=0)
            inside = set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            found.append(_Definition(node.name, lines, inside, returns))
    return found


def _head(node: ast.ClassDef | ast.FunctionDef) -> set[int]:
    """Return the lines from the one above the first decorator to where the body begins, its docstring included."""
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    begin = node.body[0]
    end = (begin.end_lineno or begin.lineno) + 1 if ast.get_docstring(node, clean=False) else begin.lineno
    return set(range(first - 1, max(end, node.lineno + 1)))
