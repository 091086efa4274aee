"""paddle.distributed.fleet of one process: strategies, roles, layouts, layers that would be shared, recompute."""

import io
import os
import tempfile
import warnings
from contextlib import redirect_stdout

import numpy as np
import paddle
from paddle.distributed import fleet

from tests.support.parity.kit import Family, data, frozen, leaf, raises, to_single

cases = Family("fleet")
FLAGS = """
    a_sync adam_d2sum adaptive_localsgd amp asp auto auto_search conv_workspace_size_limit
    cudnn_batchnorm_spatial_persistent cudnn_exhaustive_search dgc elastic find_unused_parameters
    fp16_allreduce fuse_all_reduce_ops fuse_grad_merge fuse_grad_size_in_MB fuse_grad_size_in_num
    gradient_merge heter_ccl_mode hierarchical_allreduce_inter_nranks is_fl_ps_mode is_with_coordinator lamb
    lars last_comm_group_size_MB localsgd nccl_comm_num pipeline qat recompute semi_auto sharding split_data
    sync_batch_norm sync_nccl_allreduce tensor_parallel use_hierarchical_allreduce without_graph_optimization
    _calc_comm_same_stream _fuse_grad_size_in_TFLOPS hybrid_parallel_order sync_param_name"""
CONFIGS = """
    a_sync adaptive_localsgd amp dgc gradient_merge gradient_scale lamb lars localsgd pipeline qat recompute
    sharding tensor_parallel trainer_desc"""
AXES = ("data", "model", "sharding", "pipe")


@cases
def strategy_defaults():
    strategy = fleet.DistributedStrategy()
    return [
        {name: getattr(strategy, name) for name in FLAGS.split()},
        {name: getattr(strategy, f"{name}_configs") for name in CONFIGS.split()},
        str(strategy),
    ]


@cases
def hybrid_defaults():
    configs = fleet.DistributedStrategy().hybrid_configs
    plain = {name: value for name, value in configs.items() if isinstance(value, int | bool)}
    parts = ["sync_mode", "sync_param", "need_broadcast_data"]
    return [list(configs), plain, [getattr(configs["mp_configs"], name) for name in parts]]


def changed():
    strategy = fleet.DistributedStrategy()
    strategy.amp = True
    strategy.amp_configs = {"init_loss_scaling": 8, "custom_white_list": ["conv2d"]}
    strategy.amp_configs = {"custom_white_list": ["relu", "tanh"], "incr_ratio": 1.3}
    strategy.recompute = True
    strategy.recompute_configs = {"checkpoints": ["x", "y"]}
    strategy.hybrid_configs = {"dp_degree": 2, "order": ["mp", "dp"], "pp_configs": {"profiling": True}}
    strategy.gradient_scale_configs = {"scale_strategy": "sum"}
    strategy.fuse_grad_size_in_MB = 50
    strategy.a_sync = True
    return strategy


