"""The workers of a DataLoader, seen from the loop: they are asked ahead, and answer in order.

The other end of each pipe is in :mod:`minipaddle.paddle.io.worker`.
"""

from __future__ import annotations

import multiprocessing
import pickle
import sys
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from minipaddle.paddle.io.collate import Mark, to_tensors
from minipaddle.paddle.io.worker import Failed, Job, WorkerInfo, work

_PATIENCE = 1.0
"""Seconds in which a worker that nobody asks any more may end by itself."""


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
            )  # of a fork beside threads: they do not touch the pipe
            self.process.start()
        theirs.close()

    def ask(self, request: Any) -> None:
        """Send a request."""
        try:
            self.pipe.send(request)
        except OSError as error:
            raise self._gone() from error

    def received(self, timeout: float) -> Any:
        """Return the answer to the request that was sent first; Failed where something was raised.

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
        """Return what `received` does, but raise what was raised in the process, with its traceback as the message."""
        answer = self.received(timeout)
        if isinstance(answer, Failed):
            raise self._failure(answer)
        return answer

    def let_go(self) -> None:
        """Tell the process that nobody will ask it any more."""
        with suppress(OSError):  # it has ended already
            self.pipe.send(None)
        self.pipe.close()

    def end(self) -> None:
        """Wait for the end of the process, but not for long."""
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
        except TypeError:  # an exception that is made of other things than a text
            return RuntimeError(text)


class Pool:
    """All workers of a loader, each with a copy of the dataset."""

    def __init__(self, dataset: Any, job: Job, count: int) -> None:
        self.workers: list[Worker] = []
        base = int(np.random.randint(low=0, high=sys.maxsize))
        for number in range(count):
            self.workers.append(Worker(job, WorkerInfo(number, count, dataset, base), self.workers))

    def begin_anew(self, timeout: float) -> None:
        """Let all workers forget what they were asked for, and begin a new pass."""
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


class Batches:
    """The batches of one pass over a dataset, in order, made by workers in turn.

    Args:
        pool: the workers.
        requests: what to ask them for.
        ahead: how many batches each is asked for before the first is taken.
        timeout: seconds to wait for a batch; 0 for ever.
        keep: keep the workers when the pass has ended.
    """

    def __init__(self, pool: Pool, requests: Iterator[Any], ahead: int, timeout: float, keep: bool) -> None:
        self._requests = requests
        self._timeout = timeout
        self._pool = pool
        self._keep = keep
        self._due: deque[Worker] = deque()
        for worker in pool.workers * ahead:
            self._ask(worker)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            while self._due:
                worker = self._due.popleft()
                answer = worker.answer(self._timeout)
                if answer is Mark.ENDED:
                    continue  # its part of the stream; the other workers go on
                self._ask(worker)
                return to_tensors(answer)
        except BaseException:
            self._due.clear()
            self._end()
            raise
        self._end()
        raise StopIteration

    def _end(self) -> None:
        """Let the workers go when nobody wants the rest."""
        if not self._keep:
            self._pool.close()

    def _ask(self, worker: Worker) -> None:
        for request in self._requests:
            worker.ask(request)
            self._due.append(worker)
            return
