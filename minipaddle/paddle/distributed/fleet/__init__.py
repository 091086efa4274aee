"""``paddle.distributed.fleet``: a job of several processes; here of one, which trains as usual.

Its only worker is this process. In a Program ``distributed_optimizer`` appends the Operators of the optimizer itself.
"""

from __future__ import annotations

import ast
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.framework.answers import named
from minipaddle.paddle.framework.parallel_env import ParallelEnv
from minipaddle.paddle.framework.static_mode import in_dynamic_mode

_OF_SERVERS = "init_server init_worker run_server save_persistables stop_worker"
__all__ = [
    "DistributedStrategy", "PaddleCloudRoleMaker", "distributed_model", "distributed_optimizer",
    "init", "is_first_worker", "is_server", "is_worker", "worker_index", "worker_num",
    *_OF_SERVERS.split(),
]  # fmt: skip

_REWRITING = ("amp", "dgc", "gradient_merge", "lamb", "lars", "localsgd", "qat", "recompute", "sharding")
"""Flags of a strategy for which Paddle rewrites a Program."""
_FLAGS = """
    a_sync=True adam_d2sum=False adaptive_localsgd=False amp=False asp=False auto=False auto_search=False
    conv_workspace_size_limit=512 cudnn_batchnorm_spatial_persistent=False cudnn_exhaustive_search=False dgc=False
    elastic=False find_unused_parameters=False fp16_allreduce=False fuse_all_reduce_ops=True fuse_grad_merge=False
    fuse_grad_size_in_MB=32 fuse_grad_size_in_num=8 gradient_merge=False heter_ccl_mode=False
    hierarchical_allreduce_inter_nranks=1 is_fl_ps_mode=False lamb=False lars=False last_comm_group_size_MB=1.0
    localsgd=False nccl_comm_num=1 pipeline=False qat=False recompute=False semi_auto=False sharding=False
    split_data=True sync_batch_norm=False sync_nccl_allreduce=True tensor_parallel=False
    use_hierarchical_allreduce=False without_graph_optimization=True build_strategy=None execution_strategy=None"""
_CONFIGS = """
    a_sync adaptive_localsgd amp dgc gradient_merge gradient_scale hybrid lamb lars localsgd pipeline qat recompute
    sharding tensor_parallel trainer_desc"""


class DistributedStrategy:
    """The settings of a job: flags, and dicts of numbers, ``*_configs``, which only store their values.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distributed/fleet/DistributedStrategy_en.html)

    One process stores the settings and trains as usual: a strategy affects several processes, or the
    Programs that Paddle rewrites for them.

    Raises:
        TypeError: **is not a attribute of DistributedStrategy**, when something else is set.
    """

    def __init__(self) -> None:
        for name, _, value in (each.partition("=") for each in _FLAGS.split()):
            vars(self)[name] = ast.literal_eval(value)
        vars(self).update({f"{name}_configs": {} for name in _CONFIGS.split()})

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in vars(self):
            raise TypeError(f"{name} is not a attribute of {type(self).__name__}")
        vars(self)[name] = {**vars(self)[name], **value} if name.endswith("_configs") else value


class PaddleCloudRoleMaker:
    """The rank of this process and the size of the job, from environment variables.

    With `is_collective` workers exchange gradients, without it parameter servers hold the parameters.
    """

    def __init__(self, is_collective: bool = False, **kwargs: Any) -> None:
        env = ParallelEnv()
        self.index, self.workers = env.rank, env.world_size
        self.is_server = not is_collective and os.getenv("TRAINING_ROLE") == "PSERVER"


_role: PaddleCloudRoleMaker | None = None
_strategy = DistributedStrategy()


def init(
    role_maker: PaddleCloudRoleMaker | None = None,
    is_collective: bool = False,
    strategy: DistributedStrategy | None = None,
    log_level: int | str = "INFO",
) -> Any:
    """Begin a job, and return this module; None in static mode.

    Args:
        role_maker: rank and size of the job; from the environment by default.
        is_collective: workers exchange gradients, without parameter servers.
        strategy: how to train.

    Raises:
        ValueError: **`is_collective` should be instance of `bool`**; **`role_maker` should be subclass**.
        AttributeError: `strategy` is no DistributedStrategy.
        RuntimeError: this process is a server, or one of several workers.
    """
    global _role, _strategy
    if not isinstance(is_collective, bool):
        raise ValueError(f"`is_collective` should be instance of `bool`, but got {type(is_collective)}")
    if not isinstance(role_maker, PaddleCloudRoleMaker | None):
        raise ValueError(f"`role_maker` should be subclass of `RoleMakerBase`, but got {type(role_maker)}")
    if not isinstance(strategy, DistributedStrategy | None):
        raise AttributeError(f"{type(strategy).__name__!r} object is no DistributedStrategy")
    role = PaddleCloudRoleMaker(is_collective) if role_maker is None else role_maker
    if role.is_server or role.workers > 1:
        raise failure(
            RuntimeError,
            "A job of several processes works in PaddlePaddle: minipaddle trains in one.",
            f"this one is told that it is {'a server' if role.is_server else 'one'} of {role.workers} workers.",
        )
    _role, _strategy = role, strategy or DistributedStrategy()
    return sys.modules[__name__] if in_dynamic_mode() else None


def _who() -> PaddleCloudRoleMaker:
    if _role is None:
        raise AttributeError("'NoneType' object has no role: call paddle.distributed.fleet.init first")
    return _role


worker_index = named("worker_index", "Return the number of this worker.", lambda: _who().index)
worker_num = named("worker_num", "Return the number of workers: 1.", lambda: _who().workers)
is_server = named("is_server", "Return whether it is a parameter server: no.", lambda: _who().is_server)
is_worker = named("is_worker", "Return whether this process trains: yes.", lambda: not _who().is_server)
is_first_worker = named(
    "is_first_worker", "Return whether this is worker 0.", lambda: is_worker() and _who().index == 0
)


def distributed_optimizer(optimizer: Any, strategy: DistributedStrategy | None = None) -> Any:
    """Return `optimizer` itself, in static mode with a warning that names what Paddle would rewrite the Program for."""
    _who()
    flags = strategy or _strategy
    if not in_dynamic_mode() and (wanted := [flag for flag in _REWRITING if getattr(flags, flag)]):
        warnings.warn(
            f"the Program is not rewritten for {', '.join(wanted)}: that works in PaddlePaddle", stacklevel=2
        )
    return optimizer


def distributed_model(model: Any) -> Any:
    """Return `model` itself.

    Raises:
        AssertionError: **model should not be None**.
    """
    assert model is not None, "model should not be None"
    _who()
    return model


def _of_servers(name: str) -> Callable[..., None]:
    def function(*args: Any, **kwargs: Any) -> None:
        _who()
        warnings.warn(f"You should not call '{name}' method for collective mode.", stacklevel=2)

    return named(name, "Return None, with Paddle's warning: one process has no parameter servers.", function)


globals().update({_name: _of_servers(_name) for _name in _OF_SERVERS.split()})
__getattr__ = front(globals())
