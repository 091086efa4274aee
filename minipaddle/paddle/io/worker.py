"""The workers of a DataLoader: processes that fetch batches on request, and the main process's ends of the pipes.

Requests are sent ahead, and answered in order.
"""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import random
import sys
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.errors import is_engine_file
from minipaddle.paddle.framework.settings import seed
from minipaddle.paddle.framework.static_mode import disable_static
from minipaddle.paddle.io.dataset import Fetcher, Mark, to_tensors, without_tensors

__all__ = ["WorkerInfo", "get_worker_info"]

_WORD = 1 << 32  # seeds of a worker's generators are numbers below it


class WorkerInfo:
    """A worker's number, dataset and seed.

    Attributes:
        id: its number, from 0.
        num_workers: the number of workers.
        dataset: its own copy of the dataset.
        seed: the base of the seeds of all workers.

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
    """The answer of a worker after an exception."""

    kind: type[BaseException]
    text: str
    """The traceback, from the user's code on."""


class Job(NamedTuple):
    """The settings of a loader's workers."""

    batch_size: int | None
    drop_last: bool
    collate_fn: Callable[[Any], Any]
    init_fn: Callable[[int], None] | None

    def fetcher(self, info: WorkerInfo, first: bool = False) -> Fetcher:
        """Return the Fetcher of a worker; the `first` time the worker is initialized."""
        if first and self.init_fn is not None:
            self.init_fn(info.id)
        return Fetcher(info.dataset, self.batch_size, self.drop_last, self.collate_fn)


_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """Return the info of this worker of a DataLoader; None in other processes."""
    return _info


def work(job: Job, info: WorkerInfo, pipe: Connection, inherited: list[Connection]) -> None:
    """Answer each request from a pipe, in order; None ends it, as does the end of the other process."""
    for connection in inherited:
        connection.close()
    with suppress(KeyboardInterrupt, OSError):  # the other process is interrupted too, or gone
        _serve(job, info, pipe)


def _serve(job: Job, info: WorkerInfo, pipe: Connection) -> None:
    disable_static()
    _begin(info)
    fetch = _answer(job.fetcher, info, True)
    asked = _read_ahead(pipe)
    while (request := asked.get()) is not None:
        answer: Any = Mark.ANEW
        if request is Mark.ANEW:
            fetch = _answer(job.fetcher, info)
        else:
            answer = fetch if isinstance(fetch, Failed) else _answer(_fetched, fetch, request)
        pipe.send_bytes(_packed(answer))


