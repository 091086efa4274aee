"""Every field of a DistributedStrategy, with its default: one table, in Paddle's order.

A message is some fields; a field is a value, or a message again. The next file on the way is
:mod:`minipaddle.paddle.distributed.fleet.base.distributed_strategy`.
"""

from __future__ import annotations

import ast
from typing import Any

_MESSAGES = {
    "strategy": """
        mode=1 amp=False recompute=False localsgd=False dgc=False gradient_merge=False lars=False lamb=False
        pipeline=False elastic=False auto=False a_sync=True sync_nccl_allreduce=True nccl_comm_num=1
        use_hierarchical_allreduce=False hierarchical_allreduce_inter_nranks=1 sync_batch_norm=False
        fuse_all_reduce_ops=True fuse_grad_size_in_MB=32 fuse_grad_size_in_TFLOPS=50.0 cudnn_exhaustive_search=False
        conv_workspace_size_limit=512 cudnn_batchnorm_spatial_persistent=False adaptive_localsgd=False
        fp16_allreduce=False sharding=False last_comm_group_size_MB=1.0 find_unused_parameters=False
        tensor_parallel=False without_graph_optimization=True fuse_grad_size_in_num=8 calc_comm_same_stream=False
        asp=False fuse_grad_merge=False semi_auto=False adam_d2sum=False auto_search=False heter_ccl_mode=False
        is_fl_ps_mode=False with_coordinator=False qat=False split_data=True recompute_configs=recompute
        amp_configs=amp localsgd_configs=localsgd gradient_merge_configs=gradient_merge dgc_configs=dgc
        pipeline_configs=pipeline a_sync_configs=a_sync lars_configs=lars lamb_configs=lamb
        adaptive_localsgd_configs=adaptive_localsgd sharding_configs=sharding hybrid_configs=hybrid
        tensor_parallel_configs=tensor_parallel trainer_desc_configs=trainer_desc downpour_table_param=[]
        fs_client_param=fs_client qat_configs=qat build_strategy=build gradient_scale_configs=gradient_scale""",
    "recompute": "checkpoints=[] enable_offload=False checkpoint_shape=[] enable_tuning=False refined_ops_patterns=[]",
    "amp": """
        init_loss_scaling=32768.0 incr_every_n_steps=1000 decr_every_n_nan_or_inf=2 incr_ratio=2.0 decr_ratio=0.8
        use_dynamic_loss_scaling=True custom_white_list=[] custom_black_list=[] custom_black_varnames=[]
        use_pure_fp16=False use_fp16_guard=True use_optimizer_fp16=False use_pure_bf16=False""",
    "localsgd": "k_steps=1 begin_step=1",
    "gradient_merge": "k_steps=1 avg=True",
    "dgc": "rampup_begin_step=0 rampup_step=1 sparsity=[]",
    "pipeline": """
        micro_batch_size=1 accumulate_steps=1 schedule_mode='1F1B' p2p_cache_shape=True
        enable_partial_send_recv=True""",
    "a_sync": """
        k_steps=-1 max_merge_var_num=1 send_queue_size=16 independent_recv_thread=False
        min_send_grad_num_before_recv=1 thread_pool_size=1 send_wait_times=1 runtime_split_send_recv=False
        launch_barrier=True heter_worker_device_guard='cpu' lr_decay_steps=10 use_ps_gpu=0 use_gpu_graph=0""",
    "lars": "lars_coeff=0.001 lars_weight_decay=0.0005 epsilon=0.0 exclude_from_weight_decay=[]",
    "lamb": "lamb_weight_decay=0.01 exclude_from_weight_decay=[]",
    "adaptive_localsgd": "init_k_steps=1 begin_step=1",
    "sharding": """
        sharding_segment_strategy='segment_broadcast_MB' segment_broadcast_MB=32.0 segment_anchors=[] sharding_degree=8
        mp_degree=1 dp_degree=1 hybrid_dp=False gradient_merge_acc_step=1 optimize_offload=False
        pp_allreduce_in_optimize=False pp_degree=1 optimize_cast=False _dp_as_optimizer_sharding=False stage=1
        enable_tuning=False use_calc_stream=False""",
    "hybrid": """
        dp_degree=-1 mp_degree=1 pp_degree=1 sharding_degree=1 sep_degree=1 mp_configs=hybrid_mp pp_configs=hybrid_pp
        sharding_configs=hybrid_sharding enable_optimizer_timer=False split_norm_comm=False ep_degree=1
        moe_sharding_degree=1 dp_configs=checked sep_configs=connected dp_sep_configs=connected
        pp_tp_configs=connected ep_configs=expert moe_sharding_configs=checked default_comm_group_configs=connected
        cp_degree=1 cp_sharding_degree=1 cp_configs=connected cp_sharding_configs=connected dp_cp_configs=connected
        cp_mp_configs=connected""",
    "hybrid_mp": """
        sync_param=True sync_grad=False sync_moment=False sync_mode='broadcast' mp_async_allreduce=False
        mp_skip_c_identity=False mp_fused_linear_param_grad_add=False need_broadcast_data=True
        recompute_allgather=False sp_async_reduce_scatter=False nccl_config=nccl""",
    "hybrid_pp": """
        dp_comm_overlap=False delay_scale_loss=False enable_timer=False sharding_comm_overlap=False profiling=False
        release_gradients=False overlap_p2p_comm=False clear_every_step_cache=False use_batch_p2p_comm=True
        best_unbalanced_scheduler=False enable_offload_queue=False enable_dynamic_shape=False use_dualpipev=False
        forward_backward_overlap_scheduler=False coll_nccl_config=nccl p2p_nccl_config=nccl shared_nccl_config=nccl
        sync_param=False sync_moment=False sync_mode='broadcast'""",
    "hybrid_sharding": """
        tensor_fusion=False accumulate_steps=1 comm_overlap=False split_param=False fuse_optimizer=True
        use_reduce_avg=True comm_buffer_size_MB=256 release_gradients=False free_grads_in_comm=False
        enable_fuse_optimizer_states=False nccl_config=nccl check_nccl_config=nccl offload_opt_buffer_size=-1""",
    "connected": "nccl_config=nccl",
    "checked": "nccl_config=nccl check_nccl_config=nccl",
    "expert": "nccl_config=nccl grad_nccl_config=nccl",
    "nccl": """
        commName='' ll_buffsize=0 ll128_buffsize=0 simple_buffsize=0 buffsize_align=0 nchannels=0 algoStr=''
        protoStr=''""",
    "tensor_parallel": "tensor_parallel_degree=1 tensor_init_seed=-1",
    "trainer_desc": """
        dump_fields_path='' dump_fields=[] dump_param=[] stat_var_names=[] trainer='' device_worker='' local_sparse=[]
        remote_sparse=[]""",
    "fs_client": "uri='' user='' passwd='' hadoop_bin=''",
    "qat": "channel_wise_abs_max=True weight_bits=8 activation_bits=8 not_quant_pattern=[] algo=''",
    "build": """
        fuse_elewise_add_act_ops=False fuse_bn_act_ops=False fuse_relu_depthwise_conv=False fuse_broadcast_ops=False
        fuse_all_optimizer_ops=False enable_inplace=False enable_backward_optimizer_op_deps=True
        cache_runtime_context=False fuse_bn_add_act_ops=True enable_auto_fusion=False enable_addto=False
        allow_cuda_graph_capture=False reduce_strategy=0 fuse_gemm_epilogue=False debug_graphviz_path=''
        fused_attention=False fused_feedforward=False fuse_dot_product_attention=False fuse_resunit=False""",
    "gradient_scale": "scale_strategy='avg' scale_gradient=False",
}
"""The fields of each message; a word without quotes is the name of a message."""

MESSAGES_OF_LISTS = frozenset({"refined_ops_patterns", "downpour_table_param"})
"""Lists of messages, which the overview shows as they are."""
OTHER_NAMES = {
    "_calc_comm_same_stream": "calc_comm_same_stream",
    "_fuse_grad_size_in_TFLOPS": "fuse_grad_size_in_TFLOPS",
    "is_with_coordinator": "with_coordinator",
}
"""Attributes of the class that have another name than their fields."""


def defaults(message: str) -> dict[str, Any]:
    """Return the fields of a message with their defaults, in order; the fields that are messages are dicts.

    >>> defaults("gradient_merge")
    {'k_steps': 1, 'avg': True}
    """
    pairs = (field.split("=", 1) for field in _MESSAGES[message].split())
    return {name: defaults(text) if text in _MESSAGES else ast.literal_eval(text) for name, text in pairs}
