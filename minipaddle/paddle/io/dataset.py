"""Datasets: where examples come from."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

from minipaddle.engine.tensor.tensor import Tensor, host
from minipaddle.ops.random.draws import permutation
from minipaddle.ops.random.generator import engine

__all__ = ["Dataset", "IterableDataset", "Subset", "TensorDataset", "random_split"]


class NoLength(TypeError, ValueError, RuntimeError):
    """A stream has no length. Paddle raises the latter two; only a TypeError lets ``list(stream)`` pass."""


class Dataset:
    """Examples by number; derive from it and define ``__getitem__`` and ``__len__``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/io/Dataset_en.html)
    """

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError(f"'__getitem__' not implement in class {type(self).__name__}")

    def __len__(self) -> int:
        raise NotImplementedError(f"'__len__' not implement in class {type(self).__name__}")


class IterableDataset(Dataset):
    """Examples one after the other; derive from it and define ``__iter__``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/io/IterableDataset_en.html)
    """

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"'__iter__' not implement in class {type(self).__name__}")

    def __getitem__(self, index: int) -> Any:
        raise RuntimeError(f"'__getitem__' should not be called for IterableDataset {type(self).__name__}")

    def __len__(self) -> int:
        raise NoLength(f"'__len__' should not be called for IterableDataset {type(self).__name__}")


class TensorDataset(Dataset):
    """Row `i` of each of several tensors.

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
    """Return one row; a view is enough, for a batch is stacked from rows."""
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
    """Split a dataset at random into parts of these lengths, or of these shares of it if they add up to 1.

    Args:
        dataset: what to split.
        lengths: numbers of examples, or shares.
        generator: accepted; ``paddle.seed`` is what decides.

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
    for i in range(total - sum(sizes)):  # what rounding left over goes round
        sizes[i % len(sizes)] += 1
    return sizes
