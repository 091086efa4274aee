"""Guard: a ``with`` block that no Ctrl-C can leave half restored.

An interrupt may come between any two instructions, even first in an ``__exit__``: then nothing is restored.
``IOBase.__exit__`` is C, and calls ``close``, which is made of C functions here. In a function,
:func:`minipaddle.engine.mode.eager.run_inside` needs no block.
"""

from __future__ import annotations

import io
import operator
from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any


class Guard(io.IOBase):
    """Changes something for a ``with`` block; one object may be entered again."""

    closed = True  # for IOBase: nothing to close when the object is freed

    def __init__(self) -> None:
        self._ways: list[Callable[[], None]] = []
        go_back = map(operator.call, iter(self._ways.pop, None))  # each call pops the last way, and runs it
        self.close: Callable[[], None] = partial(next, go_back)

    @abstractmethod
    def way_back(self) -> Callable[[], None]:
        """Return a C function that restores the present state."""

    @abstractmethod
    def change(self) -> Any:
        """Make the change; return the value for ``as``."""

    def __enter__(self) -> Any:
        self._ways.append(self.way_back())
        try:
            return self.change()
        except BaseException:
            self.close()
            raise
