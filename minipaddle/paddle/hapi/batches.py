"""Batches for ``Model``: where they come from, how many there are, and their parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from minipaddle.engine.tensor.creation import to_tensor
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.io.dataset import Dataset
from minipaddle.paddle.io.loader import DataLoader


def listed(value: Any) -> list[Any]:
    """Return several values as a list: none for None, one for a single value."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def tensors_of(values: Any) -> list[Tensor]:
    """Return arrays or tensors, one or several, as a list of tensors."""
    return [value if isinstance(value, Tensor) else to_tensor(value) for value in listed(values)]


def sum_of(losses: Sequence[Tensor]) -> Tensor:
    """Return the sum of several losses."""
    total = losses[0]
    for loss in losses[1:]:
        total = total + loss
    return total


def batches_of(data: Any, size: int, shuffle: bool, drop_last: bool, workers: int) -> Any:
    """Return what gives batches: the data itself, unless it is a Dataset."""
    if not isinstance(data, Dataset):
        return data
    return DataLoader(data, batch_size=size, shuffle=shuffle, drop_last=drop_last, num_workers=workers)


def length_of(batches: Any) -> int | None:
    """Return how many batches there are; None if nobody knows."""
    try:
        return len(batches)
    except (TypeError, RuntimeError):
        return None  # of a generator, or of an IterableDataset


def first_of(batches: Any, count: int | None) -> Iterator[Any]:
    """Yield the first batches, or all of them."""
    for step, batch in enumerate(batches):
        if count is not None and step >= count:
            return
        yield batch


def size_of(inputs: list[Any]) -> int:
    """Return how many examples a batch has."""
    first = inputs[0] if inputs else []
    return int(first.shape[0]) if hasattr(first, "shape") and len(first.shape) else 1
