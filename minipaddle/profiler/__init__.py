"""paddle.profiler: how long operators and one's own code take, by the wall clock.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/profiler/Overview_en.html)
"""

from minipaddle.names.missing import missing
from minipaddle.profiler.profiler import Profiler, export_chrome_tracing
from minipaddle.profiler.spans import RecordEvent
from minipaddle.profiler.states import (
    ProfilerState,
    ProfilerTarget,
    SortedKeys,
    SummaryView,
    TracerEventType,
    make_scheduler,
)

__all__ = [
    "Profiler",
    "ProfilerState",
    "ProfilerTarget",
    "RecordEvent",
    "SortedKeys",
    "SummaryView",
    "TracerEventType",
    "export_chrome_tracing",
    "make_scheduler",
]

__getattr__ = missing(__name__, __all__)
