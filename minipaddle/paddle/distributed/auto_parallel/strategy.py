"""Strategies of auto_parallel: parts with fields, in one table."""

from __future__ import annotations

import ast
import copy
from typing import Any

__all__ = ["Strategy"]

_PARTS = {
    "base": """
        auto_mode='semi' gradient_scale=True gradient_scale_using_allreduce_avg=False use_cache=True return_numpy=True
        all_ranks=False split_data=True seed=None reinit=False""",
    "sharding": """
        enable=False stage=1 degree=8 enable_overlap=False param_comm_stream_num=1 grad_comm_stream_num=1
        param_bucket_size_numel=1 grad_bucket_size_numel=1 enable_hierarchical_comm=False
        partition_algor='greedy_even' enable_tuning=False tuning_range=[] release_gradients=False
        comm_buffer_size_MB=256 enable_tensor_fusion=False save_unbalanced_param=True""",
    "gradient_merge": "enable=False k_steps=1 avg=True",
    "pipeline": """
        enable=False schedule_mode='1F1B' pp_degree=1 vpp_degree=1 vpp_seg_method='' micro_batch_size=1
        accumulate_steps=1 generation_batch_size=1 enable_send_recv_overlap=False job_schedule_profiler_start=-1
        job_schedule_profiler_stop=-1 program_runtimes=[61,72,71,34,3] memory_limit_times=-1 split_backward=False
        auto_parallel_sync_shared_params=False""",
    "amp": """
        enable=False dtype='float16' level='o1' init_loss_scaling=32768.0 incr_every_n_steps=1000
        decr_every_n_nan_or_inf=2 incr_ratio=2.0 decr_ratio=0.8 use_dynamic_loss_scaling=True custom_white_list=[]
        custom_black_list=[] custom_black_varnames=[] use_fp16_guard=False use_bf16_guard=False use_master_grad=False
        use_promote=True""",
    "recompute": """
        enable=False checkpoints=[] no_recompute_segments=[] sr=0 refined_ops_patterns=[] enable_tuning=False""",
    "qat": """
        enable=False channel_wise_abs_max=True weight_bits=8 activation_bits=8 not_quant_pattern=['skip_quant']
        algo=None onnx_format=True""",
    "tuning": "enable=False profile_start_step=1 profile_end_step=1 run_after_tuning=True debug=False",
    "dataset": "enable=False num_shards=1",
    "fused_passes": "enable=False fused_passes_list=[]",
    "fused_linear_promotion": "enable=False",
    "dp_optimization": """
        enable=False fuse_all_reduce_ops=True fuse_grad_size_in_MB=32 overlap_comm_cacl=True
        gradient_sync_after_accumulate=False""",
    "mp_optimization": """
        allreduce_matmul_grad_overlapping=False replace_with_c_embedding=False
        replace_with_parallel_cross_entropy=False""",
    "sp_optimization": "enable=True",
}
"""The fields of each part, with their defaults."""


class Part:
    """Some fields of a strategy; others may be set, as in Paddle."""

    def __init__(self, fields: dict[str, Any]) -> None:
        vars(self).update(fields)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return copy.deepcopy(vars(self))

    def __repr__(self) -> str:
        return "{" + "".join(f'"{name}":"{value}",' for name, value in vars(self).items()) + "}"


class Strategy(Part):
    """How to train in parallel, part by part: `sharding`, `amp`, `pipeline`, `gradient_merge`, `recompute`, ...

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distributed/Strategy_en.html)

    Args:
        config: for some parts, some fields by name.

    Raises:
        ValueError: **Expected a dictionary**.
    """

    sharding: Part
    amp: Part
    gradient_merge: Part
    pipeline: Part
    recompute: Part

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        if config is not None and not isinstance(config, dict):
            raise ValueError(f"Expected a dictionary. But received: {config}")
        given = config or {}
        super().__init__(
            {**_fields("base"), **{name: given[name] for name in _fields("base") if name in given}}
        )
        for name in _PARTS:
            if name != "base":
                vars(self)[name] = Part({**_fields(name), **given.get(name, {})})


def _fields(part: str) -> dict[str, Any]:
    pairs = (field.split("=", 1) for field in _PARTS[part].split())
    return {name: ast.literal_eval(text) for name, text in pairs}
