"""paddle.distributed in one process: who it is, and what it refuses."""

import warnings

import numpy as np
import paddle
import paddle.distributed as dist

from tests.support.parity.kit import Family, data, frozen, leaf, raises, to_single

cases = Family("distributed")
EXCHANGES = {
    "all_reduce": lambda x: dist.all_reduce(x),
    "reduce": lambda x: dist.reduce(x, 0),
    "broadcast": lambda x: dist.broadcast(x, 0),
    "all_gather": lambda x: dist.all_gather([], x),
    "scatter": lambda x: dist.scatter(x, [x + 1]),
    "all_gather_object": lambda x: dist.all_gather_object([], 1),
    "barrier": lambda x: dist.barrier(),
}


def warned(call):
    """Return what a call answers, and the words of its warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answer = call()
    return [answer, [type(each.message).__name__ for each in told]]


def who():
    return [dist.get_rank(), dist.get_world_size(), dist.is_initialized(), dist.is_available()]


def environment():
    env = dist.ParallelEnv()
    return [env.rank, env.local_rank, env.world_size, env.nranks, env.device_type, env.pg_timeout, env.nrings]


def initializing():
    return warned(dist.init_parallel_env)


def the_group_of_all():
    return {
        name: raises(lambda call=call: call(frozen(data(2))), "The global group is not initialized")
        for name, call in EXCHANGES.items()
    }


def refused_groups():
    return [raises(lambda: dist.get_rank(0), "Only support group argument")]


def reduce_ops():
    return [dist.ReduceOp.SUM, dist.ReduceOp.MAX, dist.ReduceOp.MIN, dist.ReduceOp.PROD, dist.ReduceOp.AVG]


def _single(*shape, seed=1):
    return frozen(to_single(data(*shape, seed=seed)))


def parallel(net):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        return paddle.DataParallel(net), len(told)


def data_parallel():
    net = paddle.nn.Linear(3, 2)
    net.set_state_dict({"weight": _single(3, 2), "bias": _single(2, seed=5)})
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
        "loaded": model.set_state_dict({"weight": _single(3, 2, seed=9)}),
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


def distributed_batches():
    made = {
        name: paddle.io.DistributedBatchSampler(range(10), 3, **options) for name, options in SAMPLERS.items()
    }
    return {
        name: [list(sampler), len(sampler), sampler.num_samples, sampler.total_size]
        for name, sampler in made.items()
    }


def distributed_batches_in_another_order():
    sampler = paddle.io.DistributedBatchSampler(np.arange(11), 2, 2, 1, shuffle=True)
    first, second = list(sampler), list(sampler)
    sampler.set_epoch(7)
    return [first, second, list(sampler), sampler.epoch]


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
