"""The nouns of the check: a call that was differentiated, what a check is asked, and what it answers."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, NamedTuple

from minipaddle.engine.errors import Line
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.language import say


class Call(NamedTuple):
    """A call of an operator, or of the user's own code."""

    trace: Trace
    forward: Event
    event: Event
    """The event of its gradient; the forward event again, where no gradient is asked for."""

    @property
    def floating(self) -> list[tuple[int, Value]]:
        """The inputs that can be differentiated for: their positions, and the values."""
        values = enumerate(map(self.trace.value, self.forward.inputs))
        return [(at, one) for at, one in values if one is not None and one.kind_of_dtype in "fc"]

    @property
    def incoming(self) -> list[int | None]:
        """The gradient that came in for each output of the forward call."""
        given = self.event.inputs
        return [*given, *[None] * (len(self.forward.outputs) - len(given))]

    def asks_for(self, place: int) -> bool:
        """Return whether a gradient for an input was asked for: a Program leaves out what leads to nothing wanted."""
        made = place < len(self.event.outputs) and self.event.outputs[place] is not None
        return made or any(one.op == "backward" for one in self.trace.inside(self.event)[:1])

    @property
    def ran_inside(self) -> list[Event]:
        """What ran in the bodies of forward and backward, where these begin included."""
        return [*self.trace.inside(self.forward), *self.trace.inside(self.event)]


def call_of(trace: Trace, event: Event) -> Call | None:
    """Return the call that an event is, or is the gradient of; None for any other."""
    forward = event if event.kind == "op" else trace.differentiated(event)
    return None if forward is None else Call(trace, forward, event)


Verdict = Literal["ok", "wrong", "unsure", "unchecked", "intended"]
"""unsure: at a kink, or below the noise. intended: wrong, and the script says that it is meant."""


class Mistake(NamedTuple):
    """What is wrong, in words, and where."""

    kind: str
    text: str
    line: Line | None


@dataclass
class Checked:
    """The result for one input of an operator at one line: of the call where it is worst."""

    event: Event
    name: str
    """The input."""
    verdict: Verdict
    elements: int = 0
    """How many the input has."""
    covered: int = 0
    """How many of them were compared."""
    difference: float = 0.0
    """The worst relative difference."""
    spot: tuple[int, ...] = ()
    analytic: complex = 0.0
    numeric: complex = 0.0
    cause: str = ""
    """The likely cause; or why it was not checked."""
    mistake: str = ""
    """The kind of mistake; "": it was not found out.

    none, zero, swapped, flat, call, overwritten, seed, sign, factor, term, transposed, flipped, shifted, moved, axis,
    mean, broadcast, mask, saved, operator, diagonal, accumulate, conjugate, captured, elements, not finite.
    """
    line: Line | None = None
    """The line of the user's code that the mistake is in."""
    exact: bool = False
    """Whether it was compared with our own rules, and not with slopes."""
    wrong_elements: int = 0
    calls: int = 1
    """How many calls there were of this line."""
    checked_calls: int = 1
    call: int = 1
    """Which of them this is, from 1."""
    inside: Trace | None = None
    """The run of a Program of to_static that the event is of; None: the recording."""

    def leave(self, verdict: Verdict, cause: str) -> None:
        """Note that nothing was compared, and why."""
        self.verdict, self.cause, self.covered = verdict, cause, 0


class How(NamedTuple):
    """How the check compares."""

    step: float | None = None
    """How far an input is moved; None: as the precision of the outputs wants it."""
    tolerance: float = 1e-3
    """Which relative difference is a mistake."""
    dtype: str = "float64"
    """In which precision operators run when an input is moved."""
    intended: Collection[str] = ()
    """Names of classes and functions whose backward is meant not to be the gradient."""


AS_USUAL = How()


def nothing_came_in() -> str:
    """Return why a call is unchecked whose outputs got zeros."""
    return say("every gradient that came in is zero: there is nothing to compare")


def checked(call: Call, value: Value) -> Checked:
    """Return a result for one input: all elements are right, until a comparison finds something else."""
    size = math.prod(value.shape)
    return Checked(call.event, value.name, "ok", size, size)
