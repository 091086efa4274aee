"""What the user's source says of a line: the statements around it, the condition that it needs; and where calls are."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from minipaddle.engine.errors import Line
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.user_code.names import parsed
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import cut, line_text

Kind = TypeVar("Kind", bound=ast.stmt | ast.expr | ast.keyword)
_LONGEST = 60
"""Characters of a condition that is shown."""
_SWITCHES = ("no_grad", "set_grad_enabled")
"""The functions that turn recording off."""


def at_line(trace: Trace, where: Line | None) -> list[ast.stmt]:
    """Return the statements that a line is in, the innermost first."""
    found = [one for at, one in nodes_of(trace, ast.stmt) if where is not None and at.file == where.file]
    inside = [one for one in found if where and one.lineno <= where.number <= (one.end_lineno or 0)]
    return sorted(inside, key=lambda one: -one.lineno)


def condition_at(trace: Trace, where: Line | None) -> tuple[str, Line | None]:
    """Return the end of a sentence, the ``if`` that decides whether a line runs, and its line; or "" and None."""
    blocks = (one for one in at_line(trace, where) if isinstance(one, (ast.If, ast.While, ast.FunctionDef)))
    block = next(blocks, None)
    if where is None or not isinstance(block, ast.If) or block.lineno == where.number:
        return "", None
    in_else = any(one.lineno <= where.number for one in block.orelse)
    test = cut(f"not ({ast.unparse(block.test)})" if in_else else ast.unparse(block.test), _LONGEST)
    line = where._replace(number=block.lineno)
    return say(", under `if {test}` ({where})", test=test, where=line_text(line)), line


def step_condition(trace: Trace) -> tuple[str, Line | None]:
    """Return the end of a sentence, the ``if`` around the steps that no optimizer has made, and its line."""
    found = {condition_at(trace, at) for at, _ in idle_steps(trace)} - {("", None)}
    return found.pop() if len(found) == 1 else ("", None)


def idle_steps(trace: Trace) -> list[tuple[Line, str]]:
    """Return the calls of ``step`` by which no optimizer has updated anything, as :func:`calls_of` does."""
    ran = {event.where[:2] for event in trace.events if event.kind == "update" and event.where is not None}
    return [(at, said) for at, said in calls_of(trace, "step", "minimize").items() if at[:2] not in ran]


def recording_off(trace: Trace, where: Line | None) -> Line | None:
    """Return the line of the ``with`` or decorator by which no call at a line is recorded; None if it is not clear."""
    blocks = (
        one for _, one in nodes_of(trace, ast.With) if where and f"{where.function}(" in ast.unparse(one)
    )
    for one in [*at_line(trace, where), *blocks]:
        for head in [one] if isinstance(one, ast.With) else getattr(one, "decorator_list", []):
            said = ast.unparse(head).partition("\n")[0]
            if where is not None and any(switch in said for switch in _SWITCHES):
                return where._replace(number=head.lineno)
    return the_call(trace, *_SWITCHES)[1]


def nodes_of(trace: Trace, kind: type[Kind]) -> Iterator[tuple[Line, Kind]]:
    """Yield the nodes of a kind in the user's files, each with its line."""
    for file, text in trace.sources.items():
        nodes = (node for node in ast.walk(parsed(text)) if isinstance(node, kind))
        yield from ((Line(file, node.lineno, ""), node) for node in nodes)


def names_in(parts: Sequence[ast.AST], use: type, without: Sequence[ast.AST] = ()) -> set[str]:
    """Return the names that parts of a tree read (ast.Load) or bind (ast.Store), but for the parts `without`."""
    own = (name for part in parts for name in ast.walk(part) if isinstance(name, ast.Name))
    left_out = {id(one) for part in without for one in ast.walk(part)}
    return {one.id for one in own if isinstance(one.ctx, use) and id(one) not in left_out}


def calls_of(trace: Trace, *names: str) -> dict[Line, str]:
    """Return the calls of functions in the user's files, by line: ``net.eval() (train.py:9)``."""
    found: dict[Line, str] = {}
    for line, node in nodes_of(trace, ast.Call):
        if getattr(node.func, "attr", getattr(node.func, "id", "")) in names:
            said = ast.unparse(node if len(node.args) == 1 else node.func) + "()" * (len(node.args) != 1)
            found[line] = f"{said} ({line_text(line)})"
    return found


def the_call(trace: Trace, *names: str) -> tuple[str, Line | None]:
    """Return the end of a sentence, the only call of functions, which has done what it tells, and its line."""
    calls = [one for one in calls_of(trace, *names).items() if "set_grad_enabled(True)" not in one[1]]
    return (say(", by {call}", call=calls[0][1]), calls[0][0]) if len(calls) == 1 else ("", None)


def uncalled(trace: Trace, *methods: str) -> str:
    """Return the end of a sentence about a statement that names a method and does not call it, or that never ran."""
    for line, node in ((line, one.value) for line, one in nodes_of(trace, ast.Expr)):
        if isinstance(node, ast.Attribute) and node.attr in methods:
            method, where = ast.unparse(node), line_text(line)
            return say("; {method} ({where}) is not called: write {method}()", method=method, where=where)
    calls = [*calls_of(trace, *methods).values()] if "step" in methods else []
    return say("; {call} never ran", call=calls[0]) if len(calls) == 1 else ""


def integers_made(trace: Trace) -> list[Line]:
    """Return the lines that make integers of numbers."""
    casts = calls_of(trace, "astype", "cast", "uint8", "int32", "int64", "floor").items()
    divisions = (line for line, node in nodes_of(trace, ast.BinOp) if isinstance(node.op, ast.FloorDiv))
    return [line for line, said in casts if re.search(r"\bu?int\d*\b|\bfloor\(", said)] + [*divisions]


def made_at(trace: Trace, event: Event) -> Line | None:
    """Return the line that makes the layer of Paddle's that a call ran in; None if several lines make such a layer."""
    kind = event.scope.kind if event.scope is not None else ""
    of_users = any(node.name == kind for _, node in nodes_of(trace, ast.ClassDef))
    return None if of_users else the_call(trace, kind)[1]


def kept_at(trace: Trace, value: Value, where: Line | None) -> Line | None:
    """Return the last line that keeps a value in a variable, in the loop around a line if possible; or None."""
    names = {one.name for one in trace.bindings if one.value == value.id}
    targets = (
        (line, part) for line, node in nodes_of(trace, ast.Assign) for part in ast.walk(node.targets[0])
    )
    lines = [line for line, part in targets if isinstance(part, ast.expr) and ast.unparse(part) in names]
    loops = (one for one in at_line(trace, where) if isinstance(one, (ast.For, ast.While)))
    last = next((one.end_lineno or 0 for one in loops), 0)
    return max(lines, default=None, key=lambda line: (line.number <= last, line.number))
