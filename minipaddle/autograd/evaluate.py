"""The two eager readings of a gradient rule: over arrays (first order) and over Tensors (``create_graph=True``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.core.eager import Eager, current
from minipaddle.core.errors import failure
from minipaddle.core.memory import version, version_at, written
from minipaddle.core.meta import Array, Meta
from minipaddle.core.node import Edge, MakeTensor, Node, Side


def read_arrays(record: Node, grads: Sequence[Any], useful: Sequence[bool] | None) -> Sequence[Any]:
    """Run the rules of `record` on plain arrays."""
    kept = record.kept
    if written or useful is not None or record.metas is not None or type(kept) is not tuple:
        return _read_with_care(record, grads, useful)
    return record.plan.run(grads, kept)


def _read_with_care(record: Node, grads: Sequence[Any], useful: Sequence[bool] | None) -> Sequence[Any]:
    """Whatever is not the common case: packed or freed values, in-place writes, several outputs, a partial run."""
    kept = _open(record)
    _check_versions(record, kept)
    if record.metas is not None:
        grads = record.plan.gather(grads, record.metas, _zeros)
    if useful is None:
        return record.plan.run(grads, kept)
    return record.plan.run_some(grads, kept, useful)


def read_tensors(record: Node, grads: Sequence[Any], useful: Sequence[bool] | None) -> Sequence[Any]:
    """Run the rules of `record` on Tensors, so that the gradients can be differentiated in their turn."""
    kept = _open(record)
    _check_versions(record, kept)
    kept = record.plan.connect(record, kept, _reconnected(record))
    if record.metas is not None:
        grads = record.plan.gather(grads, record.metas, lambda meta: Eager.tensor(_zeros(meta)))
    return record.plan.run_some(grads, kept, [True] * len(record.edges) if useful is None else useful)


def _reconnected(record: Node) -> MakeTensor:
    """Return what makes a Tensor of a kept array, and tells who watches."""
    tell = current.get().tell
    if tell is None:
        return connected

    def make(array: Array, edge: Edge | None, side: Side, place: int) -> Any:
        tensor = connected(array, edge, side, place)
        tell.kept(record, side, place, tensor)
        return tensor

    return make


def connected(array: Array, edge: Edge | None, side: Side, place: int) -> Any:
    """Return a Tensor over `array` whose gradient flows along `edge`."""
    tensor = Eager.tensor(array)
    tensor.edge = edge
    return tensor


def _open(record: Node) -> tuple[Any, ...]:
    return record.kept if isinstance(record.kept, tuple) else record.kept.open(record)


def _zeros(meta: Meta) -> Array:
    return np.zeros(meta.shape, meta.dtype)


def _check_versions(record: Node, kept: tuple[Any, ...]) -> None:
    """Refuse kept values that were overwritten since.

    Raises:
        RuntimeError: **has been modified by an inplace operation**, with both versions.
    """
    for array in record.plan.arrays(kept) if written else ():
        now, then = version(array), version_at(array, record.rank)
        if now != then:
            raise failure(
                RuntimeError,
                f"Tensor kept by {record.op.title}GradNode (shape {list(array.shape)}) has been modified by an inplace "
                f"operation. Its version is {now} but the expected version is {then}.",
                "use the operator without the trailing underscore, or write to a clone()",
            )
