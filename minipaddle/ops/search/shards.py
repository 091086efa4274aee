"""shard_index: the place of an index in one part of a table."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator


def _shard_infer(input: Meta, *, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Meta:
    if shard_id < 0 or shard_id >= nshards:
        raise failure(ValueError, f"The shard_id({shard_id}) should be in [0, {nshards})")
    if input.ndim < 2:
        raise failure(
            ValueError, f"Rank of Input(X) should be at least 2, but the value given is {input.ndim}."
        )
    if input.shape[-1] not in (-1, 1):
        raise failure(
            ValueError,
            f"The last dimension of Input(X) should be 1, but the value given is {input.shape[-1]}.",
        )
    return input


@operator(
    "shard_index", "X -> Out~", kinds="i", infer=_shard_infer, page="shard_index",
    example=lambda rng: ([np.array([[1], [6], [12]])], {"index_num": 20, "nshards": 2, "shard_id": 0}),
)  # fmt: skip
def shard_index(input: Array, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Array:
    """Return each index [N, ..., 1] of a table counted within one of its shards; `ignore_value` if it is in another.

    Raises:
        ValueError: if there is no such shard, or an index is not **less than index_num**.
    """
    if not 0 <= shard_id < nshards or input.ndim < 2 or input.shape[-1] != 1:
        raise ValueError  # worded by the shape rule
    if input.size and not 0 <= input.min() <= input.max() < index_num:
        raise failure(
            ValueError,
            f"The input_index for Op(shard_index) must be from 0 and less than index_num ({index_num}), but they are "
            f"{input.min()} to {input.max()}.",
        )
    size = -(-index_num // nshards)
    return np.where(input // size == shard_id, input % size, np.array(ignore_value, input.dtype))
