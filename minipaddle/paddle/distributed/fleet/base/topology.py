"""How the processes of a job are laid out: a grid with an axis for each way to share the work."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.paddle.distributed.communication.group import Group, new_group

_AXES = ("data", "pipe", "sharding", "sep", "context", "model")


class ParallelMode:
    """How work is shared."""

    DATA_PARALLEL = 0
    TENSOR_PARALLEL = 1
    PIPELINE_PARALLEL = 2
    SHARDING_PARALLEL = 3
    SEGMENT_PARALLEL = 4


class CommunicateTopology:
    """A grid of processes, numbered along its last axis first.

    Args:
        hybrid_group_names: its axes.
        dims: their lengths.
    """

    def __init__(
        self, hybrid_group_names: Sequence[str] = _AXES, dims: Sequence[int] = (1, 1, 1, 1, 1, 1)
    ) -> None:
        self._names = list(hybrid_group_names)
        self._ranks = np.arange(int(np.prod(dims))).reshape(dims)
        self.coordinate = _type_of_places(self._names)

    def get_hybrid_group_names(self) -> list[str]:
        """Return the axes."""
        return self._names

    def get_dim(self, axis_name: str) -> int:
        """Return the length of an axis."""
        return int(self._ranks.shape[self._names.index(axis_name)])

    get_dim_size = get_dim

    def world_size(self) -> int:
        """Return the number of processes."""
        return self._ranks.size

    def get_rank(self, **args: int) -> int:
        """Return the process at a place, which has a number for each axis."""
        return int(self._ranks[tuple(args[name] for name in self._names)])

    def get_coord(self, rank: int) -> Any:
        """Return the place of a process."""
        return self.coordinate(*(int(at) for at in np.unravel_index(rank, self._ranks.shape)))

    def get_axis_list(self, axis_name: str, index: int) -> list[int]:
        """Return the processes at one place of an axis."""
        taken: list[int] = np.take(self._ranks, index, self._names.index(axis_name)).reshape(-1).tolist()
        return taken

    def get_comm_list(self, axis_name: str) -> list[list[int]]:
        """Return the lines of processes along an axis."""
        axis = self._names.index(axis_name)
        lines: list[list[int]] = (
            np.moveaxis(self._ranks, axis, -1).reshape(-1, self._ranks.shape[axis]).tolist()
        )
        return lines

    def get_fused_ranks(self, fused_axis: Sequence[str]) -> list[list[int]]:
        """Return the sets of processes that differ in some axes only."""
        axes = [self._names.index(name) for name in fused_axis]
        last = range(self._ranks.ndim - len(axes), self._ranks.ndim)
        size = int(np.prod([self._ranks.shape[axis] for axis in axes]))
        ranks: list[list[int]] = np.moveaxis(self._ranks, axes, list(last)).reshape(-1, size).tolist()
        return ranks

    def get_rank_from_stage(self, global_rank: int, **kwargs: int) -> int:
        """Return the process that has another place in some axes and else that of `global_rank`."""
        return self.get_rank(**{**self.get_coord(global_rank)._asdict(), **kwargs})


def _type_of_places(names: Sequence[str]) -> Any:
    return collections.namedtuple("Coordinate", names)


class HybridCommunicateGroup:
    """This process in a grid of one: rank 0 of 1 along each axis.

    For each axis there are ``get_data_parallel_rank()``, ``get_data_parallel_world_size()``,
    ``get_data_parallel_group()`` and ``get_data_parallel_group_src_rank()``.
    """

    get_data_parallel_rank: Callable[[], int]
    get_data_parallel_world_size: Callable[[], int]

    def __init__(self, topology: CommunicateTopology) -> None:
        self._topology = topology
        self._groups = {axis: new_group([0]) for axis in ("pipe", "data", "model", "sharding", "check")}

    def topology(self) -> CommunicateTopology:
        """Return the grid."""
        return self._topology

    def get_global_rank(self) -> int:
        """Return 0."""
        return 0

    get_stage_id = get_global_rank

    def get_parallel_mode(self) -> None:
        """Return None: nothing is shared."""

    def get_check_parallel_group(self, sharding: bool = False) -> Group:
        """Return the group in which processes check each other's gradients."""
        return self._groups["check"]

    def is_first_stage(self) -> bool:
        """Return True."""
        return True

    is_last_stage = is_first_stage

    def _group(self, axis: str) -> Group:
        assert axis in self._groups, f"{axis} not exist"
        return self._groups[axis]


def _answer(axis: str, what: str) -> Callable[[HybridCommunicateGroup], Any]:
    """Return the method that says one thing about one axis."""
    known: dict[str, Callable[[HybridCommunicateGroup], Any]] = {
        "rank": lambda grid: 0,
        "world_size": lambda grid: grid.topology().get_dim(axis),
        "group": lambda grid: grid._group(axis),
        "group_src_rank": lambda grid: grid._group(axis).ranks[0],
    }

    def method(self: HybridCommunicateGroup) -> Any:
        return known[what](self)

    method.__name__ = f"get_{axis}_parallel_{what}"
    method.__doc__ = f"Return the {what.replace('_', ' ')} of this process along the axis {axis!r}."
    return method


for _axis in ("data", "pipe", "sharding", "sep", "model"):
    for _what in ("rank", "world_size", "group", "group_src_rank"):
        setattr(HybridCommunicateGroup, f"get_{_axis}_parallel_{_what}", _answer(_axis, _what))