def _begin(info: WorkerInfo) -> None:
    """Set this process up as a worker, with its own random numbers."""
    global _info
    _info = info
    random.seed(info.seed + info.id)
    seed(info.seed + info.id)
    words = [info.id, info.seed % _WORD, info.seed // _WORD, 0]
    np.random.seed(np.random.SeedSequence(words).generate_state(4))


def _fetched(fetch: Fetcher, request: Any) -> Any:
    return without_tensors(fetch(request))


def _answer(call: Callable[..., Any], *args: Any) -> Any:
    """Return the result of a call, or a Failed."""
    try:
        return call(*args)
    except Exception as error:
        step = error.__traceback__
        while step is not None and is_engine_file(step.tb_frame.f_code.co_filename):
            step = step.tb_next
        lines = traceback.format_exception(type(error), error, step or error.__traceback__)
        return Failed(type(error), "".join(lines))


def _packed(answer: Any) -> bytes:
    """Return a pickled answer; if that fails, a pickled Failed, with RuntimeError as its type."""
    packed = _answer(pickle.dumps, answer)
    if isinstance(packed, Failed):
        told = answer if isinstance(answer, Failed) else packed
        packed = pickle.dumps(Failed(RuntimeError, told.text))
    result: bytes = packed
    return result


def _read_ahead(pipe: Connection) -> queue.SimpleQueue[Any]:
    """Return a queue of the requests, read in a thread: the sender never blocks on an unread answer."""
    asked: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def read() -> None:
        with suppress(EOFError, OSError):  # the other process has ended
            while (request := pipe.recv()) is not None:
                asked.put(request)
        asked.put(None)

    threading.Thread(target=read, daemon=True).start()
    return asked


_PATIENCE = 1.0
"""Seconds for a worker to exit after its work: enough to leave Python, short for the user."""


class Worker:
    """A process that fetches batches, and the pipe to it."""

    def __init__(self, job: Job, info: WorkerInfo, others: list[Worker]) -> None:
        context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
        self.id = info.id
        self.pipe, theirs = context.Pipe()
        forked = context.get_start_method() == "fork"
        inherited: list[Connection] = [worker.pipe for worker in [*others, self]] if forked else []
        self.process = context.Process(target=work, args=(job, info, theirs, inherited), daemon=True)
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # inherited through a fork next to threads: they must not touch the pipe
            self.process.start()
        theirs.close()

    def ask(self, request: Any) -> None:
        """Send a request."""
        try:
            self.pipe.send(request)
        except OSError as error:
            raise self._gone() from error

    def received(self, timeout: float) -> Any:
        """Return the answer to the oldest request; a Failed if it raised.

        Raises:
            RuntimeError: **timed out**, or the process has ended.
        """
        try:
            if timeout and not self.pipe.poll(timeout):
                raise RuntimeError(f"DataLoader worker({self.id}) timed out after {timeout} seconds")
            return pickle.loads(self.pipe.recv_bytes())
        except (EOFError, OSError) as error:
            raise self._gone() from error

    def answer(self, timeout: float) -> Any:
        """Return the result of `received`, but raise the process's exception, with its traceback as the message."""
        answer = self.received(timeout)
        if isinstance(answer, Failed):
            raise self._failure(answer)
        return answer

    def let_go(self) -> None:
        """Tell the process that no more requests follow."""
        with suppress(OSError):  # it has ended already
            self.pipe.send(None)
        self.pipe.close()

    def end(self) -> None:
        """Wait for the end of the process, for a short time only."""
        self.process.join(_PATIENCE)
        if self.process.is_alive():
            self.process.terminate()
            self.process.join()

    def _gone(self) -> RuntimeError:
        self.process.join(_PATIENCE)
        return RuntimeError(
            f"DataLoader worker({self.id}) exited unexpectedly, with code {self.process.exitcode}"
        )

    def _failure(self, failed: Failed) -> BaseException:
        text = f"DataLoader worker({self.id}) caught {failed.kind.__name__} with message:\n{failed.text}"
        try:
            return failed.kind(text)
        except TypeError:  # the exception takes other arguments than one text
            return RuntimeError(text)


class Pool:
    """All workers of a loader, each with a copy of the dataset."""

    def __init__(self, dataset: Any, job: Job, count: int) -> None:
        self.workers: list[Worker] = []
        base = int(np.random.randint(low=0, high=sys.maxsize))
        for number in range(count):
            self.workers.append(Worker(job, WorkerInfo(number, count, dataset, base), self.workers))

    def begin_anew(self, timeout: float) -> None:
        """Make all workers drop their requests, and begin a new pass."""
        for worker in self.workers:
            worker.ask(Mark.ANEW)
        for worker in self.workers:
            while worker.received(timeout) is not Mark.ANEW:
                continue

    def close(self) -> None:
        """End all workers."""
        for worker in self.workers:
            worker.let_go()
        for worker in self.workers:
            worker.end()
        self.workers.clear()

    def __del__(self) -> None:
        self.close()


def batches(
    pool: Pool, requests: Iterator[Any], ahead: int, timeout: float, keep: bool
) -> Generator[Any, None, None]:
    """Return the batches of one pass over a dataset, in order, made by workers in turn.

    Args:
        pool: the workers.
        requests: for the workers.
        ahead: the number of batches requested from each worker before the first is taken.
        timeout: seconds to wait for a batch; 0 for ever.
        keep: keep the workers when the pass has ended.
    """
    due: deque[Worker] = deque()

    def ask(worker: Worker) -> None:
        for request in requests:
            worker.ask(request)
            due.append(worker)
            return

    def taken() -> Generator[Any, None, None]:
        try:
            while due:
                worker = due.popleft()
                answer = worker.answer(timeout)
                if answer is not Mark.ENDED:  # else its part of the stream: the other workers go on
                    ask(worker)
                    yield to_tensors(answer)
        finally:
            if not keep:
                pool.close()

    for worker in pool.workers * ahead:
        ask(worker)
    return taken()
