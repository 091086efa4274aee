"""paddle.distributed in one process: who it is, and what it refuses."""

import warnings

import paddle
import paddle.distributed as dist

from tests.support.parity.kit import Family, data, frozen, to_single

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


def _single(*shape, seed=1):
    return frozen(to_single(data(*shape, seed=seed)))


def parallel(net):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        return paddle.DataParallel(net), len(told)


SAMPLERS = {
    "alone": {},
    "first of two": {"num_replicas": 2, "rank": 0},
    "second of two": {"num_replicas": 2, "rank": 1},
    "last of four": {"num_replicas": 4, "rank": 3},
    "more than there are": {"num_replicas": 25, "rank": 24},
    "dropped": {"num_replicas": 2, "rank": 1, "drop_last": True},
}
