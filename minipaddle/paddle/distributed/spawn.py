"""``spawn`` of one process: what it starts runs here, where every tool sees it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from minipaddle.engine.core.errors import failure

_ONE = {"PADDLE_TRAINER_ID": "0", "PADDLE_TRAINERS_NUM": "1", "PADDLE_LOCAL_RANK": "0"}
"""What the environment tells the first and only process of a job."""


class MultiprocessContext:
    """What `spawn` returns: there is no process to wait for any more."""

    def __init__(self) -> None:
        self.processes: list[Any] = []

    def join(self, timeout: float | None = None) -> bool:
        """Return True: it has ended."""
        return True


def spawn(
    func: Callable[..., None],
    args: Iterable[Any] = (),
    nprocs: int = -1,
    join: bool = True,
    daemon: bool = False,
    **options: Any,
) -> MultiprocessContext:
    """Call `func(*args)` here and return when it is done, as process 0 of 1.

    Args:
        func: what to call.
        args: its arguments.
        nprocs: 1; -1, which in Paddle is a process for each core, means the same.
        join: accepted: it has run when this returns.
        daemon: accepted.
        **options: accepted; they say where several processes would run.

    Raises:
        RuntimeError: for more processes than one; and what `func` raises.
    """
    if nprocs not in (-1, 1):
        raise one_process("spawn", nprocs)
    with as_process_0_of_1():
        func(*args)
    return MultiprocessContext()


def one_process(name: str, count: int) -> RuntimeError:
    """Return the refusal of several processes."""
    return failure(
        RuntimeError,
        f"{name} of {count} processes works in PaddlePaddle: minipaddle trains in one.",
        "The same script runs with one process, whose rank is 0.",
    )


@contextmanager
def as_process_0_of_1() -> Iterator[None]:
    """Let the environment name this process, inside a ``with`` block."""
    before = {name: os.environ.get(name) for name in _ONE}
    os.environ.update(_ONE)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
