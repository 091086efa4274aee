"""What is fetched for one batch: the same in the process of a loop and in its workers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any

from minipaddle.engine.tensor.tensor import Tensor, host
from minipaddle.paddle.io.dataset import IterableDataset


class Mark(Enum):
    """What stands in the place of a batch, or of a request."""

    NEXT = "the next batch of a stream"
    ENDED = "a stream has no more examples"
    ANEW = "a new pass over the dataset begins"


class Fetcher:
    """Makes batches of a dataset, one a call.

    Args:
        dataset: where the examples come from.
        batch_size: how many of a stream make a batch; None for single examples.
        drop_last: whether an incomplete batch of a stream is its end.
        collate_fn: makes a batch of examples.
    """

    def __init__(
        self, dataset: Any, batch_size: int | None, drop_last: bool, collate_fn: Callable[[Any], Any]
    ) -> None:
        self._dataset = dataset
        self._batch_size = batch_size
        self._drop_last = drop_last
        self._collate = collate_fn
        self._stream = iter(dataset) if isinstance(dataset, IterableDataset) else None

    def __call__(self, asked: Any) -> Any:
        """Return the batch of the examples `asked` for, a number or several; Mark.ENDED after the end of a stream."""
        if self._stream is None:
            single = not isinstance(asked, Iterable)
            return self._collate(
                self._dataset[asked] if single else [self._dataset[index] for index in asked]
            )
        size = 1 if self._batch_size is None else self._batch_size
        examples = list(itertools.islice(self._stream, size))
        if not examples or (self._drop_last and len(examples) < size):
            return Mark.ENDED
        return self._collate(examples[0] if self._batch_size is None else examples)


def requests(dataset: Any, batch_sampler: Iterable[Any] | None) -> Iterator[Any]:
    """Yield what to ask a Fetcher for: numbers of a dataset, or Mark.NEXT for ever."""
    if isinstance(dataset, IterableDataset):
        return itertools.repeat(Mark.NEXT)
    return iter(range(len(dataset)) if batch_sampler is None else batch_sampler)


def without_tensors(batch: Any) -> Any:
    """Return a batch with the arrays of its Tensors: what travels from one process to another."""
    if isinstance(batch, Tensor):
        return host(batch, "DataLoader")
    if isinstance(batch, dict):
        return {key: without_tensors(value) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [without_tensors(value) for value in batch]
    return batch
