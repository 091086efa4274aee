"""Datasets, the sources of examples; and the collation of examples into a batch."""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np

from minipaddle.engine.tensor.methods import host
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.ops.random.draws import permutation
from minipaddle.ops.random.generator import engine

__all__ = [
    "Dataset", "IterableDataset", "Subset", "TensorDataset", "default_collate_fn", "default_convert_fn", "random_split",
]  # fmt: skip


class NoLength(TypeError, ValueError, RuntimeError):
    """The error for a stream's length. Paddle's are the last two bases; only a TypeError lets ``list(stream)`` pass."""


class Dataset:
    """A dataset of numbered examples; derive from it and define ``__getitem__`` and ``__len__``."""

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError(f"'__getitem__' not implement in class {type(self).__name__}")

    def __len__(self) -> int:
        raise NotImplementedError(f"'__len__' not implement in class {type(self).__name__}")


class IterableDataset(Dataset):
    """A stream of examples; derive from it and define ``__iter__``."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"'__iter__' not implement in class {type(self).__name__}")

    def __getitem__(self, index: int) -> Any:
        raise RuntimeError(f"'__getitem__' should not be called for IterableDataset {type(self).__name__}")

    def __len__(self) -> int:
        raise NoLength(f"'__len__' should not be called for IterableDataset {type(self).__name__}")


class TensorDataset(Dataset):
    """A data set whose item `i` is row `i` of each tensor.

    Raises:
        AssertionError: **tensors not have same shape of the 1st dimension**.
    """

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        assert all(len(tensor) == len(tensors[0]) for tensor in tensors), (
            "tensors not have same shape of the 1st dimension"
        )
        self.tensors = tensors

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return tuple(_row(tensor, index) for tensor in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


def _row(tensor: Any, index: int) -> Any:
    """Return one row; a view is enough, as batches are stacked from rows."""
    return Tensor(host(tensor, "TensorDataset")[index]) if isinstance(tensor, Tensor) else tensor[index]


class Subset(Dataset):
    """The examples of `dataset` whose numbers are in `indices`, in that order."""

    def __init__(self, dataset: Dataset, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index: int) -> Any:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Dataset, lengths: Sequence[float], generator: Any = None) -> list[Subset]:
    """Split a dataset at random into parts of these lengths, or of these shares if they sum to 1.

    ``paddle.seed``, not the `generator`, decides which examples go into which part.

    Raises:
        ValueError: **Sum of input lengths does not equal the length of the input dataset**.
    """
    sizes = _sizes(lengths, len(dataset))
    if sum(sizes) != len(dataset):
        raise ValueError(
            "Sum of input lengths does not equal the length of the input dataset! "
            f"{list(lengths)} for {len(dataset)} examples."
        )
    order = permutation(engine(), len(dataset)).tolist()
    ends = list(itertools.accumulate(sizes))
    return [Subset(dataset, order[end - size : end]) for size, end in zip(sizes, ends)]


def _sizes(lengths: Sequence[float], total: int) -> list[int]:
    if not (math.isclose(sum(lengths), 1) and sum(lengths) <= 1 + 1e-9 and total != 1):
        return [int(length) for length in lengths]
    sizes = [math.floor(share * total) for share in lengths]
    for i in range(total - sum(sizes)):  # spread the remainder of rounding
        sizes[i % len(sizes)] += 1
    return sizes


def default_collate_fn(batch: Sequence[Any]) -> Any:
    """Stack examples along a new first axis; dicts, lists and tuples are stacked part by part.

    Numbers become an array, strings stay a list.

    Raises:
        RuntimeError: **fields number not same among samples**.
        TypeError: **batch data con only contains**, for anything else.
    """
    sample = batch[0]
    if isinstance(sample, Tensor):
        return np.stack([host(item, "default_collate_fn") for item in batch], axis=0)
    if isinstance(sample, np.ndarray):
        return np.stack(batch, axis=0)
    if isinstance(sample, (numbers.Number, np.number, np.bool_)):
        return np.array(batch)
    if isinstance(sample, (str, bytes)):
        return batch
    if isinstance(sample, Mapping):
        return {key: default_collate_fn([item[key] for item in batch]) for key in sample}
    if isinstance(sample, Sequence):
        if not all(len(item) == len(sample) for item in batch):
            raise RuntimeError("fields number not same among samples.")
        return [default_collate_fn(fields) for fields in zip(*batch)]
    raise TypeError(
        "batch data con only contains: tensor, numpy.ndarray, dict, list, number, "
        f"but got {type(sample).__name__}"
    )


def default_convert_fn(example: Any) -> Any:
    """Return one example unchanged, for a loader without batches."""
    return example


def to_tensors(data: Any) -> Any:
    """Return `data` with every array as a Tensor; tuples become lists, as in Paddle."""
    if isinstance(data, (np.ndarray, np.number, np.bool_)) and data.dtype.kind in "biufc":
        return Tensor(np.asarray(data))
    if isinstance(data, Mapping):
        return {key: to_tensors(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [to_tensors(value) for value in data]
    return data


class Mark(Enum):
    """A marker in place of a batch, or of a request."""

    NEXT = "the next batch of a stream"
    ENDED = "a stream has no more examples"


class Fetcher:
    """Makes batches of a dataset, one per call.

    Args:
        dataset: the source of examples.
        batch_size: the number of a stream's examples in a batch; None for single examples.
        drop_last: whether an incomplete batch of a stream is its end.
        collate_fn: makes a batch from examples.
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
        """Return the batch of the examples with the numbers `asked`; Mark.ENDED after the end of a stream."""
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
    """Yield requests for a Fetcher: indices of a dataset, or endless Mark.NEXT."""
    if isinstance(dataset, IterableDataset):
        return itertools.repeat(Mark.NEXT)
    return iter(range(len(dataset)) if batch_sampler is None else batch_sampler)
