"""Fleet: a job of several processes under one roof; with one process, a job that trains as ever.

``paddle.distributed.fleet.init`` and its like are methods of the one Fleet that this file makes.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.distributed.fleet.base.distributed_strategy import DistributedStrategy
from minipaddle.paddle.distributed.fleet.base.role_maker import PaddleCloudRoleMaker, RoleMakerBase
from minipaddle.paddle.distributed.fleet.base.topology import CommunicateTopology, HybridCommunicateGroup
from minipaddle.paddle.distributed.fleet.base.util_factory import UtilBase
from minipaddle.paddle.framework.settings import in_dynamic_mode

__all__ = ["Fleet", "fleet"]

_OF_SERVERS = """
    init_worker init_server run_server stop_worker load_inference_model load_model load_one_table print_table_stat
    save_cache_model save_cache_table save_dense_params save_inference_model save_one_table save_persistables set_date
    shrink"""
OF_SERVERS = _OF_SERVERS.split()
"""What is done with parameter servers: in one process without any, Paddle warns and does nothing."""
REWRITING = ("amp", "dgc", "gradient_merge", "lamb", "lars", "localsgd", "qat", "recompute", "sharding")
"""Flags of a strategy for which Paddle rewrites a Program."""


class Fleet:
    """A job, of which this process is the only worker.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distributed/fleet/Fleet_en.html)
    """

    def __init__(self) -> None:
        self._role: RoleMakerBase | None = None
        self._groups: HybridCommunicateGroup | None = None
        self._strategy = DistributedStrategy()
        self._optimizer: Any = None
        self._level = "INFO"
        self.util = UtilBase()

    def init(
        self,
        role_maker: RoleMakerBase | None = None,
        is_collective: bool = False,
        strategy: DistributedStrategy | None = None,
        log_level: int | str = "INFO",
    ) -> Fleet | None:
        """Begin a job, and return this; None in static mode.

        Args:
            role_maker: who this process is; read from the environment by default.
            is_collective: workers exchange gradients, without parameter servers.
            strategy: how to train.
            log_level: kept.

        Raises:
            ValueError: **`is_collective` should be instance of `bool`**; **`role_maker` should be subclass**.
            AttributeError: `strategy` is no DistributedStrategy.
            RuntimeError: the role is that of a server, or one of several workers.
        """
        if not isinstance(is_collective, bool):
            raise ValueError(f"`is_collective` should be instance of `bool`, but got {type(is_collective)}")
        if role_maker is not None and not isinstance(role_maker, RoleMakerBase):
            raise ValueError(
                f"`role_maker` should be subclass of `RoleMakerBase`, but got {type(role_maker)}"
            )
        if strategy is not None and not isinstance(strategy, DistributedStrategy):
            raise AttributeError(f"{type(strategy).__name__!r} object is no DistributedStrategy")
        role = PaddleCloudRoleMaker(is_collective) if role_maker is None else role_maker
        if role._is_server() or role._worker_num() > 1:
            raise failure(
                RuntimeError,
                "A job of several processes works in PaddlePaddle: minipaddle trains in one.",
                f"this one is told that it has the role {role.to_string()!r}, of {role._worker_num()} workers.",
            )
        self._role = role
        self._strategy = strategy if strategy is not None else DistributedStrategy()
        self.set_log_level(log_level)
        self._groups = HybridCommunicateGroup(CommunicateTopology())
        return self if in_dynamic_mode() else None

    @property
    def begun(self) -> bool:
        """Whether `init` was called."""
        return self._role is not None

    def _who(self) -> RoleMakerBase:
        if self._role is None:
            raise AttributeError("'NoneType' object has no role: call paddle.distributed.fleet.init first")
        return self._role

    def worker_index(self) -> int:
        """Return the number of this worker."""
        return self._who()._worker_index()

    rank = worker_index

    def worker_num(self) -> int:
        """Return the number of workers: 1."""
        return self._who()._worker_num()

    nranks = world_size = worker_num

    def node_num(self) -> int:
        """Return the number of machines: 1."""
        return len({end.partition(":")[0] for end in self._who()._get_trainer_endpoints()}) or 1

    def local_rank(self) -> None:
        """Return None, as Paddle does without devices; so for the numbers of devices."""
        self._who()

    rank_in_node = local_device_ids = world_device_ids = local_rank

    def is_worker(self) -> bool:
        """Return whether this process trains."""
        return self._who()._is_worker()

    def is_first_worker(self) -> bool:
        """Return whether this is worker 0."""
        return self._who()._is_first_worker()

    def is_server(self) -> bool:
        """Return whether this process is a parameter server: no."""
        return self._who()._is_server()

    def is_coordinator(self) -> bool:
        """Return False."""
        self._who()
        return False

    def server_num(self) -> int:
        """Return the number of parameter servers."""
        return self._who()._server_num()

    def server_index(self) -> int:
        """Return the number of this process among servers: 0, as Paddle says of a worker."""
        return self._who()._worker_index()

    def worker_endpoints(self, to_string: bool = False) -> list[str] | str:
        """Return the addresses of the workers."""
        ends = self._who()._get_trainer_endpoints()
        return ",".join(ends) if to_string else ends

    def server_endpoints(self, to_string: bool = False) -> list[str] | str:
        """Return the addresses of the parameter servers."""
        ends = self._who()._get_pserver_endpoints()
        return ",".join(ends) if to_string else ends

    def barrier_worker(self) -> None:
        """Return None: there is nobody to wait for."""
        self._who()

    def all_reduce(self, input: Any, mode: str = "sum") -> Any:
        """Return `input`, which is the sum of one."""
        self._who()
        return self.util.all_reduce(input, mode)

    def get_hybrid_communicate_group(self) -> HybridCommunicateGroup:
        """Return this process's place in the job.

        Raises:
            AttributeError: before `init`.
        """
        self._who()
        assert self._groups is not None
        return self._groups

    def set_log_level(self, level: int | str) -> None:
        """Keep a level of messages, by name or number."""
        self._level = logging.getLevelName(level) if isinstance(level, int) else level

    def get_log_level_name(self) -> str:
        """Return the level of messages, by name."""
        return self._level

    def get_log_level_code(self) -> int:
        """Return the level of messages, as a number."""
        code: int = logging.getLevelName(self._level)
        return code

    def collective_perf(
        self, comm_type: str, round: int = 50, size_and_time: dict[int, float] | None = None
    ) -> None:
        """Return None: with one process there is no exchange to measure."""

    def distributed_optimizer(self, optimizer: Any, strategy: DistributedStrategy | None = None) -> Any:
        """Return `optimizer` itself; in static mode this, whose `minimize` is that of `optimizer`."""
        self._strategy = strategy if strategy is not None else self._strategy
        if in_dynamic_mode():
            self._who()
            return optimizer
        self._optimizer = optimizer
        return self

    def distributed_model(self, model: Any) -> Any:
        """Return `model` itself.

        Raises:
            AssertionError: **model should not be None**.
        """
        assert model is not None, "model should not be None"
        self._who()
        return model

    def distributed_scaler(self, scaler: Any) -> Any:
        """Return `scaler` itself."""
        return scaler

    def minimize(
        self, loss: Any, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Any = None
    ) -> Any:
        """Append what the optimizer of `distributed_optimizer` appends, and return the same.

        Raises:
            AttributeError: there is none.
        """
        if self._optimizer is None:
            raise AttributeError(
                "there is no optimizer: call paddle.distributed.fleet.distributed_optimizer first"
            )
        if wanted := [flag for flag in REWRITING if getattr(self._strategy, flag)]:
            warnings.warn(
                f"the Program is not rewritten for {', '.join(wanted)}: that works in PaddlePaddle",
                stacklevel=2,
            )
        return self._optimizer.minimize(loss, startup_program, parameter_list, no_grad_set)


def _of_servers(name: str) -> Callable[..., None]:
    def method(self: Fleet, *args: Any, **kwargs: Any) -> None:
        self._who()
        warnings.warn(f"You should not call '{name}' method for collective mode.", stacklevel=2)

    method.__name__ = name
    method.__doc__ = (
        "Return None, with Paddle's warning: one process has no parameter servers, and nothing is done."
    )
    return method


for _name in OF_SERVERS:
    setattr(Fleet, _name, _of_servers(_name))

fleet = Fleet()
