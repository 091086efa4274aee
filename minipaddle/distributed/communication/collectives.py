"""What processes exchange with each other, as one process answers: in a group of its own a tensor stays what it is.

Paddle's CPU build in one process has no group of all processes, whatever ``init_parallel_env`` was told: all of these
refuse it. In a group of one rank nothing is exchanged and nothing is recorded, so gradients pass unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.distributed.communication.group import Group, alone, no_other_process

__all__ = [
    "P2POp", "ReduceOp", "all_gather", "all_gather_object", "all_reduce", "alltoall", "alltoall_single",
    "batch_isend_irecv", "broadcast", "broadcast_object_list", "gather", "irecv", "isend", "recv",
    "recv_object_list", "reduce", "reduce_scatter", "scatter", "scatter_object_list", "send",
    "send_object_list",
]  # fmt: skip


class ReduceOp:
    """How the tensors of several processes become one."""

    SUM = 0
    MAX = 1
    MIN = 2
    PROD = 3
    AVG = 4


def all_reduce(tensor: Any, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True) -> None:
    """Leave `tensor`, the sum of all ranks' in place, as it is in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def reduce(
    tensor: Any, dst: int, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True
) -> None:
    """Leave `tensor`, the sum of all ranks' on rank `dst`, as it is in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def broadcast(tensor: Any, src: int, group: Group | None = None, sync_op: bool = True) -> None:
    """Leave `tensor`, which would become that of rank `src`, as it is in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def all_gather(tensor_list: list[Any], tensor: Any, group: Group | None = None, sync_op: bool = True) -> None:
    """Return nothing: a process alone is a member of no group.

    Raises:
        RuntimeError: **The global group is not initialized**, or **all ranks which invoke this operation should be
            the member of this group**.
    """
    if group is None:
        no_other_process()
    raise RuntimeError(
        "The group should not be None and all ranks which invoke this operation should be the member of this group."
    )


def gather(
    tensor: Any,
    gather_list: list[Any] | None = None,
    dst: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
) -> None:
    """Leave `gather_list`, all ranks' tensors on rank `dst`, as it is in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def scatter(
    tensor: Any,
    tensor_list: Sequence[Any] | None = None,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
) -> None:
    """Leave `tensor`, this rank's part of the list of rank `src`, as it is in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def reduce_scatter(
    tensor: Any,
    tensor_list: Sequence[Any],
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
) -> None:
    """Leave `tensor`, this rank's part of the sum of all lists, as it is in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def alltoall(
    out_tensor_list: list[Any],
    in_tensor_list: Sequence[Any],
    group: Group | None = None,
    sync_op: bool = True,
) -> None:
    """Leave `out_tensor_list`, one tensor from each rank, as it is in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def alltoall_single(
    out_tensor: Any,
    in_tensor: Any,
    in_split_sizes: list[int] | None = None,
    out_split_sizes: list[int] | None = None,
    group: Group | None = None,
    sync_op: bool = True,
) -> None:
    """Leave `out_tensor`, a part from each rank, as it is in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def send(tensor: Any, dst: int = 0, group: Group | None = None, sync_op: bool = True) -> None:
    """Send nothing in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def recv(tensor: Any, src: int = 0, group: Group | None = None, sync_op: bool = True) -> None:
    """Leave `tensor` as it is in a group of one rank: nothing is received.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def isend(tensor: Any, dst: int, group: Group | None = None) -> None:
    """Send nothing, without waiting, in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def irecv(tensor: Any, src: int | None = None, group: Group | None = None) -> None:
    """Leave `tensor` as it is in a group of one rank: nothing is received.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def all_gather_object(object_list: list[Any], obj: Any, group: Group | None = None) -> None:
    """Return nothing: a process alone is a member of no group.

    Raises:
        RuntimeError: as `all_gather` does.
    """
    all_gather(object_list, obj, group)


def broadcast_object_list(object_list: list[Any], src: int, group: Group | None = None) -> None:
    """Leave `object_list`, which would become that of rank `src`, as it is in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def scatter_object_list(
    out_object_list: list[Any],
    in_object_list: list[Any] | None = None,
    src: int = 0,
    group: Group | None = None,
) -> None:
    """Return nothing: Paddle asks for the group of all processes here, whatever `group` is.

    Raises:
        RuntimeError: **The global group is not initialized**.
    """
    no_other_process()


def send_object_list(object_list: list[Any], dst: int | None = None, group: Group | None = None) -> None:
    """Send nothing in a group of one rank.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


def recv_object_list(object_list: list[Any], src: int | None = None, group: Group | None = None) -> None:
    """Leave `object_list` as it is in a group of one rank: nothing is received.

    Raises:
        RuntimeError: **The global group is not initialized**, for `group=None`.
    """
    alone(group)


class P2POp:
    """One `isend` or `irecv`, to be done with others by `batch_isend_irecv`.

    Raises:
        RuntimeError: **Invalid ``op`` function**; **The global group is not initialized**, for `group=None`.
    """

    def __init__(self, op: Callable[..., None], tensor: Any, peer: int, group: Group | None = None) -> None:
        if getattr(op, "__name__", "") not in ("isend", "irecv"):
            raise RuntimeError(
                "Invalid ``op`` function. Expected ``op`` to be of type ``paddle.distributed.isend`` or "
                "``paddle.distributed.irecv``."
            )
        if group is None:
            no_other_process()
        self.op = op
        self.tensor = tensor
        self.peer = peer
        self.group = group


def batch_isend_irecv(p2p_op_list: Any) -> None:
    """Send and receive nothing in a group of one rank.

    Raises:
        RuntimeError: **Invalid ``p2p_op_list``**, for anything but a list of P2POp.
    """
    if not isinstance(p2p_op_list, list) or not all(isinstance(each, P2POp) for each in p2p_op_list):
        raise RuntimeError(
            "Invalid ``p2p_op_list``. Each op is expected to to be of type ``paddle.distributed.P2POp``."
        )
    for each in p2p_op_list:
        alone(each.group)
