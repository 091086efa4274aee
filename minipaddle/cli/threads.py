"""How many threads a script starts: a recording sees only what the thread of the script itself does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["threads_counted"]


@contextmanager
def threads_counted() -> Iterator[list[str]]:
    """Yield a list that gets the name of each thread that is started in the ``with`` block.

    The start of a thread is wrapped for that time: an audit hook could never be taken off again, and would be called
    at every look at a frame, of which a recording is full.
    """
    begun: list[str] = []
    start = threading.Thread.start

    def counted(thread: threading.Thread) -> None:
        begun.append(thread.name)
        start(thread)

    _let_start_be(counted)
    try:
        yield begun
    finally:
        _let_start_be(start)


def _let_start_be(function: object, name: str = "start") -> None:
    setattr(threading.Thread, name, function)
