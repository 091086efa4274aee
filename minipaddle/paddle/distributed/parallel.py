"""Training in parallel, as one process does it: it is process 0 of 1, and DataParallel hands its layer on."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minipaddle.engine.core.errors import failure, guard_all
from minipaddle.paddle.distributed.communication.group import Group
from minipaddle.paddle.framework.parallel_env import ParallelEnv
from minipaddle.paddle.framework.settings import in_dynamic_mode
from minipaddle.paddle.nn.layer.layers import Layer

__all__ = ["DataParallel", "ParallelEnv", "get_rank", "get_world_size", "init_parallel_env"]


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


def get_rank(group: Group | None = None) -> int:
    """Return the number of this process: 0 unless the environment says another, -1 in a group.

    Raises:
        AssertionError: **Only support group argument in eager mode**, for what is no group.
    """
    if isinstance(group, Group) and in_dynamic_mode():
        return group.rank
    assert group is None, "Only support group argument in eager mode."
    return ParallelEnv().rank


def get_world_size(group: Group | None = None) -> int:
    """Return the number of processes: 1 unless the environment says another, -1 of a group.

    Raises:
        AssertionError: **Only support group argument in eager mode**, for what is no group.
    """
    if isinstance(group, Group) and in_dynamic_mode():
        return group.world_size
    assert group is None, "Only support group argument in eager mode."
    return ParallelEnv().world_size


class DataParallel(Layer):
    """A layer that calls another one; with several processes it would also average their gradients.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/DataParallel_en.html)

    Args:
        layers: what to call.
        strategy: accepted, as are the sizes: they say how gradients travel.
        find_unused_parameters: kept.
        group: kept.

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
        group: Group | None = None,
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
        """Return the layer's own, whose names do not begin with ``_layers``."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, state_dict: Any, use_structured_name: bool = True) -> Any:
        """Return None: load what `state_dict` returned."""
        self._layers.set_state_dict(state_dict, use_structured_name)

    set_dict = load_dict = set_state_dict


guard_all(globals())
