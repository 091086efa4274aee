"""paddle.profiler: how long operators and one's own code take, by the wall clock.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/profiler/Overview_en.html)
"""

from minipaddle.engine.core.later import front

__getattr__ = front(
    globals(),
    {
        "profiler": "Profiler export_chrome_tracing",
        "spans": "RecordEvent",
        "states": "ProfilerState ProfilerTarget SortedKeys SummaryView TracerEventType make_scheduler",
    },
)
