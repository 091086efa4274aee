"""split: a layer of a Program that several processes share; one process holds it whole."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.distributed.fleet.fleet import fleet
from minipaddle.paddle.framework.settings import in_dynamic_mode
from minipaddle.paddle.static.nn.common import embedding


def split(
    x: Any,
    size: Any,
    operation: str,
    axis: int = 0,
    num_partitions: int = 1,
    gather_out: bool = True,
    weight_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
) -> Any:
    """Return the rows [..., size[1]] of a table that whole numbers choose, in a Program.

    Args:
        x: whole numbers.
        size: rows of the table, and their length.
        operation: "embedding"; "linear" needs several processes.
        axis: accepted: the axis along which processes would share the table.
        num_partitions: 1.
        gather_out: accepted.
        weight_attr: a ParamAttr, or what becomes one, for the table.
        bias_attr: accepted.
        name: accepted.

    Raises:
        AssertionError: **The operation for paddle.distributed.split**; **you must call fleet.init() firstly**.
        ValueError: **cannot be used in dynamic graph mode**; **The number of ranks**.
    """
    assert len(size) == 2, (
        "The type of size in paddle.distributed.split must be list or tuple of two numbers."
    )
    assert operation in ("linear", "embedding"), (
        "The operation for paddle.distributed.split must be one of ['linear', 'embedding']."
    )
    if in_dynamic_mode():
        raise ValueError(
            "paddle.distributed.split cannot be used in dynamic graph mode, please use ParallelEmbedding, "
            "ParallelRowLinear, ParallelColumnLinear instead."
        )
    assert fleet.begun, "To use paddle.distributed.split, you must call fleet.init() firstly."
    if operation == "linear" or num_partitions != 1:
        raise failure(
            ValueError,
            "The number of ranks (1) for c_concat must be greater than 1.",
            "it works in PaddlePaddle.",
        )
    return embedding(x, size, param_attr=weight_attr)
