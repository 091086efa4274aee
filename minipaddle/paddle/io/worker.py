"""One worker of a DataLoader, in its own process: fetches what it is asked for, until nothing more is asked.

The other end of the pipe is in :mod:`minipaddle.paddle.io.pool`.
"""

from __future__ import annotations

import pickle
import queue
import random
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.errors import is_engine_file
from minipaddle.paddle.framework.settings import disable_static, seed
from minipaddle.paddle.io.collate import Fetcher, Mark, without_tensors

__all__ = ["WorkerInfo", "get_worker_info"]

_WORD = 1 << 32


class WorkerInfo:
    """Which worker this is.

    Attributes:
        id: its number, from 0.
        num_workers: how many there are.
        dataset: its own copy of the dataset.
        seed: what the seeds of all workers are made from.

    Raises:
        RuntimeError: **Cannot assign attributes**, when one is set.
    """

    id: int
    num_workers: int
    dataset: Any
    seed: int

    def __init__(self, id: int, num_workers: int, dataset: Any, seed: int) -> None:
        vars(self).update(id=id, num_workers=num_workers, dataset=dataset, seed=seed)

    def __setattr__(self, name: str, value: Any) -> None:
        raise RuntimeError(f"Cannot assign attributes to {type(self).__name__} objects")


class Failed(NamedTuple):
    """The answer of a worker in which something was raised."""

    kind: type[BaseException]
    text: str
    """The traceback, from the user's code on."""


class Job(NamedTuple):
    """What the workers of a loader need to know."""

    batch_size: int | None
    drop_last: bool
    collate_fn: Callable[[Any], Any]
    init_fn: Callable[[int], None] | None


_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """Return which worker of a DataLoader this process is; None if it is none."""
    return _info


def work(job: Job, info: WorkerInfo, pipe: Connection, inherited: list[Connection]) -> None:
    """Answer each request that comes through a pipe, in order; None ends it, as does the end of the other process."""
    for connection in inherited:
        connection.close()
    with suppress(KeyboardInterrupt, OSError):  # the other process is interrupted too, or gone
        _serve(job, info, pipe)


def _serve(job: Job, info: WorkerInfo, pipe: Connection) -> None:
    disable_static()
    _begin(info)
    fetch = _answer(_prepare, job, info)
    asked = _read_ahead(pipe)
    while (request := asked.get()) is not None:
        answer: Any = Mark.ANEW
        if request is Mark.ANEW:
            fetch = _answer(_fetcher, job, info)
        else:
            answer = fetch if isinstance(fetch, Failed) else _answer(_fetched, fetch, request)
        pipe.send_bytes(_packed(answer))


def _begin(info: WorkerInfo) -> None:
    """Let this process be a worker, with random numbers of its own."""
    global _info
    _info = info
    random.seed(info.seed + info.id)
    seed(info.seed + info.id)
    words = [info.id, info.seed % _WORD, info.seed // _WORD, 0]
    np.random.seed(np.random.SeedSequence(words).generate_state(4))


def _prepare(job: Job, info: WorkerInfo) -> Fetcher:
    if job.init_fn is not None:
        job.init_fn(info.id)
    return _fetcher(job, info)


def _fetcher(job: Job, info: WorkerInfo) -> Fetcher:
    return Fetcher(info.dataset, job.batch_size, job.drop_last, job.collate_fn)


def _fetched(fetch: Fetcher, request: Any) -> Any:
    return without_tensors(fetch(request))


def _answer(call: Callable[..., Any], *args: Any) -> Any:
    """Return what a call returns, or how it failed."""
    try:
        return call(*args)
    except Exception as error:
        step = error.__traceback__
        while step is not None and is_engine_file(step.tb_frame.f_code.co_filename):
            step = step.tb_next
        lines = traceback.format_exception(type(error), error, step or error.__traceback__)
        return Failed(type(error), "".join(lines))


def _packed(answer: Any) -> bytes:
    """Return an answer as bytes; one that cannot travel is a failure, whose type may not travel either."""
    packed = _answer(pickle.dumps, answer)
    if isinstance(packed, Failed):
        told = answer if isinstance(answer, Failed) else packed
        packed = pickle.dumps(Failed(RuntimeError, told.text))
    result: bytes = packed
    return result


def _read_ahead(pipe: Connection) -> queue.SimpleQueue[Any]:
    """Return a queue of the requests, read beside the work: who asks never waits for an answer to be taken."""
    asked: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def read() -> None:
        with suppress(EOFError, OSError):  # the other process is gone
            while (request := pipe.recv()) is not None:
                asked.put(request)
        asked.put(None)

    threading.Thread(target=read, daemon=True).start()
    return asked
