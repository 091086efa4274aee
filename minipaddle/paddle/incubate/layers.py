"""paddle.incubate.layers: parts of rows, put side by side or added; rows in another order; children in a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle import ops
from minipaddle.engine.names.missing import missing
from minipaddle.ops.indexing.gather import gather_op
from minipaddle.ops.sampling.distributions import standard_gamma
from minipaddle.paddle.nn.parameter.create import create_parameter

__all__ = ["partial_concat", "partial_sum", "shuffle_batch", "tdm_child"]
__getattr__ = missing(__name__, __all__)


def partial_concat(input: Sequence[Any], start_index: int = 0, length: int = -1) -> Any:
    """Return the same columns of several matrices, side by side: [rows, len(input) * length].

    Args:
        input: matrices of one shape, [rows, columns].
        start_index: the first column.
        length: how many columns; -1: all that follow.
    """
    return ops.concat(_columns(input, start_index, length), axis=1)


def partial_sum(input: Sequence[Any], start_index: int = 0, length: int = -1) -> Any:
    """Return the sum of the same columns of several matrices, [rows, length]; see :func:`partial_concat`."""
    total, *others = _columns(input, start_index, length)
    for part in others:
        total = total + part
    return total


def _columns(input: Sequence[Any], start: int, length: int) -> list[Any]:
    matrices: list[Any] = list(input) if isinstance(input, list | tuple) else [input]
    for one in matrices:
        if one.ndim != 2:
            raise ValueError(f"the inputs must be matrices, but one has {one.ndim} axes")
    first = start if start >= 0 else start + matrices[0].shape[1]
    stop = None if length < 0 else first + length
    return [one[:, first:stop] for one in matrices]


def shuffle_batch(x: Any, seed: Any = None) -> Any:
    """Return `x`, its last axis aside, in another order: rows change places, by the random generator.

    Args:
        x: [..., n].
        seed: accepted: `paddle.seed` decides.
    """
    rows = ops.reshape(x, [-1, x.shape[-1]])
    drawn = standard_gamma(ops.ones_like(rows[:, 0]))  # how many there are may be known when a Program runs
    shuffled = gather_op(rows, ops.argsort(drawn))
    return shuffled if x.ndim == 2 else ops.reshape(shuffled, x.shape)


def tdm_child(
    x: Any, node_nums: int, child_nums: int, param_attr: Any = None, dtype: Any = "int32"
) -> tuple[Any, Any]:
    """Return the children of nodes of a tree, and whether each is a leaf that stands for an item.

    Args:
        x: numbers of nodes, [..., 1].
        node_nums: how many nodes there are.
        child_nums: how many children a node has.
        param_attr: the tree: a row for each node, of its item, its level, its parent, and its children; 0 for none.
        dtype: that of the results, "int32" or "int64".

    Returns:
        Children [..., child_nums], and 1 where one is a leaf with an item.
    """
    tree = create_parameter([node_nums, 3 + child_nums], "int32", attr=param_attr)
    children = gather_op(tree[:, 3:], ops.reshape(x, [-1]))
    flat = ops.reshape(children, [-1])
    is_leaf = ops.cast(gather_op(tree[:, 0], flat) != 0, "int32") * ops.cast(flat != 0, "int32")
    shape = [*x.shape[:-1], child_nums]
    return tuple(ops.cast(ops.reshape(one, shape), dtype) for one in (children, is_leaf))
