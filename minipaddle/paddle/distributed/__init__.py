"""``paddle.distributed`` of one process: rank 0 of 1, which exchanges nothing and trains as ever.

What needs several processes is refused where it is asked for. Each name is loaded when it is asked for; start reading
in :mod:`minipaddle.paddle.distributed.parallel`.
"""

from minipaddle.engine.core.later import front
from minipaddle.paddle.distributed.communication import collectives

__getattr__ = front(
    globals(),
    {
        **dict.fromkeys(("auto_parallel", "collective", "fleet", "io"), ""),
        "communication.collectives": " ".join(collectives.__all__),
        "auto_parallel.api": "DistAttr ShardingStage1 ShardingStage2 ShardingStage3 dtensor_from_fn reshard "
        "shard_dataloader shard_layer shard_op shard_optimizer shard_scaler shard_tensor unshard_dtensor",
        "auto_parallel.dist_model": "DistModel to_static",
        "auto_parallel.intermediate.parallelize": "ColWiseParallel ContextParallel ConvParallel "
        "PrepareContextParallel PrepareLayerInput PrepareLayerOutput RowWiseParallel SequenceParallelBegin "
        "SequenceParallelDisable SequenceParallelEnable SequenceParallelEnd SplitPoint parallelize",
        "auto_parallel.local_layer": "LocalLayer local_map",
        "auto_parallel.placement_type": "Partial Placement ReduceType Replicate Shard",
        "auto_parallel.process_mesh": "ProcessMesh get_mesh set_mesh",
        "auto_parallel.strategy": "Strategy",
        "state_files": "load_merged_state_dict load_state_dict save_state_dict",
        "communication": "stream",
        "communication.group": "barrier destroy_process_group get_backend get_group is_available is_initialized "
        "new_group restart_process_group shutdown_process_group wait",
        "parallel": "DataParallel ParallelEnv get_rank get_world_size init_parallel_env",
        "fleet.base.topology": "ParallelMode",
        "fleet.layers.mpu.mp_ops": "split",
        "launch.main": "launch",
        "spawn": "spawn",
    },
)