@cases
def strategy_changes():
    strategy = changed()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "strategy.prototxt")
        strategy.save_to_prototxt(path)
        again = fleet.DistributedStrategy()
        again.load_from_prototxt(path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
    facts = [strategy.amp_configs, strategy.hybrid_parallel_order, strategy.a_sync_configs["k_steps"]]
    return [str(strategy), text, facts, str(again), again.amp_configs]


@cases
def strategy_refusals():
    def put(name, value):
        return lambda: setattr(fleet.DistributedStrategy(), name, value)

    strategy = fleet.DistributedStrategy()
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        strategy.amp = 1
        strategy.nccl_comm_num = "two"
    return [
        raises(put("colour", 1), "colour is not a attribute of DistributedStrategy"),
        raises(lambda: fleet.DistributedStrategy().colour, "has no attribute 'colour'"),
        raises(put("amp_configs", {"colour": 1}), "key:colour not in amp_configs"),
        raises(put("amp_configs", {"incr_ratio": "a"}), "must be real number, not str"),
        raises(put("a_sync", 3), "The type of `flag` is invalid"),
        [strategy.amp, strategy.nccl_comm_num],
    ]


@cases
def a_job_of_one():
    names = "worker_index worker_num node_num is_worker is_server is_first_worker is_coordinator server_num"
    before = raises(lambda: fleet.Fleet().worker_index())
    made = fleet.init(is_collective=True)
    answers = {
        name: getattr(fleet, name)() for name in (*names.split(), "worker_endpoints", "server_endpoints")
    }
    shared = [fleet.util.all_reduce(3), fleet.util.all_gather(3), fleet.util.get_file_shard(["a", "b"])]
    with redirect_stdout(io.StringIO()) as said:
        fleet.util.print_on_rank("here", 0)
        fleet.util.print_on_rank("not here", 1)
    return [
        before,
        made is None,
        answers,
        shared,
        said.getvalue(),
        fleet.all_reduce(5),
        fleet.barrier_worker(),
    ]


@cases
def servers():
    fleet.init()
    names = "init_worker init_server run_server stop_worker"
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        return [getattr(fleet, name)() for name in names.split()]


@cases
def refused_jobs():
    return [
        raises(lambda: fleet.init(role_maker=3), "`role_maker` should be subclass of `RoleMakerBase`"),
        raises(lambda: fleet.init(is_collective=3), "`is_collective` should be instance of `bool`"),
        raises(lambda: fleet.init(is_collective=True, strategy=3)),
        raises(lambda: fleet.distributed_model(None), "model should not be None"),
        raises(lambda: fleet.util.get_file_shard("a"), "files should be a list"),
    ]


@cases
def what_a_job_wraps():
    fleet.init(is_collective=True)
    net = paddle.nn.Linear(2, 2)
    optimizer = paddle.optimizer.SGD(parameters=net.parameters())
    scaler = paddle.amp.GradScaler(enable=False)
    return [fleet.distributed_optimizer(optimizer) is optimizer, fleet.distributed_scaler(scaler) is scaler]


@cases
def roles():
    role, maker = fleet.Role, fleet.UserDefinedRoleMaker
    given = maker(current_id=1, role=role.WORKER, worker_num=2, server_endpoints=["127.0.0.1:1"])
    read = fleet.PaddleCloudRoleMaker(is_collective=True)
    facts = [
        given._worker_index(),
        given._worker_num(),
        given._is_worker(),
        given._server_num(),
        given.to_string(),
    ]
    numbers = [role.WORKER, role.SERVER, role.HETER_WORKER, role.ALL, role.COORDINATOR]
    return [numbers, facts, read._worker_num(), read._is_first_worker(), read._get_trainer_endpoints()]


@cases
def layouts():
    grid = fleet.CommunicateTopology(["data", "pipe", "model"], [2, 3, 2])
    return {
        "comm": [grid.get_comm_list(axis) for axis in ("data", "pipe", "model")],
        "axis": [
            grid.get_axis_list("pipe", 1),
            grid.get_dim("pipe"),
            grid.get_dim_size("data"),
            grid.world_size(),
        ],
        "places": [
            list(grid.get_coord(7)),
            grid.get_rank(data=1, pipe=0, model=1),
            grid.get_hybrid_group_names(),
        ],
        "stage": grid.get_rank_from_stage(3, pipe=2),
        "fused": grid.get_fused_ranks(["data", "model"]),
    }


@cases
def the_place_in_a_job():
    fleet.init(is_collective=True)
    grid = fleet.get_hybrid_communicate_group()
    names = [f"get_{axis}_parallel_world_size" for axis in AXES]
    names += [
        "get_data_parallel_rank",
        "get_model_parallel_rank",
        "get_sharding_parallel_rank",
        "get_stage_id",
    ]
    names += [f"get_{axis}_parallel_group_src_rank" for axis in ("data", "model", "sharding")]
    groups = [getattr(grid, f"get_{axis}_parallel_group")() for axis in AXES] + [
        grid.get_check_parallel_group()
    ]
    return [{name: getattr(grid, name)() for name in names}, [[group.rank, group.ranks] for group in groups]]


def single(*shape, seed=1):
    return frozen(to_single(data(*shape, seed=seed)))


@cases
def shared_layers():
    fleet.init(is_collective=True)
    shared = fleet.meta_parallel
    column = shared.ColumnParallelLinear(4, 6, gather_output=False, has_bias=True)
    row = shared.RowParallelLinear(6, 3, input_is_parallel=True)
    table = shared.VocabParallelEmbedding(10, 4)
    column.set_state_dict({"weight": single(4, 6), "bias": single(6, seed=2)})
    row.set_state_dict({"weight": single(6, 3, seed=3), "bias": single(3, seed=4)})
    table.set_state_dict({"weight": single(10, 4, seed=5)})
    out = row(column(table(frozen(np.array([[1, 7], [7, 0]])))))
    (out * out).sum().backward()
    grads = [parameter.grad for layer in (column, row, table) for parameter in layer.parameters()]
    plain = shared.ColumnParallelLinear(4, 6)
    names = [
        [name.rpartition("_")[0] for name in (each.full_name(),)] + list(each.state_dict())
        for each in (column, row, table)
    ]
    return [out, grads, plain.bias is None, names, repr(plain)]


@cases
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


class Words(fleet.MultiSlotDataGenerator):
    """Lines of numbers."""

    def generate_sample(self, line):
        rows = [[1, 2], [3], None, [4.5, 6]]
        return lambda: iter([row and [("words", row), ("label", [1])] for row in rows])


class Texts(fleet.MultiSlotStringDataGenerator):
    """Lines of texts, two at a time, backwards."""

    def generate_sample(self, line):
        return lambda: iter([[("words", list(word))] for word in ("ab", "c", "def")])

    def generate_batch(self, samples):
        return lambda: reversed(samples)


@cases
def generated_data():
    said = []
    for make in (Words, Texts):
        generator = make()
        generator.set_batch(2)
        with redirect_stdout(io.StringIO()) as text:
            generator.run_from_memory()
        said.append(text.getvalue())
    write = fleet.MultiSlotDataGenerator
    known = write()
    known._gen_str([("a", [1])])
    return [
        said,
        raises(lambda: write()._gen_str(3), "must be in list or tuple type"),
        raises(lambda: write()._gen_str([(1, [2])]), "must be in str type"),
        raises(lambda: write()._gen_str([("a", (2,))]), "must be in list type"),
        raises(lambda: write()._gen_str([("a", [])]), "can not be empty"),
        raises(lambda: write()._gen_str([("a", ["b"])]), "must be in int or float"),
        raises(lambda: known._gen_str([("b", [1])]), "are not match"),
        raises(lambda: known._gen_str([("a", [1]), ("b", [1])]), "inconsistent"),
        raises(lambda: write().generate_sample("a"), "Please rewrite this function"),
    ]
