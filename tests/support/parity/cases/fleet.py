"""paddle.distributed.fleet of one process: strategies, who it is, what it hands on, recompute."""

from tests.support.parity.kit import Family

cases = Family("fleet")
FLAGS = """
    a_sync adam_d2sum adaptive_localsgd amp asp auto auto_search conv_workspace_size_limit
    cudnn_batchnorm_spatial_persistent cudnn_exhaustive_search dgc elastic find_unused_parameters
    fp16_allreduce fuse_all_reduce_ops fuse_grad_merge fuse_grad_size_in_MB fuse_grad_size_in_num
    gradient_merge heter_ccl_mode hierarchical_allreduce_inter_nranks is_fl_ps_mode lamb lars
    last_comm_group_size_MB localsgd nccl_comm_num pipeline qat recompute semi_auto sharding split_data
    sync_batch_norm sync_nccl_allreduce tensor_parallel use_hierarchical_allreduce
    without_graph_optimization"""
