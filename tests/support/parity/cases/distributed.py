"""paddle.distributed in one process: who it is, what it refuses, and what it leaves as it is."""

import warnings

import numpy as np
import paddle
import paddle.distributed as dist

from tests.support.parity.kit import Family, data, frozen, leaf, raises, to_single

cases = Family("distributed")
EXCHANGES = {
    "all_reduce": lambda x, group: dist.all_reduce(x, group=group),
    "reduce": lambda x, group: dist.reduce(x, 0, group=group),
    "broadcast": lambda x, group: dist.broadcast(x, 0, group=group),
    "all_gather": lambda x, group: dist.all_gather([], x, group=group),
    "gather": lambda x, group: dist.gather(x, [], group=group),
    "scatter": lambda x, group: dist.scatter(x, [x + 1], group=group),
    "reduce_scatter": lambda x, group: dist.reduce_scatter(x, [x + 1], group=group),
    "alltoall": lambda x, group: dist.alltoall([], [x], group=group),
    "alltoall_single": lambda x, group: dist.alltoall_single(x, x + 1, group=group),
    "send": lambda x, group: dist.send(x, 0, group=group),
    "recv": lambda x, group: dist.recv(x, 0, group=group),
    "isend": lambda x, group: dist.isend(x, 0, group),
    "irecv": lambda x, group: dist.irecv(x, 0, group),
    "P2POp": lambda x, group: dist.P2POp(dist.isend, x, 0, group).peer,
    "all_gather_object": lambda x, group: dist.all_gather_object([], 1, group),
    "broadcast_object_list": lambda x, group: dist.broadcast_object_list([1], 0, group),
    "scatter_object_list": lambda x, group: dist.scatter_object_list([], [1], 0, group),
    "send_object_list": lambda x, group: dist.send_object_list([1], 0, group),
    "barrier": lambda x, group: dist.barrier(group),
    "get_backend": lambda x, group: dist.get_backend(group),
    "stream.all_reduce": lambda x, group: dist.stream.all_reduce(x, group=group),
    "stream.broadcast": lambda x, group: dist.stream.broadcast(x, 0, group, True, True),
}


def warned(call):
    """Return what a call answers, and the words of its warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answer = call()
    return [answer, [type(each.message).__name__ for each in told]]


@cases
def who():
    return [dist.get_rank(), dist.get_world_size(), dist.is_initialized(), dist.is_available()]


@cases
def environment():
    env = dist.ParallelEnv()
    return [env.rank, env.local_rank, env.world_size, env.nranks, env.device_type, env.pg_timeout, env.nrings]


@cases
def initializing():
    return warned(dist.init_parallel_env)


@cases
def the_group_of_all():
    return {
        name: raises(lambda call=call: call(frozen(data(2)), None), "The global group is not initialized")
        for name, call in EXCHANGES.items()
    }


@cases
def a_group_of_one():
    answers = {}
    for name, call in EXCHANGES.items():
        x, group = frozen(data(2)), dist.new_group([0])
        try:
            answer = warned(lambda x=x, call=call, group=group: call(x, group))[0]
        except (RuntimeError, AttributeError) as error:
            answer = type(error).__name__
        answers[name] = [answer, x]
    return answers


@cases
def a_gradient_through_a_group_of_one():
    x = leaf(data(3))
    y = x * 2
    warned(lambda: dist.all_reduce(y, group=dist.new_group([0])))
    (y * y).sum().backward()
    return [y, y.inplace_version, x.grad]


@cases
def groups():
    group = dist.new_group([0])
    same = dist.get_group(group.id) is group
    facts = [group.rank, group.ranks, group.nranks, group.world_size, group.is_member()]
    facts += [
        group.get_group_rank(0),
        group.get_global_rank(0),
        dist.get_rank(group),
        dist.get_world_size(group),
    ]
    dist.destroy_process_group(group)
    return [same, facts, warned(lambda: dist.get_group(group.id)), warned(dist.get_group)]


@cases
def refused_groups():
    gone = dist.new_group([0])
    dist.destroy_process_group(gone)
    return [
        raises(dist.new_group, "init_parallel_env"),
        raises(lambda: dist.new_group([0, 1]), "init_parallel_env"),
        raises(lambda: dist.destroy_process_group(gone), "is invalid"),
        raises(dist.destroy_process_group, "global group"),
        raises(lambda: dist.get_rank(0), "Only support group argument"),
        raises(lambda: dist.P2POp(dist.send, frozen(data(2)), 0, dist.new_group([0])), "Invalid ``op``"),
        raises(lambda: dist.batch_isend_irecv(3), "Invalid ``p2p_op_list``"),
    ]


@cases
def reduce_ops():
    return [dist.ReduceOp.SUM, dist.ReduceOp.MAX, dist.ReduceOp.MIN, dist.ReduceOp.PROD, dist.ReduceOp.AVG]


def single(*shape, seed=1):
    return frozen(to_single(data(*shape, seed=seed)))


def parallel(net):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        return paddle.DataParallel(net), len(told)


@cases
def data_parallel():
    net = paddle.nn.Linear(3, 2)
    net.set_state_dict({"weight": single(3, 2), "bias": single(2, seed=5)})
    model, told = parallel(net)
    x = leaf(to_single(data(4, 3, seed=2)))
    out = model(x)
    (out * out).sum().backward()
    with model.no_sync():
        synced = model.grad_need_sync
    return {
        "out": out,
        "grads": [x.grad, net.weight.grad, net.bias.grad],
        "names": [list(model.state_dict()), [name for name, _ in model.named_parameters()]],
        "told": told,
        "sync": [synced, model.grad_need_sync, model.find_unused_parameters, model.group],
        "scaled": model.scale_loss(frozen(data(1))),
        "loaded": model.set_state_dict({"weight": single(3, 2, seed=9)}),
        "weight": net.weight,
        "no layer": raises(lambda: paddle.DataParallel(None)).kind is not None,
    }


SAMPLERS = {
    "alone": {},
    "first of two": {"num_replicas": 2, "rank": 0},
    "second of two": {"num_replicas": 2, "rank": 1},
    "last of four": {"num_replicas": 4, "rank": 3},
    "more than there are": {"num_replicas": 25, "rank": 24},
    "dropped": {"num_replicas": 2, "rank": 1, "drop_last": True},
}


@cases
def distributed_batches():
    made = {
        name: paddle.io.DistributedBatchSampler(range(10), 3, **options) for name, options in SAMPLERS.items()
    }
    return {
        name: [list(sampler), len(sampler), sampler.num_samples, sampler.total_size]
        for name, sampler in made.items()
    }


@cases
def distributed_batches_in_another_order():
    sampler = paddle.io.DistributedBatchSampler(np.arange(11), 2, 2, 1, shuffle=True)
    first, second = list(sampler), list(sampler)
    sampler.set_epoch(7)
    return [first, second, list(sampler), sampler.epoch]


@cases
def refused_distributed_batches():
    make = paddle.io.DistributedBatchSampler
    return [
        raises(lambda: make(range(10), 0), "batch_size should be a positive integer"),
        raises(lambda: make(range(10), 2, 0), "num_replicas should be a positive integer"),
        raises(lambda: make(range(10), 2, 2, -1), "rank should be a non-negative integer"),
        raises(lambda: list(make(range(10), 2, 2, 7))),
        raises(lambda: make(range(10), 2, shuffle=1), "shuffle should be a boolean"),
        raises(lambda: make(range(10), 2, drop_last=1), "drop_last should be a boolean"),
    ]
