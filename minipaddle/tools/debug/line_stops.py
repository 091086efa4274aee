"""A line of the user's code as a stop: the branch that it takes, its turn of a loop, and what it changes.

The cards (cards.py) show it; :meth:`Session.go_to_line` goes to it.
"""

import ast
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, takewhile

from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Value
from minipaddle.tools.record.reads_and_cuts import GLOBAL, MARKS, Ran
from minipaddle.tools.record.user_code.names import parsed
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, shape_text, spaced

_Head = ast.If | ast.While | ast.For


def shown(found: Value | str) -> str:
    """Return what a variable means as text: shape and numbers of a tensor."""
    return spaced(shape_text(found), glance(found)) if isinstance(found, Value) else found


def says(session: Session, arrow: str) -> Iterator[str]:
    """Yield which way the line under the cursor goes, what it changes, and what it returns."""
    stack, step = session.frame()
    at, lines = stack[0], session.trace.lines
    ran, ahead = lines[at], islice(lines, at + 1, None)
    after = next((one for one in ahead if one.frame == ran.frame), None)
    if after is None:
        return
    head = _head(session.trace.sources.get(ran.file, ""), ran.line)
    if head is not None:
        yield from _way(session, head, at, after)
    before = session.variables.of(at, step)
    for name, text in after.changed.items():
        name = name.removeprefix(GLOBAL)
        if name not in MARKS:
            was = shown(session.tensor(name, before[name], session.moment)) if name in before else ""
            now = shown(session.tensor(name, text, after.before_event - 1))
            yield spaced(name, f"{was} {arrow} {now}" if was and now else now or "del")
    for mark, said in ("raise", say("raises")), ("yield", say("yields")), ("return", say("returns")):
        text = after.changed.get(mark, "…")
        if text != "…" and (mark == "raise" or ran.function != "<module>"):
            yield spaced(said, shown(session.tensor(mark, text, after.before_event - 1)))


def _way(session: Session, head: _Head, at: int, after: Ran) -> Iterator[str]:
    """Yield whether a line's condition holds, with its variables; and which turn of its loop begins, or the end."""
    ran, is_over = session.trace.lines[at], "return" in after.changed and after.changed["return"] != "…"
    if "raise" in after.changed or (not is_over and head.lineno <= after.line < head.body[0].lineno):
        return  # the rest of the head follows
    goes_in = not is_over and head.body[0].lineno <= after.line <= (head.body[-1].end_lineno or 0)
    if not isinstance(head, ast.For):
        there, parts = session.variables.of(at, at), map(ast.unparse, ast.walk(head.test))
        for name in dict.fromkeys(one for one in parts if one in there):
            yield spaced(name, shown(session.tensor(name, there[name], session.moment)))
        yield spaced(type(head).__name__.lower(), ast.unparse(head.test), str(goes_in))
    if isinstance(head, ast.If) or any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(head)):
        return  # what a generator does after it yields is another frame
    back = (one.line for one in session.trace.lines[at::-1] if one.frame == ran.frame)
    turn = [*takewhile(lambda line: head.lineno <= line <= (head.end_lineno or 0), back)].count(ran.line)
    yield say("iteration {number}", number=turn) if goes_in else say("the loop ends")


@lru_cache(maxsize=1024)  # the lines of a training loop
def _head(source: str, line: int) -> _Head | None:
    """Return the branch or loop whose head a line is, if its body stands below it; else None."""
    found = (one for one in ast.walk(parsed(source)) if isinstance(one, _Head))
    return next((one for one in found if one.lineno <= line < one.body[0].lineno), None)
