"""paddle.base.lod_tensor: arrays with sequences of different lengths in them, to be fed to a Program."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.static.host_tensor import HostTensor, LoDTensor

__all__ = ["LoDTensor", "create_lod_tensor", "create_random_int_lodtensor"]


def create_lod_tensor(data: Any, recursive_seq_lens: Any, place: Any = None) -> LoDTensor:
    """Return a tensor of `data` with sequences of these lengths.

    Args:
        data: an array or tensor; or a list of sequences of integers, which become rows of one number.
        recursive_seq_lens: a list of lengths for each level, ``[[2, 3]]``: those of the last add up to the rows.
        place: accepted.

    Raises:
        AssertionError: **data and recursive_seq_lens do not match**, for a list.
        TypeError: `data` is something else.
        ValueError: **is invalid**, for lengths that do not fit.
    """
    if isinstance(data, list):
        assert [[len(sequence) for sequence in data]] == recursive_seq_lens, (
            "data and recursive_seq_lens do not match"
        )
        data = np.array([one for sequence in data for one in sequence])[..., None]
    if not isinstance(data, (np.ndarray, HostTensor)):
        raise TypeError("data should be either a LoDTensor, a Numpy array or a list")
    made = LoDTensor()
    made.set(np.array(data), place)
    made.set_recursive_sequence_lengths(recursive_seq_lens)
    return made


def create_random_int_lodtensor(
    recursive_seq_lens: Any, base_shape: list[int], place: Any, low: int, high: int
) -> LoDTensor:
    """Return a tensor of integers from `low` to `high`, in sequences of these lengths whose rows are of `base_shape`.

    Raises:
        AssertionError: **base_shape should be a list**.
    """
    assert isinstance(base_shape, list), "base_shape should be a list"
    shape = [sum(recursive_seq_lens[-1]), *base_shape]
    return create_lod_tensor(np.random.randint(low, high + 1, shape, np.int64), recursive_seq_lens, place)


__getattr__ = missing(__name__, __all__)
