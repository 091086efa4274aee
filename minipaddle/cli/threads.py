"""Which threads a script starts: a recording sees only what the thread of the script itself does."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["threads_named"]


@contextmanager
def threads_named() -> Iterator[list[str]]:
    """Yield a list that gets the name of each thread that is started in the ``with`` block.

    Each tells its name by the profile function that it begins with, and puts that away. One that has not come so far at
    the end of the block is alive, and asked for. (An audit hook would be called at every look at a frame, of which a
    recording is full, and never goes away.)
    """
    before, profile = threading.enumerate(), threading.getprofile()
    names: list[str] = []

    def began(*_: object) -> None:
        sys.setprofile(profile)
        names.append(threading.current_thread().name)

    threading.setprofile(began)
    try:
        yield names
    finally:
        threading.setprofile(profile)
        alive = [thread.name for thread in threading.enumerate() if thread not in before]
        names += [name for name in alive if name not in names]
