"""DataLoader: batches of Tensors from a dataset."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from minipaddle.io.collate import default_collate_fn, default_convert_fn, to_tensors
from minipaddle.io.dataset import IterableDataset, NoLength
from minipaddle.io.sampler import BatchSampler

__all__ = ["DataLoader", "get_worker_info"]


class DataLoader:
    """Iterate over a dataset in batches; every ``for`` starts anew.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/io/DataLoader_en.html)

    Examples are loaded in this process, when their batch is due: `num_workers`, `prefetch_factor`,
    `timeout`, `worker_init_fn` and their like are accepted and ignored. An error in the dataset is raised
    where you iterate.

    Args:
        dataset: a Dataset, an IterableDataset, or anything with ``[]`` and ``len``.
        return_list: accepted; batches are lists.
        batch_sampler: lists of numbers, in place of the next three.
        batch_size: None hands out single examples.
        shuffle: take the examples in random order, repeatable by ``paddle.seed``.
        drop_last: leave out an incomplete last batch.
        collate_fn: makes a batch of a list of examples; it stacks arrays by default.

    Raises:
        ValueError: **IterableDataset not support shuffle** or batch_sampler.
        AssertionError: **batch_size ...** for contradictory arguments.
    """

    def __init__(
        self,
        dataset: Any,
        feed_list: Any = None,
        places: Any = None,
        return_list: bool = True,
        batch_sampler: Iterable[list[int]] | None = None,
        batch_size: int | None = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Callable[[Any], Any] | None = None,
        num_workers: int = 0,
        use_buffer_reader: bool = True,
        reader_buffer_size: int = 2,
        prefetch_factor: int = 2,
        use_shared_memory: bool = True,
        timeout: int = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        persistent_workers: bool = False,
    ) -> None:
        self._check(dataset, batch_sampler, batch_size, shuffle, drop_last)
        self.dataset = dataset
        self.return_list = return_list
        self.num_workers = num_workers
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.batch_sampler = batch_sampler
        if batch_sampler is None and batch_size is not None and not isinstance(dataset, IterableDataset):
            self.batch_sampler = BatchSampler(
                dataset, shuffle=shuffle, batch_size=batch_size, drop_last=drop_last
            )
        alone = batch_sampler is None and batch_size is None
        self.collate_fn = collate_fn or (default_convert_fn if alone else default_collate_fn)

    def _check(
        self, dataset: Any, batch_sampler: Any, batch_size: Any, shuffle: bool, drop_last: bool
    ) -> None:
        if isinstance(dataset, IterableDataset):
            if shuffle:
                raise ValueError(f"IterableDataset not support shuffle, but got shuffle={shuffle}")
            if batch_sampler is not None:
                raise ValueError("IterableDataset expect unspecified batch_sampler")
        if batch_sampler is not None:
            assert batch_size == 1 and not shuffle and not drop_last, (
                "batch_size/shuffle/drop_last should not be set when batch_sampler is given"
            )
        elif batch_size is None:
            assert not drop_last, "drop_last should be False when batch_size is None"
        else:
            assert isinstance(batch_size, int) and batch_size > 0, (
                "batch_size should be None or a positive value when batch_sampler is not given"
            )

    def __iter__(self) -> Iterator[Any]:
        for examples in self._examples():
            batch = to_tensors(self.collate_fn(examples))
            yield batch

    def __call__(self) -> Iterator[Any]:
        """Return an iterator, as ``iter(loader)`` does."""
        return iter(self)

    def _examples(self) -> Iterator[Any]:
        """Yield lists of examples, or single ones if there are no batches."""
        if isinstance(self.dataset, IterableDataset):
            yield from self.dataset if self.batch_size is None else self._in_batches(self.batch_size)
        elif self.batch_sampler is None:
            yield from (self.dataset[index] for index in range(len(self.dataset)))
        else:
            yield from ([self.dataset[index] for index in indices] for indices in self.batch_sampler)

    def _in_batches(self, size: int) -> Iterator[list[Any]]:
        examples = iter(self.dataset)
        while batch := list(itertools.islice(examples, size)):
            if len(batch) == size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            raise NoLength("length of IterableDataset not supported")
        counted: Any = self.dataset if self.batch_sampler is None else self.batch_sampler
        return len(counted)


def get_worker_info() -> None:
    """Return None: there are no worker processes here."""
    return
