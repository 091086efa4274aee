"""The data of the check: a differentiated call, the options of a check, and its results.

Also facts from the script's text about a backward: its last line, and whether it is intentionally not the gradient.
Below: the answers as lines and as JSON data.
"""

from __future__ import annotations

import ast
import linecache
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from minipaddle.engine.errors import Line
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.events import blamed, place, stop_numbers, title
from minipaddle.tools.words.json import json_number
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import line_text, number, spaced
from minipaddle.tools.words.terminal import word


class Call(NamedTuple):
    """A call of an operator, or of the user's own code."""

    trace: Trace
    forward: Event
    event: Event
    """The event of its gradient; the forward event again, if there is no gradient event."""

    @property
    def floating(self) -> list[tuple[int, Value]]:
        """The differentiable inputs: their positions and values."""
        values = enumerate(map(self.trace.value, self.forward.inputs))
        return [(at, one) for at, one in values if one is not None and one.kind_of_dtype in "fc"]

    @property
    def incoming(self) -> list[int | None]:
        """The gradient that came in for each output of the forward call."""
        given = self.event.inputs
        return [*given, *[None] * (len(self.forward.outputs) - len(given))]

    def asks_for(self, place: int) -> bool:
        """Return whether a gradient for an input was wanted: a Program computes none that leads to nothing wanted."""
        made = place < len(self.event.outputs) and self.event.outputs[place] is not None
        return made or any(one.op == "backward" for one in self.trace.inside(self.event)[:1])

    @property
    def ran_inside(self) -> list[Event]:
        """The events in the bodies of forward and backward, from their ``Enter`` on."""
        return [*self.trace.inside(self.forward), *self.trace.inside(self.event)]


def call_of(trace: Trace, event: Event) -> Call | None:
    """Return the call of a forward or gradient event; None for other events."""
    forward = event if event.kind == "op" else trace.differentiated(event)
    return None if forward is None else Call(trace, forward, event)


Verdict = Literal["ok", "wrong", "unsure", "unchecked", "intended"]
"""unsure: at a kink, or below the noise. intended: wrong, and the script says that this is intended."""


class Mistake(NamedTuple):
    """A mistake, in words, and its line."""

    kind: str
    text: str
    line: Line | None


@dataclass
class Checked:
    """The result for one input of an operator at one line, for the call where it is worst."""

    event: Event
    name: str
    """The name of the input."""
    verdict: Verdict
    elements: int = 0
    """The number of elements of the input."""
    covered: int = 0
    """The number of elements that were compared."""
    difference: float = 0.0
    """The worst relative difference."""
    spot: tuple[int, ...] = ()
    analytic: complex = 0.0
    numeric: complex = 0.0
    cause: str = ""
    """The likely cause; or why it was not checked."""
    mistake: str = ""
    """The kind of mistake; "" if unknown:

    none, zero, swapped, flat, call, overwritten, seed, sign, factor, term, transposed, flipped, shifted, moved, axis,
    mean, broadcast, mask, saved, operator, diagonal, accumulate, conjugate, captured, elements, not finite.
    """
    line: Line | None = None
    """The line of the user's code that the mistake is in."""
    exact: bool = False
    """Whether it was compared with gradient rules, not with slopes."""
    wrong_elements: int = 0
    calls: int = 1
    """The number of calls at this line."""
    checked_calls: int = 1
    call: int = 1
    """The number of this call among them, from 1."""
    inside: Trace | None = None
    """The run of a to_static Program that has the event; None: the recording."""

    def leave(self, verdict: Verdict, cause: str) -> None:
        """Set a verdict without comparison, with its cause."""
        self.verdict, self.cause, self.covered = verdict, cause, 0


class How(NamedTuple):
    """How the check compares."""

    step: float | None = None
    """Step by which an input is moved; None: chosen by the precision of the outputs."""
    tolerance: float = 1e-3
    """Relative difference above which a gradient is wrong: far above rounding, far below common mistakes."""
    dtype: str = "float64"
    """Dtype in which operators run when an input is moved."""
    intended: Collection[str] = ()
    """Names of classes and functions whose backward is intentionally not the gradient."""


AS_USUAL = How()


def nothing_came_in() -> str:
    """Return the sentence on a call that is unchecked because all incoming gradients are zero."""
    return say("every gradient that came in is zero: there is nothing to compare")


def checked(call: Call, value: Value) -> Checked:
    """Return a result for one input: all elements are right, until a comparison finds something else."""
    size = math.prod(value.shape)
    return Checked(call.event, value.name, "ok", size, size)


def check_line(trace: Trace, one: Checked) -> str:
    """Return a result as a line: ``matmul_grad  x  ok  12 elements, worst difference 2e-08  train.py:3``."""
    where = place(blamed(one.inside or trace, one.event))
    if one.verdict == "ok":
        what = say(
            "{count} elements, worst difference {gap}", count=_elements(one), gap=f"{one.difference:.1g}"
        )
    elif one.verdict in ("wrong", "intended"):
        what = what_is_wrong(one)
    else:
        what = f"{line_text(one.line)}: {one.cause}" if one.line else one.cause
    return spaced(title(one.event), one.name, word(one.verdict), what, _calls(one), where)


