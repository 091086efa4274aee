"""The data of the check: a differentiated call, the options of a check, and its results.

Below: the answers as lines and as JSON data. Read next: :mod:`minipaddle.tools.checks.gradient.source`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, SupportsInt

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Array
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

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for the calls that are reported together: the same code at the same line, with equal shapes."""
        shapes = tuple(value.shape for _, value in self.floating)
        return self.event.title, self.forward.where, shapes, repr(sorted(self.forward.attrs))

    def asks_for(self, place: int) -> bool:
        """Return whether a gradient for an input was wanted: a Program computes none that leads to nothing wanted."""
        return self.arrives(place) or any(one.op == "backward" for one in self.trace.inside(self.event)[:1])

    def arrives(self, place: int) -> bool:
        """Return whether a gradient of an input was computed, as for a gradient that requires one only later."""
        return place < len(self.event.outputs) and self.event.outputs[place] is not None

    @property
    def ran_inside(self) -> list[Event]:
        """The events in the bodies of forward and backward, from their ``Enter`` on."""
        return [*self.trace.inside(self.forward), *self.trace.inside(self.event)]


def call_of(trace: Trace, event: Event) -> Call | None:
    """Return the call of a forward or gradient event; None for other events."""
    forward = event if event.kind == "op" else trace.differentiated(event)
    return None if forward is None else Call(trace, forward, event)


def same_line(call: Call) -> Iterator[Call]:
    """Yield the other calls of the same code at the same line, with inputs of the same shapes."""
    for event in call.trace.events:
        if event.kind == "grad" and event is not call.event and event.title == call.event.title:
            other = call_of(call.trace, event)
            if other is not None and event.was_taken and other.key == call.key:
                yield other


Verdict = Literal["ok", "wrong", "unsure", "unchecked", "intended"]
"""unsure: at a kink, or below the noise. intended: wrong, and the script says that this is intended."""


class Mistake(NamedTuple):
    """A mistake, in words, and its line."""

    kind: str
    text: str
    line: Line | None

    @property
    def key(self) -> tuple[str, str, Line | None]:
        """Equal for the same mistake in two calls: names of values have numbers that differ."""
        return self.kind, re.sub(r"(_| #)\d+", "", self.text), self.line


_OTHERS = 2
"""Most further lines that are named: where each of a chain of operators could lack the same factor, a few will do."""


def alternatives(found: Sequence[Mistake]) -> Mistake:
    """Return the first of several mistakes that explain the same, with the others in its text."""
    first, *more = found
    texts = [say("or line {line}: {text}", line=one.line.number, text=one.text) for one in more if one.line]
    return first._replace(text=say("; ").join([first.text, *texts[:_OTHERS]]))


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

    none, zero, swapped, flat, surrogate, reversal, call, overwritten, seed, sign, factor, term, transposed, flipped,
    shifted, moved, axis, mean, broadcast, mask, saved, operator, diagonal, accumulate, conjugate, captured, elements,
    not finite.
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
    """The number of this call among them, from 1, in the order of forward."""
    place: Hashable = 0
    """The position of the input; equal for the same input of another call."""
    inside: Trace | None = None
    """The run of a to_static Program that has the event; None: the recording."""
    order: int = 1
    """2: the gradient of backward itself."""
    find: Callable[[], Mistake] | None = None
    """Finds the mistake, which takes long: of the calls of a line, only that of the worst is looked for."""

    @property
    def title(self) -> str:
        """The name of the operator that was checked: ``Own_grad``, or ``Own_grad_grad`` for the gradient of that."""
        return title(self.event) + "_grad" * (self.order - 1)

    def explain(self) -> None:
        """Set the mistake, its cause and line."""
        if self.find is not None:
            (self.mistake, self.cause, self.line), self.find = self.find(), None
            self.verdict = "intended" if self.mistake == "surrogate" else self.verdict
            if self.verdict == "wrong" and not self.wrong_elements and not self.mistake and self.line is None:
                self.verdict = "unsure"  # right in this run, and no mistake of backward is known

    def compare(self, given: Array, right: Array, wrong: Array, unsure: Array) -> None:
        """Set the verdict by the elements that are wrong, or that cannot be judged, and the worst of them."""
        with np.errstate(invalid="ignore"):
            sizes = float(np.abs(right[~unsure]).max(initial=0)) or 1.0
            gaps = np.asarray(np.where(unsure, 0.0, np.abs(given - right))) / sizes
            gaps = np.where(np.isnan(gaps), np.inf, gaps)
        self.covered -= int(unsure.sum())
        if gaps.size:
            shown = np.where(wrong, gaps, -1.0) if wrong.any() else gaps
            self.show(np.unravel_index(int(shown.argmax()), gaps.shape), given, right)
            self.difference = float(gaps[self.spot])
        if wrong.any():
            self.verdict, self.wrong_elements = "wrong", int(wrong.sum())
        elif unsure.size and unsure.all():
            self.verdict, self.cause = "unsure", say("the gradient is not finite")

    def show(self, spot: Iterable[SupportsInt], given: Array, right: Array) -> None:
        """Set the element that is shown, with its two numbers."""
        self.spot = tuple(map(int, spot))
        self.analytic, self.numeric = given[self.spot].item(), right[self.spot].item()

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


def checked(call: Call, value: Value, place: Hashable) -> Checked:
    """Return a result for one input: all elements are right, until a comparison finds something else."""
    size = math.prod(value.shape)
    return Checked(call.event, value.name, "ok", size, size, place=place)


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
    return spaced(one.title, one.name, word(one.verdict), what, _calls(one), where)


def _elements(one: Checked) -> int | str:
    """Return how many elements were compared: ``12``, or ``64 of 40000``."""
    if one.covered == one.elements:
        return one.elements
    return say("{some} of {all}", some=one.covered, all=one.elements)


def what_is_wrong(one: Checked) -> str:
    """Return the mistake as text: the worst element, the cause, and its line."""
    line = line_text(one.line)
    mistake = f"{line}: {one.cause}" if line and one.cause else one.cause
    if line and not one.cause:
        mistake = say("it comes from {line}; no change that was tried makes it right", line=line)
    if not one.wrong_elements or one.mistake == "reversal":
        return mistake
    spot = f"{one.name}{list(one.spot)}" if one.spot else one.name
    what = say(
        "d {spot}: {analytic} differs from the derivative, {numeric}" if one.mistake in ("flat", "surrogate") else
        "d {spot}: {analytic} was computed, {numeric} is right",
        spot=spot, analytic=number(one.analytic), numeric=number(one.numeric),
    )  # fmt: skip
    some = ""  # where all are wrong, a few are right by chance
    if one.wrong_elements < 0.9 * one.covered and one.exact and one.mistake != "surrogate":
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


def any_checked(found: Sequence[Checked]) -> bool:
    """Return whether any gradient was compared: "0 wrong" of 0 is no good news."""
    return any(one.verdict != "unchecked" for one in found)


def check_summary(found: Sequence[Checked]) -> str:
    """Return the counts of all results: ``12 gradients checked, 1 wrong, 2 unchecked``; a warning if none was."""
    count = Counter(one.verdict for one in found)
    if not found:
        return say(
            "0 gradients checked: no such operator was differentiated, so nothing is known to be right"
        )
    if not any_checked(found):
        return say("0 gradients checked, {count} unchecked: nothing is known to be right", count=len(found))
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
        "op": one.title,
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
        "line": line_text(one.line) or None,
        "calls": one.calls,
        "checked_calls": one.checked_calls,
        "call": one.call,
        "where": place(blamed(one.inside or trace, one.event)),
    }
