"""``paddle.distributed`` for one process: rank 0 of 1, without communication.

Functions that need several processes raise. Jobs are in :mod:`minipaddle.paddle.distributed.fleet`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, NoReturn

from minipaddle.engine.errors import failure
from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.framework.answers import named
from minipaddle.paddle.framework.parallel_env import ParallelEnv
from minipaddle.paddle.framework.static_mode import in_dynamic_mode
from minipaddle.paddle.nn.layer.layers import Layer

_OF_SEVERAL = ("all_reduce", "reduce", "broadcast", "scatter", "all_gather", "all_gather_object", "barrier")
__all__ = [
    "DataParallel", "ParallelEnv", "ReduceOp", "get_rank", "get_world_size", "init_parallel_env", "is_available",
    "is_initialized", "spawn", *_OF_SEVERAL,
]  # fmt: skip


# -- rank and size ----------------------------------------------------------------------------------------------


def init_parallel_env(nccl_config: Any = None) -> None:
    """Return None, with Paddle's warning that there is nothing to do in one process.

    Raises:
        RuntimeError: the environment says that there are several processes.
    """
    world_size = ParallelEnv().world_size
    if world_size > 1:
        raise failure(
            RuntimeError,
            f"PADDLE_TRAINERS_NUM is {world_size}: processes that exchange tensors work in PaddlePaddle.",
            "minipaddle trains in one process.",
        )
    warnings.warn(
        "Currently not a parallel execution environment, `paddle.distributed.init_parallel_env` will not do anything.",
        stacklevel=2,
    )


def get_rank(group: None = None) -> int:
    """Return the number of this process: 0 unless the environment says another. It belongs to no `group`."""
    return _environment(group).rank


def get_world_size(group: None = None) -> int:
    """Return the number of processes: 1 unless the environment says another. They belong to no `group`."""
    return _environment(group).world_size


def _environment(group: None) -> ParallelEnv:
    assert group is None, "Only support group argument in eager mode."
    return ParallelEnv()


is_initialized = named(
    "is_initialized",
    "Return False: the group of all processes is made where there are several.",
    lambda: False,
)
is_available = named("is_available", "Return True: the package is here.", lambda: True)


# -- communication ---------------------------------------------------------------------------------------------
# Paddle's CPU build in one process has no group of all processes, even after `init_parallel_env`: it refuses.


class ReduceOp:
    """How the tensors of several processes are combined."""

    SUM, MAX, MIN, PROD, AVG = range(5)


def _alone() -> NoReturn:
    raise RuntimeError(
        "The global group is not initialized.\n  [Hint: this is one process and minipaddle starts no others: there is "
        "nobody to exchange tensors with; ask `paddle.distributed.get_world_size() > 1` first.]"
    )


_EXCHANGES: dict[str, Callable[..., NoReturn]] = {
    "Make `tensor` the sum of all processes'": lambda tensor, op=0, group=None, sync_op=True: _alone(),
    "Make `tensor` of process `dst` the sum of all": lambda tensor, dst, op=0, group=None, sync_op=True: (
        _alone()
    ),
    "Give `tensor` of process `src` to all": lambda tensor, src, group=None, sync_op=True: _alone(),
    "Make `tensor` a part of the list of `src`": (
        lambda tensor, tensor_list=None, src=0, group=None, sync_op=True: _alone()
    ),
    "Collect the tensors of all processes": lambda tensor_list, tensor, group=None, sync_op=True: _alone(),
    "Collect the objects of all processes": lambda object_list, obj, group=None: _alone(),
    "Wait for all processes": lambda group=None: _alone(),
}
"""The purpose of each of `_OF_SEVERAL` between processes, in their order."""
globals().update(
    {
        name: named(name, f"{does}; raise RuntimeError: **The global group is not initialized**.", answer)
        for name, (does, answer) in zip(_OF_SEVERAL, _EXCHANGES.items(), strict=True)
    }
)


# -- training --------------------------------------------------------------------------------------------------

_ONE = {"PADDLE_TRAINER_ID": "0", "PADDLE_TRAINERS_NUM": "1", "PADDLE_LOCAL_RANK": "0"}
"""The environment variables of a job's only process."""


def spawn(
    func: Callable[..., None],
    args: Iterable[Any] = (),
    nprocs: int = -1,
    join: bool = True,
    daemon: bool = False,
    **options: Any,
) -> Any:
    """Call `func(*args)` here, where every tool sees it, as process 0 of 1, and return when it has finished.

    `nprocs` may be 1, or -1, which in Paddle is a process for each core.

    Raises:
        RuntimeError: for more processes than one; and what `func` raises.
    """
    if nprocs not in (-1, 1):
        raise failure(
            RuntimeError,
            f"spawn of {nprocs} processes works in PaddlePaddle: minipaddle trains in one.",
            "The same script runs with one process, whose rank is 0.",
        )
    before = {name: os.environ.pop(name) for name in _ONE if name in os.environ}
    os.environ.update(_ONE)
    try:
        func(*args)
    finally:
        for name in _ONE:
            os.environ.pop(name, None)
        os.environ.update(before)
    return SimpleNamespace(processes=[], join=lambda timeout=None: True)  # no process to wait for


class DataParallel(Layer):
    """A layer that calls another one; several processes would also average its gradients.

    Raises:
        AssertionError: **not supported to construct DataParallel in static graph mode**.
    """

    def __init__(
        self,
        layers: Layer,
        strategy: Any = None,
        comm_buffer_size: int = 25,
        last_comm_buffer_size: float = 1,
        find_unused_parameters: bool = False,
        group: Any = None,
    ) -> None:
        super().__init__(layers.full_name() + "_data_parallel")
        assert in_dynamic_mode(), "It's not supported to construct DataParallel in static graph mode."
        self._layers = layers
        self.find_unused_parameters = find_unused_parameters
        self.grad_need_sync = True
        self.group = group
        warnings.warn(
            "The program will return to single-card operation. Please check 1, whether you use spawn or fleetrun to "
            "start the program. 2, Whether it is a multi-card program. 3, Is the current environment multi-card.",
            stacklevel=2,
        )

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Let `grad_need_sync` be False inside a ``with`` block."""
        before, self.grad_need_sync = self.grad_need_sync, False
        try:
            yield
        finally:
            self.grad_need_sync = before

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Return what the layer returns."""
        return self._layers(*inputs, **kwargs)

    def scale_loss(self, loss: Any) -> Any:
        """Return `loss` itself, as Paddle does since 2.0."""
        return loss

    def apply_collective_grads(self) -> None:
        """Return None, as Paddle does since 2.0."""

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Return the layer's state dict: no name begins with ``_layers``."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, state_dict: Any, use_structured_name: bool = True) -> Any:
        """Return None: load what `state_dict` returned."""
        self._layers.set_state_dict(state_dict, use_structured_name)

    set_dict = load_dict = set_state_dict


__getattr__ = front(globals(), {"fleet": ""})
