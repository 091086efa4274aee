"""What processes exchange with each other, as one process answers: in a group of its own a tensor stays what it is.

Paddle's CPU build in one process has no group of all processes, whatever ``init_parallel_env`` was told: all of these
refuse it. In a group of one rank nothing is exchanged and nothing is recorded, so gradients pass unchanged.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from minipaddle.paddle.distributed.communication.group import Group, alone, no_other_process

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


def _unchanged(name: str, parameters: str, told: str) -> Callable[..., None]:
    """Return a function of these `parameters` that leaves everything as it is in a group of one rank.

    >>> _unchanged("send", "tensor dst=0 group=None", "Send nothing").__doc__.splitlines()[0]
    'Send nothing in a group of one rank.'
    """
    pairs = [one.partition("=") for one in parameters.split()]
    signature = Signature(
        [
            Parameter(
                one,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=ast.literal_eval(value) if sign else Parameter.empty,
            )
            for one, sign, value in pairs
        ]
    )

    def collective(*args: Any, **kwargs: Any) -> None:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}(): {error}") from None
        alone(given.arguments.get("group"))

    collective.__name__ = collective.__qualname__ = name
    collective.__doc__ = (
        f"{told} in a group of one rank.\n\nRaises:\n    RuntimeError: **The global group is not initialized**, for "
        "`group=None`.\n"
    )
    vars(collective)["__signature__"] = signature
    return collective


_SYNC = "group=None sync_op=True"
all_reduce = _unchanged(
    "all_reduce", f"tensor op=0 {_SYNC}", "Leave `tensor`, the sum of all ranks' in place, as it is"
)
reduce = _unchanged(
    "reduce", f"tensor dst op=0 {_SYNC}", "Leave `tensor`, the sum of all ranks' on rank `dst`, as it is"
)
broadcast = _unchanged(
    "broadcast", f"tensor src {_SYNC}", "Leave `tensor`, which would become that of rank `src`, as it is"
)
gather = _unchanged(
    "gather",
    f"tensor gather_list=None dst=0 {_SYNC}",
    "Leave `gather_list`, all ranks' tensors on rank `dst`, as it is",
)
scatter = _unchanged(
    "scatter",
    f"tensor tensor_list=None src=0 {_SYNC}",
    "Leave `tensor`, this rank's part of the list of rank `src`, as it is",
)
reduce_scatter = _unchanged(
    "reduce_scatter",
    f"tensor tensor_list op=0 {_SYNC}",
    "Leave `tensor`, this rank's part of the sum of all lists, as it is",
)
alltoall = _unchanged(
    "alltoall",
    f"out_tensor_list in_tensor_list {_SYNC}",
    "Leave `out_tensor_list`, one tensor from each rank, as it is",
)
alltoall_single = _unchanged(
    "alltoall_single",
    f"out_tensor in_tensor in_split_sizes=None out_split_sizes=None {_SYNC}",
    "Leave `out_tensor`, a part from each rank, as it is",
)
send = _unchanged("send", f"tensor dst=0 {_SYNC}", "Send nothing")
recv = _unchanged("recv", f"tensor src=0 {_SYNC}", "Leave `tensor` as it is, for nothing is received,")
isend = _unchanged("isend", "tensor dst group=None", "Send nothing, without waiting,")
irecv = _unchanged("irecv", "tensor src=None group=None", "Leave `tensor` as it is, for nothing is received,")
broadcast_object_list = _unchanged(
    "broadcast_object_list",
    "object_list src group=None",
    "Leave `object_list`, which would become that of rank `src`, as it is",
)
send_object_list = _unchanged("send_object_list", "object_list dst=None group=None", "Send nothing")
recv_object_list = _unchanged(
    "recv_object_list",
    "object_list src=None group=None",
    "Leave `object_list` as it is, for nothing is received,",
)


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


def all_gather_object(object_list: list[Any], obj: Any, group: Group | None = None) -> None:
    """Return nothing: a process alone is a member of no group.

    Raises:
        RuntimeError: as `all_gather` does.
    """
    all_gather(object_list, obj, group)


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
