"""What took how long: a span for each operator, each node of a backward pass, each piece of one's own code."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple, Self

from minipaddle.engine.autograd.methods import GradNode
from minipaddle.engine.core.meta import Attrs
from minipaddle.engine.core.mode import CustomCall
from minipaddle.engine.core.node import AccumulateGrad, Step
from minipaddle.engine.core.observer import Observer
from minipaddle.engine.core.operator import Operator
from minipaddle.paddle.profiler.states import TracerEventType
from minipaddle.paddle.static.executor.interpreter import ProgramStep


class Span(NamedTuple):
    """Something that took its time."""

    name: str
    kind: TracerEventType
    began: float
    """By :func:`time.perf_counter`, in seconds."""
    seconds: float


class Spans(Observer):
    """Keeps a span for everything that it is told; a part is kept as well as the whole that it is in."""

    def __init__(self) -> None:
        self.found: list[Span] = []

    def note(self, name: str, kind: TracerEventType, seconds: float) -> None:
        """Keep what ends now."""
        self.found.append(Span(name, kind, perf_counter() - seconds, seconds))

    def called(
        self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs, outputs: Any, inplace: bool, seconds: float
    ) -> None:
        """Keep an operator: one that updates parameters is an optimizer's."""
        self.note(op.type, TracerEventType.Optimization if op.updates else TracerEventType.Operator, seconds)

    def custom_called(self, call: CustomCall, inputs: Sequence[Any], outputs: Any, seconds: float) -> None:
        """Keep a PyLayer or its like, with all that is inside."""
        self.note(call.name, TracerEventType.PythonOp, seconds)

    def stepped(self, step: Step, seconds: float) -> None:
        """Keep a node of a backward pass, if its rules were run."""
        if step[2] or isinstance(step[0], AccumulateGrad):
            self.note(GradNode(step[0]).name(), TracerEventType.Backward, seconds)

    def program_stepped(self, event: Any, seconds: float) -> None:
        """Keep an operator of a Program that an Executor runs."""
        if isinstance(event, ProgramStep):
            self.note(event.op.type, TracerEventType.StaticKernelLaunch, seconds)


_looking: list[Spans] = []
"""The spans of the profilers that look now."""


def look(spans: Spans) -> None:
    """Let `spans` also note the user's own spans (`RecordEvent`)."""
    _looking.append(spans)


def look_away(spans: Spans) -> None:
    """Undo :func:`look`."""
    _looking.remove(spans)


class RecordEvent:
    """A piece of one's own code with a name: in a ``with`` block, or from :meth:`begin` to :meth:`end`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/profiler/RecordEvent_en.html)

    Args:
        name: what tables and traces call it.
        event_type: what kind of thing it is.
    """

    def __init__(self, name: str, event_type: TracerEventType = TracerEventType.PythonUserDefined) -> None:
        self.name, self.event_type = name, event_type
        self._began: float | None = None

    def begin(self) -> None:
        """Note the time."""
        self._began = perf_counter()

    def end(self) -> None:
        """Tell those profilers that look now how long it took; without :meth:`begin` nothing."""
        if self._began is None:
            return
        seconds = perf_counter() - self._began
        for spans in _looking:
            spans.note(self.name, self.event_type, seconds)
        self._began = None

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.end()
