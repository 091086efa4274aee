"""Putting examples together: a batch from a list of them."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.tensor.tensor import Tensor, host

__all__ = ["default_collate_fn", "default_convert_fn"]


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
    """Leave one example as it is: what a loader without batches hands out."""
    return example


def to_tensors(data: Any) -> Any:
    """Return `data` with every array as a Tensor; tuples become lists, as in Paddle."""
    if isinstance(data, np.ndarray) and data.dtype.kind in "biufc":
        return Tensor(data)
    if isinstance(data, (np.number, np.bool_, bool, int, float)):
        return Tensor(np.asarray(data)) if isinstance(data, (np.number, np.bool_)) else data
    if isinstance(data, Mapping):
        return {key: to_tensors(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [to_tensors(value) for value in data]
    return data
