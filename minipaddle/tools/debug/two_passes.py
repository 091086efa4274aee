"""Two passes of one recording, compared: Python's variables, values and gradients."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from minipaddle.engine.errors import Line
from minipaddle.tools.checks.diff import compare, compare_lines, compare_object
from minipaddle.tools.debug.cards import src_of
from minipaddle.tools.debug.cursor import Cursor
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.record.events import Trace
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import line_text
from minipaddle.tools.words.terminal import padded

Place = tuple[str, int, int]
"""A file, a line, and how often it ran before in the pass."""


def passes_compared(cursor: Cursor, a: int, b: int) -> tuple[dict[str, Any], list[str]]:
    """Return what differs between two passes, as JSON data and as text. Raises NoBackward if one was not recorded."""
    found = compare(cursor.trace, cursor.trace, 1e-5, a, b)
    variables, kind = list(_variables(cursor, a, b)), padded(say("variable"), 10)
    lines = [f"{kind} {one:<18} {was} | {now}  {line_text(where)}" for one, was, now, where in variables]
    lines += compare_lines(found) if found or not variables else []
    keys = "name", "before", "after", "where"
    return {
        **compare_object(found),
        "passes": [a, b],
        "variables": [dict(zip(keys, (*said, src_of(where)))) for *said, where in variables],
    }, lines


def _variables(cursor: Cursor, a: int, b: int) -> Iterator[tuple[str, str, str, Line]]:
    """Yield the variables that differ, with both meanings, at the first line that both passes ran and where they do.

    One that the pass assigns is asked for after that: before, it means what the pass before has left.
    """
    lines, (mine, other) = cursor.trace.lines, (_lines(cursor.trace, number) for number in (a, b))
    both = {mine[place]: other[place] for place in mine if place in other}
    assigned = {name for pair in both.items() for at in pair for name in lines[at].changed}
    seen = set[str]()
    for one, two in both.items():
        there, new = cursor.variables.of(two, two), lines[one].changed.keys() | lines[two].changed.keys()
        for name, text in cursor.variables.of(one, one).items():
            asked = name not in seen and (name in new or name not in assigned)
            if asked and there.get(name, text) != text and text[:6] != "Tensor":
                seen.add(name)
                yield name, text, there[name], Line(*lines[one][4:7])


def _lines(trace: Trace, number: int) -> dict[Place, int]:
    """Return the lines that ran in a pass and the forward run to it, as indices in the recording.

    They begin after the head of the loop, which still finds what the turn before has left.
    """
    inside = [node.event for node in mirror(trace, number).nodes.values() if node.event is not None]
    first, last, ran, count = min(inside), max(inside), trace.lines, Counter[tuple[str, int]]()
    there = [at for at, one in enumerate(ran) if first <= one.before_event <= last]
    there = [at for at in there if "return" not in ran[at].changed]
    outermost = min((ran[at].frame for at in there), default=0)
    own = [at for at in there if ran[at].frame == outermost and ran[at].before_event == first]
    turns = [after for before, after in pairwise(own) if ran[after].line < ran[before].line]
    found = dict[Place, int]()
    for at in (one for one in there if one > max(turns, default=-1)):
        found[ran[at].file, ran[at].line, count[ran[at].file, ran[at].line]] = at
        count[ran[at].file, ran[at].line] += 1
    return found
