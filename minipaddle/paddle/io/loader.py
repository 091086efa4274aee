"""DataLoader: batches of Tensors from a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from minipaddle.paddle.framework.static_mode import in_dynamic_mode
from minipaddle.paddle.io.dataset import (
    Fetcher,
    IterableDataset,
    Mark,
    NoLength,
    default_collate_fn,
    default_convert_fn,
    requests,
    to_tensors,
)
from minipaddle.paddle.io.sampler import BatchSampler

if TYPE_CHECKING:
    from minipaddle.paddle.io.worker import Worker


class DataLoader:
    """Iterates over a dataset in batches; every ``for`` starts anew.

    Examples are loaded in this process when their batch is due. In Paddle a worker is a process with its own copy of
    the dataset; here the workers take turns, each with a shallow copy and its own random numbers, so that the batches
    are the same. An error in the dataset is raised in the iteration.

    Args:
        dataset: a Dataset, an IterableDataset, or anything with ``[]`` and ``len``.
        feed_list: Variables or their names, in the order of an example's items; for `return_list`.
        return_list: False, in static mode: each batch is a list with one dict, to be fed by the names in `feed_list`.
        batch_sampler: lists of numbers, in place of the next three.
        batch_size: None returns single examples.
        shuffle: take the examples in random order, repeatable by ``paddle.seed``.
        drop_last: leave out an incomplete last batch.
        collate_fn: makes a batch from a list of examples; by default it stacks arrays.
        num_workers: the number of workers that make batches in turn; 0: no worker.
        prefetch_factor, timeout, use_buffer_reader, reader_buffer_size, use_shared_memory: for processes; no effect.
        worker_init_fn: called in the first turn of each worker, with its number.
        persistent_workers: keep the workers, and their copies of the dataset, for the next pass.

    Raises:
        ValueError: **IterableDataset not support shuffle** or batch_sampler.
        AssertionError: **batch_size ...** for contradictory arguments; **feed_list** for no names to feed by.
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
        assert num_workers >= 0, "num_workers should be a non-negative value"
        assert timeout >= 0, "timeout should be a non-negative value"
        assert prefetch_factor > 0, "prefetch_factor should be a positive value"
        self.dataset = dataset
        self.return_list = return_list or in_dynamic_mode()
        assert self.return_list or feed_list is not None, "feed_list should be set when return_list=False"
        self.feed_names = [getattr(one, "name", one) for one in feed_list or ()]
        self.num_workers = num_workers
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.batch_sampler = batch_sampler
        if batch_sampler is None and batch_size is not None and not isinstance(dataset, IterableDataset):
            self.batch_sampler = BatchSampler(
                dataset, shuffle=shuffle, batch_size=batch_size, drop_last=drop_last
            )
        self.prefetch_factor = prefetch_factor
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self._persistent_workers = persistent_workers
        self._workers: list[Worker] = []
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
        made = self._made_by_workers() if self.num_workers else self._made_here()
        if self.return_list:
            return made
        return ([dict(zip(self.feed_names, batch, strict=True))] for batch in made)

    def __call__(self) -> Iterator[Any]:
        """Return an iterator, as ``iter(loader)`` does."""
        return iter(self)

    def _fetcher(self, dataset: Any) -> Fetcher:
        return Fetcher(dataset, self.batch_size, self.drop_last, self.collate_fn)

    def _made_here(self) -> Iterator[Any]:
        fetch = self._fetcher(self.dataset)
        for request in requests(self.dataset, self.batch_sampler):
            batch = fetch(request)
            if batch is Mark.ENDED:
                return
            yield to_tensors(batch)

    def _made_by_workers(self) -> Iterator[Any]:
        from minipaddle.paddle.io.worker import batches, workers

        made = self._workers or workers(self.dataset, self._fetcher, self.num_workers, self.worker_init_fn)
        self._workers = made if self._persistent_workers else []
        return batches(made, requests(self.dataset, self.batch_sampler))

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            raise NoLength("length of IterableDataset not supported")
        counted: Any = self.dataset if self.batch_sampler is None else self.batch_sampler
        return len(counted)
