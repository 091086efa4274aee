"""The profiler: looks on in some steps of a loop, and tells afterwards what took how long."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

from minipaddle.engine.core.watching import watching
from minipaddle.paddle.framework.whole_file import write_whole
from minipaddle.paddle.profiler.spans import Span, Spans, look, look_away
from minipaddle.paddle.profiler.states import (
    ProfilerState,
    ProfilerTarget,
    Scheduler,
    SortedKeys,
    SummaryView,
    TracerEventType,
    always,
    between,
)
from minipaddle.paddle.profiler.timer import Timer

_LOOKING = (ProfilerState.RECORD, ProfilerState.RECORD_AND_RETURN)
_OWN = (TracerEventType.PythonUserDefined, TracerEventType.UserDefined)
_UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}


class Profiler:
    """Looks on in those steps of a loop that a scheduler names.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/profiler/Profiler_en.html)

    Args:
        targets: accepted: there is the CPU.
        scheduler: says of a step what to do; or (first step, step behind the last); None: look at all.
        on_trace_ready: called with the profiler when a round of steps is over; None: nothing is called.
        record_shapes, profile_memory, emit_nvtx, custom_device_types, with_flops: accepted.
        timer_only: only time the steps, for :meth:`step_info`.

    Raises:
        AssertionError: for a tuple that is no range of steps.
    """

    def __init__(
        self,
        *,
        targets: Iterable[ProfilerTarget] | None = None,
        scheduler: Scheduler | tuple[int, int] | None = None,
        on_trace_ready: Callable[[Profiler], Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        timer_only: bool = False,
        emit_nvtx: bool = False,
        custom_device_types: Sequence[str] = (),
        with_flops: bool = False,
    ) -> None:
        if isinstance(scheduler, tuple | list):
            scheduler = between(*scheduler)
        self.scheduler: Scheduler = scheduler or always
        self.on_trace_ready = on_trace_ready
        self.timer_only = timer_only
        self.step_num = 0
        self.current_state = ProfilerState.CLOSED
        self._spans = Spans()
        self._timer = Timer()
        self._view: Any = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin the first step."""
        self._timer = Timer()
        self._change(self.scheduler(self.step_num))

    def stop(self) -> None:
        """End the last step. If a round was on its way, it is over; of timed steps a table is printed."""
        looked = self.current_state in _LOOKING
        self._change(ProfilerState.CLOSED)
        if self.timer_only:
            sys.stdout.write(f"{self._timer.summary()}\n")
        elif looked:
            self._ready()

    def step(self, num_samples: int | None = None) -> None:
        """End a step, in which there were `num_samples` examples, and begin the next."""
        self._timer.step(num_samples)
        is_last = self.current_state is ProfilerState.RECORD_AND_RETURN
        self.step_num += 1
        if is_last:
            self._change(ProfilerState.CLOSED)
            self._ready()
        self._change(self.scheduler(self.step_num))

    def step_info(self, unit: str | None = None) -> str:
        """Return how long a step took on average since this was last asked, and how many `unit` a second that is."""
        return self._timer.info(unit)

    def _change(self, state: ProfilerState) -> None:
        looks, looked = (one in _LOOKING and not self.timer_only for one in (state, self.current_state))
        self.current_state = state
        if looks and not looked:
            self._spans = Spans()
            look(self._spans)
            self._view = watching(self._spans)
            self._view.__enter__()
        elif looked and not looks:
            self._view.__exit__(None, None, None)
            look_away(self._spans)

    def _ready(self) -> None:
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    def export(self, path: str = "", format: str = "json") -> None:
        """Write the last round into a file that Chrome's tracing shows (chrome://tracing).

        Raises:
            ValueError: for another format.
        """
        if format != "json":
            raise ValueError(f"the format should be 'json', but received {format!r}")
        events = [
            {
                "name": span.name,
                "cat": span.kind.name,
                "ph": "X",
                "ts": span.began * 1e6,
                "dur": span.seconds * 1e6,
                "pid": os.getpid(),
                "tid": 0,
            }
            for span in self._spans.found
        ]
        write_whole(path, json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}).encode())

    def summary(
        self,
        sorted_by: SortedKeys = SortedKeys.CPUTotal,
        op_detail: bool = True,
        thread_sep: bool = False,
        time_unit: str = "ms",
        views: SummaryView | Sequence[SummaryView] | None = None,
    ) -> None:
        """Print tables of what the last round took: by kind, by operator, by one's own names.

        Args:
            sorted_by: by which time.
            op_detail: whether to show the operators.
            thread_sep: accepted.
            time_unit: "s", "ms", "us" or "ns".
            views: which tables; None for all there are.

        Raises:
            KeyError: for another unit.
        """
        wanted = [views] if isinstance(views, SummaryView) else list(views or SummaryView)
        operators = [span for span in self._spans.found if span.kind not in _OWN]
        tables = {
            SummaryView.OverView: ("Kinds", operators, lambda span: span.kind.name),
            SummaryView.OperatorView: ("Operators", operators if op_detail else [], _name),
            SummaryView.UDFView: ("Own code", [one for one in self._spans.found if one.kind in _OWN], _name),
        }
        for view, (title, spans, key) in tables.items():
            if view in wanted and spans:
                sys.stdout.write(_table(title, spans, key, sorted_by, time_unit))


def _name(span: Span) -> str:
    return span.name


def _table(
    title: str, spans: Sequence[Span], key: Callable[[Span], str], sorted_by: SortedKeys, unit: str
) -> str:
    """Return a table of the times of some spans, put together by `key`."""
    times = defaultdict(list)
    for span in spans:
        times[key(span)].append(span.seconds * _UNITS[unit])
    parts = {name: (sum(t), sum(t) / len(t), max(t), min(t)) for name, t in times.items()}
    column = ("Total", "Avg", "Max", "Min").index(sorted_by.name[3:])
    whole = sum(numbers[0] for numbers in parts.values())
    width = max(map(len, [title, *parts]))
    lines = [f"{title:<{width}}  Calls  {f'Total / Avg / Max / Min ({unit})':>44}  Ratio (%)"]
    for name, numbers in sorted(parts.items(), key=lambda row: -row[1][column]):
        cells = " / ".join(f"{number:.4f}" for number in numbers)
        share = 100 * numbers[0] / whole
        lines.append(f"{name:<{width}}  {len(times[name]):>5}  {cells:>44}  {share:>9.2f}")
    return "\n".join(lines) + "\n\n"


def export_chrome_tracing(dir_name: str, worker_name: str | None = None) -> Callable[[Profiler], None]:
    """Return what writes each round into a file in a folder, for ``on_trace_ready``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/profiler/export_chrome_tracing_en.html)

    Args:
        dir_name: the folder, made if it is not there.
        worker_name: how the files' names begin; None: by the machine and the process.
    """
    worker = worker_name or f"host_{socket.gethostname()}pid_{os.getpid()}"

    def export(profiler: Profiler) -> None:
        name = f"{worker}_step_{profiler.step_num}.paddle_trace.json"
        profiler.export(os.path.join(dir_name, name))

    return export