def _elements(one: Checked) -> str:
    """Return how many elements were compared: ``12``, or ``64 of 40000``."""
    if one.covered == one.elements:
        return str(one.elements)
    return say("{some} of {all}", some=one.covered, all=one.elements)


def what_is_wrong(one: Checked) -> str:
    """Return the mistake as text: the worst element, the cause, and its line."""
    line = line_text(one.line)
    mistake = f"{line}: {one.cause}" if line and one.cause else line or one.cause
    if not one.wrong_elements:
        return mistake
    spot = f"{one.name}{list(one.spot)}" if one.spot else one.name
    what = say(
        "d {spot}: {analytic} was computed, {numeric} is right",
        spot=spot,
        analytic=number(one.analytic),
        numeric=number(one.numeric),
    )
    some = ""
    if one.wrong_elements < one.covered and one.exact:
        some = say("{some} of {all} elements are wrong", some=one.wrong_elements, all=one.elements)
    more = say("; ").join(filter(None, (mistake, some)))
    return say("{what} ({more})", what=what, more=more) if more else what


def _calls(one: Checked) -> str:
    """Return the number of the call, or the count of calls, if there are several; else ""."""
    if one.calls == 1:
        return ""
    if one.verdict in ("wrong", "intended"):
        return say("call {call} of {calls}", call=one.call, calls=one.calls)
    if one.checked_calls in (one.calls, 0):
        return say("{calls} calls", calls=one.calls)
    return say("{some} of {calls} calls", some=one.checked_calls, calls=one.calls)


def check_summary(found: Sequence[Checked]) -> str:
    """Return the counts of all results: ``12 gradients checked, 1 wrong, 2 unchecked``."""
    count = Counter(one.verdict for one in found)
    parts = [say("{count} gradients checked", count=len(found) - count["unchecked"])]
    parts.append(say("{count} wrong", count=count["wrong"]))
    parts += [say("{count} wrong as intended", count=count["intended"])] if count["intended"] else []
    parts += [say("{count} unsure", count=count["unsure"])] if count["unsure"] else []
    parts += [say("{count} unchecked", count=count["unchecked"])] if count["unchecked"] else []
    return say(", ").join(parts)


def check_object(trace: Trace, one: Checked) -> dict[str, object]:
    """Return a result as JSON data."""
    return {
        "i": None if one.inside else stop_numbers(trace)[one.event.index],
        "op": title(one.event),
        "input": one.name,
        "verdict": one.verdict,
        "exact": one.exact,
        "elements": one.elements,
        "compared": one.covered,
        "wrong_elements": one.wrong_elements,
        "difference": json_number(one.difference),
        "at": list(one.spot),
        "analytic": json_number(one.analytic),
        "numeric": json_number(one.numeric),
        "mistake": one.mistake,
        "cause": one.cause,
        "line": line_text(one.line),
        "calls": one.calls,
        "checked_calls": one.checked_calls,
        "call": one.call,
        "where": place(blamed(one.inside or trace, one.event)),
    }


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


def line_of_answer(call: Call, place: int) -> Line | None:
    """Return the line of the user's backward that made the gradient of an input; None if unknown."""
    parts = call.event.parts[place] if place < len(call.event.parts) else None
    inside = call.trace.inside(call.event)
    for value in call.trace.known(parts or ()):
        maker = call.trace.maker(value)
        if maker is not None and any(maker is one for one in inside):
            return maker.where
    is_function = bool(inside) and inside[0].op == "function"  # py_func: only its entry is recorded
    for file, text in _files(call):
        for one in _defined(call, file, text, {inside[0].title if is_function else call.forward.title}):
            if one.returns:
                return Line(file, one.returns, "backward")
    ran = [one.where for one in inside[not is_function :] if one.where is not None]
    return ran[-1] if ran else None


def _functions_of(call: Call) -> set[str]:
    """Return the names of the functions that contain the lines of a static_pylayer's Blocks."""
    inside, around = call.ran_inside, call.forward.where
    if call.forward.body is None or call.event.body is None or inside[0].op != "block":
        return set()
    functions = {one.where.function for one in inside if one.where is not None}
    return functions - {around.function if around else "", "<module>"}


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
    head: set[int]
    """The lines of its head, and of its backward's head."""
    inside: set[int]
    """All its lines."""
    returns: int
    """The line of its last return, for a class backward's; 0 if it has none."""


@lru_cache(maxsize=32)
def _definitions(text: str) -> list[_Definition]:
    """Return the definitions in a file."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            own = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "backward"]
            lines = {line for one in (node, *own) for line in _head(one)}
            inside = own if isinstance(node, ast.ClassDef) else [node]
            ends = [end.lineno for one in inside for end in ast.walk(one) if isinstance(end, ast.Return)]
            returns = max(ends, default=0)
            whole = set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            found.append(_Definition(node.name, lines, whole, returns))
    return found


def _head(node: ast.ClassDef | ast.FunctionDef) -> set[int]:
    """Return the lines from the one above the first decorator to where the body begins, its docstring included."""
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    begin = node.body[0]
    end = (begin.end_lineno or begin.lineno) + 1 if ast.get_docstring(node, clean=False) else begin.lineno
    return set(range(first - 1, max(end, node.lineno + 1)))
