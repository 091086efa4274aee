"""paddle.distributed.fleet of one process: strategies, who it is, what it hands on, recompute."""

import warnings

import paddle
from paddle.distributed import fleet

from tests.support.parity.kit import Family, data, frozen, leaf, raises

cases = Family("fleet")
FLAGS = """
    a_sync adam_d2sum adaptive_localsgd amp asp auto auto_search conv_workspace_size_limit
    cudnn_batchnorm_spatial_persistent cudnn_exhaustive_search dgc elastic find_unused_parameters
    fp16_allreduce fuse_all_reduce_ops fuse_grad_merge fuse_grad_size_in_MB fuse_grad_size_in_num
    gradient_merge heter_ccl_mode hierarchical_allreduce_inter_nranks is_fl_ps_mode lamb lars
    last_comm_group_size_MB localsgd nccl_comm_num pipeline qat recompute semi_auto sharding split_data
    sync_batch_norm sync_nccl_allreduce tensor_parallel use_hierarchical_allreduce
    without_graph_optimization"""


def strategy_defaults():
    strategy = fleet.DistributedStrategy()
    return {name: getattr(strategy, name) for name in FLAGS.split()}


def strategy_refusals():
    return [
        raises(
            lambda: setattr(fleet.DistributedStrategy(), "colour", 1),
            "colour is not a attribute of DistributedStrategy",
        ),
        raises(lambda: fleet.DistributedStrategy().colour, "has no attribute 'colour'"),
    ]


def a_job_of_one():
    names = "worker_index worker_num is_worker is_server is_first_worker barrier_worker"
    made = fleet.init(is_collective=True)
    return [made is None, {name: getattr(fleet, name)() for name in names.split()}]


def servers():
    fleet.init()
    names = "init_worker init_server run_server stop_worker"
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        return [getattr(fleet, name)() for name in names.split()]


def refused_jobs():
    return [
        raises(lambda: fleet.init(role_maker=3), "`role_maker` should be subclass of `RoleMakerBase`"),
        raises(lambda: fleet.init(is_collective=3), "`is_collective` should be instance of `bool`"),
        raises(lambda: fleet.init(is_collective=True, strategy=3)),
        raises(lambda: fleet.distributed_model(None), "model should not be None"),
    ]


def what_a_job_wraps():
    fleet.init(is_collective=True)
    net = paddle.nn.Linear(2, 2)
    optimizer = paddle.optimizer.SGD(parameters=net.parameters())
    scaler = paddle.amp.GradScaler(enable=False)
    return [fleet.distributed_optimizer(optimizer) is optimizer, fleet.distributed_scaler(scaler) is scaler]


def recomputed():
    recompute = fleet.utils.recompute
    x, y, w = leaf(data(2, 3)), frozen(data(3, seed=2)), leaf(data(3, seed=3))
    out = recompute(lambda x, y: (x * w).tanh() * y, x, y)
    (out * out).sum().backward()
    paddle.seed(3)
    z = leaf(data(40))
    dropped = recompute(lambda z: paddle.nn.functional.dropout(z * 2, 0.5), z)
    dropped.sum().backward()
    pair = recompute(lambda x: (x * 2, x + 1), leaf(data(2)))
    return [out, x.grad, w.grad, bool(((dropped != 0) == (z.grad != 0)).all()), list(pair)]
