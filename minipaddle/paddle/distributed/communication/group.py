"""Groups of processes, as one process has them: there is nobody else, so no group ever exchanges anything.

The next file on the way is :mod:`minipaddle.paddle.distributed.communication.collectives`, where the groups are used.
"""

from __future__ import annotations

import itertools
import warnings
from typing import Any, NoReturn

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.framework.parallel_env import ParallelEnv

_FIRST = 10
"""The number of the first group that a script makes, as in Paddle."""
_numbers = itertools.count(_FIRST)
_groups: dict[int, Group] = {}


class Group:
    """Some of the processes of a job. A process alone is a member of none: its rank in a group is -1.

    Attributes:
        rank: -1.
        ranks: the numbers of the processes in it.
        nranks: how many these are.
        world_size: -1, as Paddle answers who is no member.
        id: its number.
        name: its name.
        process_group: None; what would exchange tensors.
    """

    def __init__(self, id: int, ranks: list[int]) -> None:
        self.rank = self.world_size = -1
        self.id = id
        self.ranks = ranks
        self.nranks = len(ranks)
        self.name = f"_default_pg{id}"
        self.process_group = None

    def is_member(self) -> bool:
        """Return False: a group has members when there are several processes."""
        return False

    def get_group_rank(self, rank: int) -> int:
        """Return -1, as Paddle answers who is no member."""
        return -1

    def get_global_rank(self, rank: int) -> int:
        """Return -1, as Paddle answers who is no member."""
        return -1

    def __repr__(self) -> str:
        ranks = ", ".join(map(str, self.ranks))
        return f"rank: {self.rank}, nranks: {self.nranks}, id: {self.id}, ranks: {ranks}; name: {self.name}"


def new_group(
    ranks: list[int] | None = None,
    backend: str | None = None,
    timeout: Any = None,
    nccl_comm_init_option: int = 0,
    nccl_config: Any = None,
) -> Group:
    """Return a group of one process; what is exchanged in it stays as it is.

    Args:
        ranks: the number of the process, in a list.
        backend: accepted: there is nothing to set up.
        timeout: accepted.
        nccl_comm_init_option: accepted.
        nccl_config: accepted.

    Raises:
        AssertionError: for several ranks, or all: **Call paddle.distributed.init_parallel_env first**.
    """
    assert ranks is not None and len(ranks) < 2, (
        "Call paddle.distributed.init_parallel_env first to initialize the distributed environment; minipaddle is one "
        "process, which makes groups of one rank"
    )
    group = Group(next(_numbers), list(ranks))
    _groups[group.id] = group
    return group


def get_group(id: int = 0) -> Group | None:
    """Return the group with a number; None, with a warning, if there is none. Number 0, of all, is never there."""
    if id not in _groups:
        warnings.warn(f"Group {id} is not initialized.", stacklevel=2)
    return _groups.get(id)


def is_initialized() -> bool:
    """Return False: the group of all processes is made where there are several."""
    return False


def is_available() -> bool:
    """Return True: the package is here."""
    return True


def destroy_process_group(group: Group | None = None) -> None:
    """Forget a group.

    Raises:
        RuntimeError: **The global group is not initialized**, for None.
        AssertionError: **Destroy group with id ... is invalid**, for one that is forgotten already.
    """
    if group is None:
        no_other_process()
    assert group.id in _groups, f"Destroy group with id {group.id} is invalid."
    del _groups[group.id]


def shutdown_process_group(group: Group | None = None) -> None:
    """Return None: there are no connections to close."""


def restart_process_group(group: Group | None = None) -> None:
    """Return None: there are no connections to open again."""


def barrier(group: Group | None = None) -> None:
    """Return at once for a group of one process.

    Raises:
        RuntimeError: **The global group is not initialized**, for None.
    """
    if group is None:
        no_other_process()


def wait(tensor: Any, group: Group | None = None, use_calc_stream: bool = True) -> None:
    """Return at once for a group of one process.

    Raises:
        RuntimeError: for None: a CPU has no streams to wait for.
    """
    if group is None:
        raise failure(
            RuntimeError, "The kernel `sync_calc_stream` is not registered: a CPU has no streams to wait for."
        )


def get_backend(group: Group | None = None) -> str:
    """Return nothing: a process alone exchanges nothing, so nothing does it.

    Raises:
        RuntimeError: **The global group is not initialized**, or **Invalid group specified**.
    """
    alone(group)
    raise RuntimeError("Invalid group specified")


def alone(group: Group | None) -> None:
    """Warn that this process is no member of a group, in Paddle's words; refuse the group of all.

    Raises:
        RuntimeError: **The global group is not initialized**.
    """
    if group is None:
        no_other_process()
    warnings.warn(f"Current global rank {ParallelEnv().rank} is not in group {group.name}", stacklevel=3)


def no_other_process() -> NoReturn:
    """Refuse what needs the group of all processes, as Paddle does in a process alone."""
    raise RuntimeError(
        "The global group is not initialized.\n  [Hint: this is one process and minipaddle starts no others: there is "
        "nobody to exchange tensors with; ask `paddle.distributed.get_world_size() > 1` first.]"
    )
