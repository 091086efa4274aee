"""``paddle.distributed.fleet``: a job of one process; its functions are methods of one :class:`Fleet`.

Each name is loaded when it is asked for; start reading in :mod:`minipaddle.paddle.distributed.fleet.fleet`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from minipaddle.engine.core.later import front

_METHODS = """
    all_reduce barrier_worker collective_perf distributed_model distributed_optimizer distributed_scaler
    get_hybrid_communicate_group get_log_level_code get_log_level_name init init_server init_worker is_coordinator
    is_first_worker is_server is_worker load_inference_model load_model load_one_table local_device_ids local_rank
    minimize node_num nranks print_table_stat rank rank_in_node run_server save_cache_model save_cache_table
    save_dense_params save_inference_model save_one_table save_persistables server_endpoints server_index server_num
    set_date set_log_level shrink stop_worker util worker_endpoints worker_index worker_num world_device_ids
    world_size"""
METHODS = frozenset(_METHODS.split())
"""What is asked of the one Fleet."""
__all__ = [*METHODS]
_single = front(
    globals(),
    {
        **dict.fromkeys(("base", "layers", "meta_parallel", "recompute", "utils"), ""),
        "base.distributed_strategy": "DistributedStrategy",
        "base.role_maker": "PaddleCloudRoleMaker Role UserDefinedRoleMaker",
        "base.topology": "CommunicateTopology HybridCommunicateGroup",
        "base.util_factory": "UtilBase",
        "data_generator": "MultiSlotDataGenerator MultiSlotStringDataGenerator",
        "fleet": "Fleet fleet",
    },
)


def __getattr__(name: str) -> Any:
    """Return a method of the one Fleet, or load a single name or a module of this package."""
    if name in METHODS:
        globals()["fleet"] = one = import_module(f"{__name__}.fleet").fleet  # not the module of this name
        return getattr(one, name)
    if name == "auto":
        from minipaddle.paddle.distributed import auto_parallel

        return auto_parallel
    return _single(name)
