"""The workers of a DataLoader: each makes every n-th batch, with its own copy of the dataset and random numbers.

In Paddle they are processes that work ahead. Here they take turns in this process, each when its batch is due: the
batches are the same, and a debugger and a traceback reach into the dataset.
"""

from __future__ import annotations

import copy
import random
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import within
from minipaddle.ops.random.mersenne_twister import engine_of_process
from minipaddle.paddle.framework.settings import random_generators
from minipaddle.paddle.framework.static_mode import disable_static
from minipaddle.paddle.io.dataset import Fetcher, Mark, to_tensors

__all__ = ["WorkerInfo", "get_worker_info"]

_WORD = 1 << 32  # seeds of a worker's generators are numbers below it


class WorkerInfo:
    """A worker's number, dataset and seed.

    Attributes:
        id: its number, from 0.
        num_workers: the number of workers.
        dataset: its own, shallow copy of the dataset.
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


_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """Return the info of the worker of a DataLoader whose turn it is; None outside of a turn."""
    return _info


class Worker:
    """A maker of batches, with its own random numbers of Python, NumPy and Paddle."""

    def __init__(self, info: WorkerInfo, fetcher: Callable[[Any], Fetcher]) -> None:
        self.info, self._fetcher = info, fetcher
        words = [info.id, info.seed % _WORD, info.seed // _WORD, 0]
        self._numbers: list[Any] = [
            random.Random(info.seed + info.id).getstate(),
            np.random.RandomState(np.random.SeedSequence(words).generate_state(4)).get_state(),
            [engine_of_process(info.seed + info.id).state],
        ]

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Run a ``with`` block as this worker: in dynamic mode, with its info and its random numbers."""
        global _info
        before, _info = _info, self.info
        outside = _exchange(self._numbers)
        try:
            with within():
                disable_static()
                yield
        finally:
            self._numbers = _exchange(outside)
            _info = before

    def begin(self) -> None:
        """Begin a pass over the dataset."""
        with self.turn():
            self._fetch = self._fetcher(self.info.dataset)

    def batch(self, request: Any) -> Any:
        """Return the batch asked for; Mark.ENDED after the end of a stream."""
        with self.turn():
            return self._fetch(request)


def _exchange(states: list[Any]) -> list[Any]:
    """Use these states of the random generators; return the previous states."""
    before = [state_now() for _, state_now, _ in random_generators()]
    for (_, _, set_state), state in zip(random_generators(), states, strict=True):
        set_state(state)
    return before


def workers(
    dataset: Any, fetcher: Callable[[Any], Fetcher], count: int, init_fn: Callable[[int], None] | None
) -> list[Worker]:
    """Return new workers of a `dataset`; `init_fn` has been called in the first turn of each."""
    base = int(np.random.randint(low=0, high=sys.maxsize))
    made = [Worker(WorkerInfo(i, count, copy.copy(dataset), base), fetcher) for i in range(count)]
    if init_fn is not None:
        for worker in made:
            with worker.turn():
                init_fn(worker.info.id)
    return made


def batches(made_by: list[Worker], requests: Iterator[Any]) -> Iterator[Any]:
    """Yield the batches of one pass over a dataset; a worker whose part of a stream has ended gets no more turns."""
    for worker in made_by:
        worker.begin()
    due = deque(made_by)
    while due:
        worker = due.popleft()
        for request in requests:
            batch = worker.batch(request)
            if batch is not Mark.ENDED:
                due.append(worker)
                yield to_tensors(batch)
            break
