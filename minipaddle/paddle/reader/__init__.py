"""paddle.reader: functions that return iterators over examples, and how such readers are combined.

The examples are read in this process and this thread, whatever a reader is asked for: the same ones arrive.
"""

from minipaddle.paddle.reader.decorator import (
    ComposeNotAligned,
    buffered,
    cache,
    chain,
    compose,
    firstn,
    map_readers,
    multiprocess_reader,
    shuffle,
    xmap_readers,
)

__all__ = [
    "ComposeNotAligned", "buffered", "cache", "chain", "compose", "firstn", "map_readers",
    "multiprocess_reader", "shuffle", "xmap_readers",
]  # fmt: skip
