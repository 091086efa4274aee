"""Samplers: the order of examples, and their grouping into batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any

import numpy as np

from minipaddle.ops.random.draws import permutation
from minipaddle.ops.random.generator import engine
from minipaddle.paddle.framework.parallel_env import ParallelEnv
from minipaddle.paddle.io.dataset import IterableDataset


class Sampler:
    """An order of the examples of `data_source`; derive from it and define ``__iter__``."""

    def __init__(self, data_source: Sized | None = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError(f"'__iter__' not implement in class {type(self).__name__}")

    def __len__(self) -> int:
        return len(self.data_source) if self.data_source is not None else 0


class SequenceSampler(Sampler):
    """0, 1, 2, ..."""

    def __init__(self, data_source: Sized) -> None:
        super().__init__(data_source)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))


class RandomSampler(Sampler):
    """A random order, repeatable by ``numpy.random.seed``, as in Paddle.

    Args:
        data_source: the dataset.
        replacement: draw every time from all examples.
        num_samples: the number of draws; all examples by default.
        generator: an iterator over numbers, used instead of random ones.

    Raises:
        TypeError: **expect boolean value for replacement**.
        ValueError: **num_samples should be a positive integer**.
    """

    def __init__(
        self, data_source: Sized, replacement: bool = False, num_samples: Any = None, generator: Any = None
    ) -> None:
        super().__init__(data_source)
        if not isinstance(replacement, bool):
            raise TypeError(f"expect boolean value for replacement, but got replacement={replacement}")
        if num_samples is not None and (not isinstance(num_samples, int) or num_samples <= 0):
            raise ValueError(f"num_samples should be a positive integer, but got num_samples={num_samples}")
        self.replacement = replacement
        self.generator = generator
        self._count = num_samples

    @property
    def num_samples(self) -> int:
        """The number of examples in one pass."""
        return super().__len__() if self._count is None else self._count

    def __iter__(self) -> Iterator[int]:
        size = super().__len__()
        if self.generator is not None:
            return iter([int(index) for index, _ in zip(self.generator, range(self.num_samples))])
        if self.replacement:
            return iter(np.random.choice(np.arange(size), self.num_samples, replace=True).tolist())
        return iter(np.random.choice(np.arange(size), size, replace=False).tolist()[: self.num_samples])

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """The given numbers in random order."""

    def __init__(self, indices: Sequence[int]) -> None:
        if len(indices) == 0:
            raise ValueError("The length of `indices` in SubsetRandomSampler should be greater than 0.")
        super().__init__(indices)
        self.indices = indices

    def __iter__(self) -> Iterator[int]:
        return iter([self.indices[i] for i in permutation(engine(), len(self.indices))])


class BatchSampler(Sampler):
    """Lists of `batch_size` numbers, from a sampler, or from all numbers of a dataset in order or shuffled.

    Raises:
        AssertionError: **either dataset or sampler should be set**; **should not set both**; a bad
            `batch_size`, `shuffle` or `drop_last`.
    """

    sampler: Iterable[int]

    def __init__(
        self,
        dataset: Any = None,
        sampler: Sampler | Iterable[int] | None = None,
        shuffle: bool = False,
        batch_size: Any = 1,
        drop_last: Any = False,
    ) -> None:
        _check_source(dataset, sampler, shuffle)
        assert isinstance(batch_size, int) and batch_size > 0, (
            f"batch_size should be a positive integer, but got {batch_size}"
        )
        assert isinstance(drop_last, bool), f"drop_last should be a boolean value, but got {type(drop_last)}"
        self.sampler = (
            (RandomSampler if shuffle else SequenceSampler)(dataset) if sampler is None else sampler
        )
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[Any]:
        numbers = iter(self.sampler)
        while batch := list(islice(numbers, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        assert isinstance(self.sampler, Sized), "the sampler of this BatchSampler has no length"
        return self._batches(len(self.sampler))

    def _batches(self, examples: int) -> int:
        return examples // self.batch_size if self.drop_last else -(-examples // self.batch_size)


class DistributedBatchSampler(BatchSampler):
    """The batches of one of several processes: each takes every `num_replicas`-th example, and all equally many.

    Args:
        dataset: the dataset.
        batch_size: examples in a batch of one process.
        num_replicas: the number of processes; by default that of the job.
        rank: the rank of this process in them; by default its rank in the job.
        shuffle: a new order each epoch, made from `epoch`, which is the same for all processes.
        drop_last: leave out an incomplete last batch.

    Raises:
        AssertionError: a bad `batch_size`, `num_replicas`, `rank`, `shuffle` or `drop_last`.
    """

    def __init__(
        self,
        dataset: Sized,
        batch_size: Any,
        num_replicas: Any = None,
        rank: Any = None,
        shuffle: Any = False,
        drop_last: Any = False,
    ) -> None:
        assert isinstance(batch_size, int) and batch_size > 0, "batch_size should be a positive integer"
        assert isinstance(shuffle, bool), "shuffle should be a boolean value"
        assert isinstance(drop_last, bool), "drop_last should be a boolean number"
        self.nranks = ParallelEnv().nranks if num_replicas is None else num_replicas
        assert isinstance(self.nranks, int) and self.nranks > 0, "num_replicas should be a positive integer"
        self.local_rank = ParallelEnv().rank if rank is None else rank
        assert isinstance(self.local_rank, int) and self.local_rank >= 0, (
            "rank should be a non-negative integer"
        )
        self.dataset, self.batch_size, self.epoch = dataset, batch_size, 0
        self.shuffle, self.drop_last = shuffle, drop_last
        self.num_samples = -(-len(dataset) // self.nranks)
        self.total_size = self.num_samples * self.nranks

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of the next pass; it also counts up by itself."""
        self.epoch = epoch

    def __iter__(self) -> Iterator[Any]:
        own = self._own(np.resize(np.arange(len(self.dataset)), self.total_size))
        batches = (own[at : at + self.batch_size] for at in range(0, len(own), self.batch_size))
        yield from (batch for batch in batches if len(batch) == self.batch_size or not self.drop_last)

    def _own(self, numbers: Any) -> list[int]:
        """Return the numbers of this process: whole batches in turn, then an equal part of the rest."""
        if self.shuffle:
            np.random.RandomState(self.epoch).shuffle(numbers)
            self.epoch += 1
        rounds = self.total_size // (self.batch_size * self.nranks)
        whole, rest = np.split(numbers, [rounds * self.batch_size * self.nranks])
        in_turn = whole.reshape(rounds, self.nranks, self.batch_size)
        assert self.local_rank < self.nranks, f"rank {self.local_rank} is not one of {self.nranks} processes"
        return [
            *in_turn[:, self.local_rank].reshape(-1).tolist(),
            *np.split(rest, self.nranks)[self.local_rank].tolist(),
        ]

    def __len__(self) -> int:
        return self._batches(self.num_samples)


def _check_source(dataset: Any, sampler: Any, shuffle: Any) -> None:
    if dataset is None:
        assert sampler is not None, "either dataset or sampler should be set"
        assert isinstance(sampler, (Sampler, Iterable)), (
            f"sampler should be either paddle.io.Sampler or Iterable, but got {type(sampler)}"
        )
        assert not shuffle, "shuffle should be False when sampler is set"
        return
    assert not isinstance(dataset, IterableDataset), "dataset should not be a paddle.io.IterableDataset"
    assert sampler is None, "should not set both dataset and sampler"
    assert isinstance(shuffle, bool), f"shuffle should be a boolean value, but got {type(shuffle)}"
