"""When a profiler looks, at what, and how its tables are sorted."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

ProfilerState = Enum("ProfilerState", ["CLOSED", "READY", "RECORD", "RECORD_AND_RETURN"], start=0)
"""What a profiler does in a step: nothing, nothing yet, look, look for the last time in this round."""
ProfilerTarget = Enum("ProfilerTarget", ["CPU", "GPU", "XPU", "CUSTOM_DEVICE"], start=0)
"""Which device to look at; there is one."""
SortedKeys = Enum("SortedKeys", "CPUTotal CPUAvg CPUMax CPUMin GPUTotal GPUAvg GPUMax GPUMin", start=0)
"""By which time tables are sorted."""
SummaryView = Enum(
    "SummaryView",
    "DeviceView OverView ModelView DistributedView KernelView OperatorView MemoryView MemoryManipulationView UDFView",
    start=0,
)
"""Which tables to show: OverView, OperatorView and UDFView are here."""
TracerEventType = Enum(
    "TracerEventType",
    "Operator Dataloader ProfileStep CudaRuntime Kernel Memcpy Memset UserDefined OperatorInner Forward Backward "
    "Optimization Communication PythonOp PythonUserDefined DygraphKernelLaunch StaticKernelLaunch",
    start=0,
)
"""What kind of thing takes its time."""

Scheduler = Callable[[int], ProfilerState]


def make_scheduler(
    *, closed: int, ready: int, record: int, repeat: int = 0, skip_first: int = 0
) -> Scheduler:
    """Return which state each step is in: rounds of closed, ready and recorded steps.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/profiler/make_scheduler_en.html)

    Args:
        closed: steps of a round that nobody looks at.
        ready: steps after them in which nobody looks yet.
        record: steps after them that are looked at, at least 1.
        repeat: how many rounds; 0 for ever.
        skip_first: steps before the first round.

    Raises:
        AssertionError: **Invalid profiler scheduler arguments**.
    """
    wrong = min(closed, ready, repeat, skip_first) < 0 or record < 1
    assert not wrong, "Invalid profiler scheduler arguments"
    length = closed + ready + record

    def state(step: int) -> ProfilerState:
        assert step >= 0, f"a step is counted from 0, but received {step}"
        turn, place = divmod(step - skip_first, length)
        if turn < 0 or (repeat and turn >= repeat) or place < closed:
            return ProfilerState.CLOSED
        if place < closed + ready:
            return ProfilerState.READY
        return ProfilerState.RECORD_AND_RETURN if place == length - 1 else ProfilerState.RECORD

    return state


def always(step: int) -> ProfilerState:
    """Return that every step is looked at."""
    return ProfilerState.RECORD


def between(start: int, end: int) -> Scheduler:
    """Return the scheduler that looks at the steps from `start` up to `end`.

    Raises:
        AssertionError: there is no such step.
    """
    assert end > start >= 0, (
        f"the scheduler should be (start, end), with 0 <= start < end, but is {(start, end)}"
    )
    ready = 1 if start > 0 else 0
    return make_scheduler(closed=start - ready, ready=ready, record=end - start, repeat=1)
